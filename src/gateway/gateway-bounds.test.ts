// One agent takes neither the memory nor the open files of the loop.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { ends, gatewayTo, post, type Rig, sonnet } from "../testing/gateway-rig.ts";

describe("an agent that wants all of the loop's memory and open files", () => {
  /** A request that never ends, and what came back. */
  function begin({ gateway }: Rig, bytes: number): { said: () => string; isOpen: () => boolean } {
    let said = "";
    let isOpen = true;
    const socket = connect(gateway.socket, () => {
      socket.write("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 64000000\r\n\r\n");
      if (bytes > 0) socket.write(Buffer.alloc(bytes));
    });
    socket.on("data", (data) => {
      said += String(data);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      isOpen = false;
    });
    ends.push(() => {
      socket.destroy();
    });
    return { said: () => said, isOpen: () => isOpen };
  }

  test("has at most 256 connections", async () => {
    const rig = await gatewayTo("http://127.0.0.1:9");
    const begun = Array.from({ length: 300 }, () => begin(rig, 0));
    await vi.waitFor(() => expect(begun.filter(({ isOpen }) => isOpen())).toHaveLength(256), 5000);
  });

  test("has at most 256 MB of unfinished requests", async () => {
    const rig = await gatewayTo("http://127.0.0.1:9");
    const begun = Array.from({ length: 6 }, () => begin(rig, 60_000_000));
    const refused = (): number => begun.filter(({ said, isOpen }) => said().includes(" 413 ") || !isOpen()).length;
    await vi.waitFor(() => expect(refused()).toBeGreaterThanOrEqual(2), 10_000);
  });

  test("has 100 refusals on record, and gets all of them", async () => {
    const rig = await gatewayTo("http://127.0.0.1:9", 0);
    const statuses = new Set<number>();
    for (let count = 0; count < 150; count += 1) {
      const { status } = await post(rig, "/v1/messages", { model: sonnet, max_tokens: 10, messages: [] });
      statuses.add(status);
    }
    expect([...statuses]).toEqual([402]);
    expect(readFileSync(rig.record, "utf8").trim().split("\n")).toHaveLength(100);
  });
});
