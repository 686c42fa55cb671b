// A new tail is written only to the file that was meant.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rewriteTail, stampOf } from "./tail.ts";

let dir = "";
let path = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "tail-"));
  path = join(dir, "log.md");
  fs.writeFileSync(path, "head\ntail\n");
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));
const stamp = (): string => stampOf(path) ?? "";
const read = (): string => fs.readFileSync(path, "utf8");

test("the beginning stays, and a longer or shorter tail replaces the old one", () => {
  const longer = rewriteTail(path, { stamp: stamp(), keep: 5, text: "a longer end, é\n" });
  expect(read()).toBe("head\na longer end, é\n");
  expect(longer).toBe(stamp());
  expect(rewriteTail(path, { stamp: stamp(), keep: 5, text: "x" })).not.toBeNull();
  expect(read()).toBe("head\nx");
});

const copyOver = (): void => {
  fs.copyFileSync(path, `${path}2`);
  fs.renameSync(`${path}2`, path);
};
const linkOver = (): void => {
  fs.renameSync(path, `${path}2`);
  fs.symlinkSync(`${path}2`, path);
};
const folderOver = (): void => {
  fs.rmSync(path);
  fs.mkdirSync(path);
};

test.each<[string, () => void]>([
  ["was written by somebody else", () => fs.writeFileSync(path, "head\nmine\n")],
  ["was replaced by a copy", copyOver],
  ["is gone", () => fs.rmSync(path)],
  ["is a link", linkOver],
  ["is a folder", folderOver],
])("a file that %s is left alone", (_, change) => {
  const before = stamp();
  change();
  const was = fs.existsSync(path) && fs.statSync(path).isFile() ? read() : null;
  expect(rewriteTail(path, { stamp: before, keep: 5, text: "ours" })).toBeNull();
  if (was !== null) expect(read()).toBe(was);
});

test("a file with a second hard link is left alone: the other name may belong to someone else", () => {
  fs.linkSync(path, join(dir, "theirs"));
  expect(rewriteTail(path, { stamp: stamp(), keep: 5, text: "ours" })).toBeNull();
  expect(fs.readFileSync(join(dir, "theirs"), "utf8")).toBe("head\ntail\n");
});
