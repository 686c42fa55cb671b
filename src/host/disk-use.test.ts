// What a session has written, as the disk sees it.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DiskUse, writtenSince } from "./disk-use.ts";

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-disk-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const fill = (name: string, bytes: number): void => {
  fs.mkdirSync(join(dir, name, ".."), { recursive: true });
  fs.writeFileSync(join(dir, name), Buffer.alloc(bytes, 1), { flush: true });
};

test("counts files that changed since, on every level, and no link's target", () => {
  fill("old", 1 << 20);
  const since = fs.lstatSync(join(dir, "old")).ctimeMs + 1;
  // The next file must be newer, by the coarse clock of the file system.
  fill("clock", 0);
  while (fs.lstatSync(join(dir, "clock")).ctimeMs <= since) fill("clock", 0);
  fill("a/b/new", 1 << 20);
  fs.symlinkSync("/proc/kcore", join(dir, "link"));
  const bytes = writtenSince([dir], since);
  expect(bytes).toBeGreaterThanOrEqual(1 << 20);
  expect(bytes).toBeLessThan(1.2 * (1 << 20));
});

test("a file with holes counts only what it takes", () => {
  fs.writeFileSync(join(dir, "sparse"), "");
  fs.truncateSync(join(dir, "sparse"), 1 << 40);
  expect(writtenSince([dir], 0)).toBeLessThan(1 << 20);
});

test("a folder that goes away while it is looked at is no error", () => {
  expect(writtenSince([join(dir, "gone")], 0)).toBe(0);
});

test("says how much, once it is more than allowed", () => {
  const use = new DiskUse([dir], 64 << 20);
  expect(use.over(100_000)).toBe(null);
  // More than others could free meanwhile.
  fill("y", 256 << 20);
  expect(use.over(100_500)).toBe(null);
  expect(use.over(200_000)).toBeGreaterThanOrEqual(256 << 20);
});

test("counts again soon after a count that found less than is allowed", () => {
  const use = new DiskUse([dir], 64 << 20);
  // Others fill the disk.
  const elsewhere = fs.mkdtempSync(join(tmpdir(), "loop-disk-"));
  try {
    fs.writeFileSync(join(elsewhere, "x"), Buffer.alloc(256 << 20, 1), { flush: true });
    expect(use.over(100_000)).toBe(null);
    fill("y", 256 << 20);
    expect(use.over(102_000)).toBeGreaterThanOrEqual(256 << 20);
  } finally {
    fs.rmSync(elsewhere, { recursive: true, force: true });
  }
});

test("never allows more than the disk has room for twice", () => {
  const { bavail, bsize } = fs.statfsSync(dir);
  expect(new DiskUse([dir], Number.MAX_SAFE_INTEGER).bytesMax).toBeLessThan((bavail * bsize) / 2 + (64 << 20));
});
