// An engine that keeps its runs in the memory of another process passes the same suite, and drives the demo.
import * as fs from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { demo } from "../../../src/cli/commands/demo.ts";
import { describeEngine } from "../../../src/testing/engine-suite.ts";
import { gitAs, removeTemporaryFolders, temporaryFolder } from "../../../src/testing/workspace-rig.ts";
import { MemoryServer } from "./client.ts";

afterAll(removeTemporaryFolders);

describeEngine("memory", async (root) => {
  const server = await MemoryServer.start(root, temporaryFolder());
  return { connect: async () => server.connect(), remove: () => server.stop() };
});

test("the demo runs on it, to the same end", { timeout: 240_000 }, async () => {
  const dir = `${temporaryFolder()}/demo`;
  const said: string[] = [];
  const [out, err] = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write")];
  out.mockImplementation((text) => said.push(String(text)) > 0);
  err.mockImplementation(() => true);
  // The demo makes its project first; the engine is started over it.
  fs.mkdirSync(dir);
  const server = await MemoryServer.start(fs.realpathSync(dir), temporaryFolder());
  try {
    expect(await demo({ dir, json: true, quiet: true }, () => server.connect())).toBe(0);
  } finally {
    out.mockRestore();
    err.mockRestore();
    await server.stop();
  }
  expect(JSON.parse(said.at(-1) ?? "")).toMatchObject({ type: "end", exitCode: 0, done: 4, total: 4 });
  expect(
    gitAs("person", dir, ["log", "--format=%(trailers:key=Loop-Feature,valueonly)"]).match(/F\d+/g)?.sort(),
  ).toEqual(["F001", "F002", "F003", "F004"]);
});
