// What a server says before it knows who asks.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { UserError } from "../core/errors.ts";
import { Audit } from "./audit.ts";
import { makeServer } from "./server.ts";

test("tokens that cannot be read are answered without their place, which is printed once each time it begins", async () => {
  const dir = mkdtempSync(join(tmpdir(), "loop-server-"));
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  let isDamaged = true;
  const port = (): number => (server.address() as AddressInfo).port;
  const server = makeServer({
    routes: [],
    pages: { find: async () => null },
    files: new Map(),
    tokens() {
      if (!isDamaged) return [];
      throw new UserError("bad-flag", { what: "No tokens.", why: "/secret/place is damaged.", next: "Repair it." });
    },
    audit: new Audit(join(dir, "audit.jsonl")),
    own: () => ({ scheme: "http", hosts: new Set([`127.0.0.1:${port()}`]), cookie: "loop" }),
    tls: null,
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const ask = (path: string) => fetch(`http://127.0.0.1:${port()}${path}`);
    for (const path of ["/api/v1/workspaces", "/", "/api/v1/firings"]) {
      const answer = await ask(path);
      expect([answer.status, (await answer.text()).includes("/secret")]).toEqual([503, false]);
    }
    const said = ["No tokens. /secret/place is damaged.\n"];
    expect(printed.mock.calls).toEqual([said]);
    isDamaged = false;
    expect((await ask("/api/v1/workspaces")).status).toBe(401);
    isDamaged = true;
    expect((await ask("/api/v1/workspaces")).status).toBe(503);
    expect(printed.mock.calls).toEqual([said, said]);
  } finally {
    printed.mockRestore();
    server.close();
    server.closeAllConnections();
    rmSync(dir, { recursive: true, force: true });
  }
});
