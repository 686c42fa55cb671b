import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { vaultDirFor } from "../../workspace/vault.ts";
import { newSince, rememberLook } from "./last-look.ts";

let root = "";
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-look-")));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  fs.mkdirSync(vaultDirFor(root), { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true, force: true });
});

const hour = 3_600_000;
const evening = 1_000 * hour;

test("before the first look, a day is new", () => {
  expect(newSince(root, evening)).toBe(evening - 24 * hour);
});

test("looks within an hour of each other are one, and the next begins where they ended", () => {
  rememberLook(root, evening);
  const morning = evening + 10 * hour;
  for (const minutes of [0, 20, 60, 110]) {
    expect(newSince(root, morning + minutes * 60_000)).toBe(evening);
    rememberLook(root, morning + minutes * 60_000);
  }
  expect(newSince(root, morning + 5 * hour)).toBe(morning + 110 * 60_000);
});

test("a file that cannot be read counts as none", () => {
  rememberLook(root, evening);
  const path = join(vaultDirFor(root), "look.json");
  expect(fs.existsSync(dirname(path))).toBe(true);
  fs.writeFileSync(path, "{");
  expect(newSince(root, evening)).toBe(evening - 24 * hour);
});
