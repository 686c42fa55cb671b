// What the port for deliveries prints.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { makeHooksServer } from "./hooks-server.ts";

const unused = new Proxy({}, { get: () => () => expect.unreachable() });

test("a request that fails again and again is printed once", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  let count = 0;
  const all = () => {
    count += 1;
    throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", stack: "Error: EIO: i/o error, read" });
  };
  const server = makeHooksServer({
    workspaces: { all } as unknown as Parameters<typeof makeHooksServer>[0]["workspaces"],
    keeper: unused as Parameters<typeof makeHooksServer>[0]["keeper"],
    env: {},
    tls: null,
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/shop/ci`;
    for (const _ of [1, 2, 3]) expect((await fetch(address, { method: "POST", body: "{}" })).status).toBe(503);
    expect((await fetch(`${address}/more`)).status).toBe(404);
    expect((await fetch(address, { method: "POST", body: "{}" })).status).toBe(503);
    expect([count, printed.mock.calls]).toEqual([4, [["Error: EIO: i/o error, read\n"]]]);
  } finally {
    printed.mockRestore();
    server.close();
    server.closeAllConnections();
  }
});
