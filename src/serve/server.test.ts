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

test("tokens that cannot be read are answered without their place, which is printed once", async () => {
  const dir = mkdtempSync(join(tmpdir(), "loop-server-"));
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const port = (): number => (server.address() as AddressInfo).port;
  const server = makeServer({
    routes: [],
    pages: { find: async () => null },
    files: new Map(),
    tokens() {
      throw new UserError("bad-flag", { what: "No tokens.", why: "/secret/place is damaged.", next: "Repair it." });
    },
    audit: new Audit(join(dir, "audit.jsonl")),
    own: () => ({ scheme: "http", hosts: new Set([`127.0.0.1:${port()}`]), cookie: "loop" }),
    tls: null,
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    for (const path of ["/api/v1/workspaces", "/", "/api/v1/firings"]) {
      const answer = await fetch(`http://127.0.0.1:${port()}${path}`);
      expect([answer.status, (await answer.text()).includes("/secret")]).toEqual([503, false]);
    }
    expect(printed.mock.calls).toEqual([["No tokens. /secret/place is damaged.\n"]]);
  } finally {
    printed.mockRestore();
    server.close();
    server.closeAllConnections();
    rmSync(dir, { recursive: true, force: true });
  }
});
