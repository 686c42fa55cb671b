// Downloading the pinned CLIs, also on machines where that fails.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheDir, ensureCli, names } from "../../scripts/agent-clis.mjs";

let cache = "";
const said: string[] = [];
const options = () => ({ cache, say: (text: string) => void said.push(text) });
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "loop-clis-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  said.splice(0);
  rmSync(cache, { recursive: true, force: true });
});

/** A fake npm, first on PATH, so that no test reaches a registry. */
function npm(body: string): void {
  const bin = join(cache, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  vi.stubEnv("LOOPWRIGHT_CLIS", "");
}

test("without a network it reports why, keeps nothing, and does not retry", async () => {
  npm(`echo run >> '${join(cache, "runs")}'; echo 'network is unreachable' >&2; exit 1`);
  const first = await ensureCli("codex@0.166.0", options());
  expect(first).toMatchObject({ path: null, why: expect.stringContaining("network is unreachable") });
  expect(said.join("\n")).toContain("network is unreachable");
  expect(await ensureCli("codex@0.166.0", options())).toEqual(first);
  expect(readdirSync(cache).sort()).toEqual(["bin", "codex@0.166.0.failed", "runs"]);
});

test("concurrent requests download once, completely, and all find it", async () => {
  const binary = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  npm(`echo run >> '${join(cache, "runs")}'; mkdir -p '${binary}'; sleep 0.3; echo > '${binary}/claude'`);
  const all = await Promise.all([1, 2, 3].map(() => ensureCli("claude@2.1.325", options())));
  const path = join(cache, "claude@2.1.325", binary, "claude");
  for (const each of all) expect(each).toEqual({ name: "claude@2.1.325", path, why: null });
  expect(said.filter((text) => text.includes("fetching"))).toHaveLength(1);
  expect(readdirSync(cache).sort()).toEqual(["bin", "claude@2.1.325", "runs"]);
});

test("a lock left behind by a dead process does not block the download", async () => {
  npm("exit 1");
  writeFileSync(join(cache, "codex@0.166.0.lock"), "999999999");
  expect((await ensureCli("codex@0.166.0", options())).path).toBeNull();
});

test("downloads nothing when switched off, or for a name that is not pinned", async () => {
  npm("exit 1");
  vi.stubEnv("LOOPWRIGHT_CLIS", "off");
  expect((await ensureCli("codex@0.166.0", options())).why).toContain("LOOPWRIGHT_CLIS=off");
  expect((await ensureCli("codex@latest", options())).why).toContain("no CLI is pinned");
  expect(readdirSync(cache)).toEqual(["bin"]);
});

test("the cache is where the environment says, and never in the clone", () => {
  expect(cacheDir({ LOOPWRIGHT_CACHE: "/a" })).toBe("/a");
  expect(cacheDir({ XDG_CACHE_HOME: "/b", HOME: "/c" })).toBe("/b/loopwright/clis");
  expect(cacheDir({ HOME: "/c" })).toBe("/c/.cache/loopwright/clis");
  expect(names).toContain("claude@2.1.197");
});
