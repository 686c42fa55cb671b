// A growing file: read completely, kept small, and checked to be a regular file.
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { follow, readTail, readWhole } from "./follow.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-follow-"));
  path = join(folder, "out");
  writeFileSync(path, "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("emits each line as it arrives, and the unfinished one at the end", async () => {
  const lines: string[] = [];
  const file = follow(path, { onLine: (text) => lines.push(text) });
  appendFileSync(path, "one\ntw");
  expect(await file.read()).toBe(true);
  expect(await file.read()).toBe(false);
  expect(lines).toEqual(["one"]);
  appendFileSync(path, "o\nthree");
  await file.finish();
  expect(lines).toEqual(["one", "two", "three"]);
  expect(file.bytes).toBe(13);
});

test("a file past the bound keeps its head and tail, and every line is emitted once", async () => {
  const lines: string[] = [];
  const file = follow(path, { onLine: (text) => lines.push(text), bytesMax: 8000, keepBytes: 1000 });
  const sent = Array.from({ length: 3000 }, (_, index) => `line ${index}`);
  for (let at = 0; at < sent.length; at += 100) {
    appendFileSync(path, `${sent.slice(at, at + 100).join("\n")}\n`);
    await file.read();
  }
  await file.finish();
  expect(lines).toEqual(sent);
  const kept = readFileSync(path, "utf8");
  expect(kept.length).toBeLessThan(10_000);
  expect(kept.startsWith("line 0\nline 1\n")).toBe(true);
  expect(kept).toMatch(/\n\[\.\.\. \d+ bytes were left out here \.\.\.\]\nline \d+\n/);
  expect(kept.endsWith("line 2998\nline 2999\n")).toBe(true);
});

test("text written while the file is cut is not lost", async () => {
  const lines: string[] = [];
  // In total less than four times the bound: however late we read, nothing is skipped as a flood.
  const file = follow(path, { onLine: (text) => lines.push(text), bytesMax: 2 << 20, keepBytes: 1 << 18 });
  const script = `for i in $(seq 1 60); do seq 100000 115000; sleep 0.01; done >> ${path}; echo end >> ${path}`;
  const writer = spawn("sh", ["-c", script]);
  while (writer.exitCode === null) {
    await file.read();
    await pause(1); // Let the exit event of the writer arrive.
  }
  await file.finish();
  expect(readFileSync(path, "utf8").endsWith("114999\n115000\nend\n")).toBe(true);
  // A cut may break a few lines; all others arrived.
  expect(lines.length).toBeGreaterThan(60 * 15_001 - 1000);
  expect(statSync(path).size).toBeLessThan(5 << 20);
});

test("a flood far ahead of the reader is skipped to its end, so that the disk does not fill", async () => {
  const lines: string[] = [];
  const file = follow(path, { onLine: (text) => lines.push(text), bytesMax: 8000, keepBytes: 1000 });
  writeFileSync(path, `${"x".repeat(99)}\n`.repeat(1000), { flag: "a" });
  appendFileSync(path, "the end\n");
  await file.finish();
  expect(lines.at(-1)).toBe("the end");
  expect(file.bytes).toBe(100_008);
});

test("a writer a little faster than the reader does not fill the disk, and is read to its end", async () => {
  let last = "";
  const file = follow(path, { onLine: (text) => (last = text), bytesMax: 4 << 20, keepBytes: 1 << 20 });
  const nineMegabytes = `${"x".repeat(99)}\n`.repeat(90_000);
  let most = 0;
  for (let time = 0; time < 15; time += 1) {
    appendFileSync(path, nineMegabytes);
    most = Math.max(most, statSync(path).size);
    await file.read(); // Eight of them at a time.
  }
  appendFileSync(path, "the end\n");
  await file.finish();
  expect(last).toBe("the end");
  expect(file.bytes).toBe(15 * nineMegabytes.length + "the end\n".length);
  expect(most).toBeLessThan(40_000_000);
  const kept = readFileSync(path, "utf8");
  expect(kept).toMatch(/^x{99}\n[^[]*\[\.\.\. \d+ bytes were left out here \.\.\.\]\n/);
  expect(kept.endsWith("\nthe end\n")).toBe(true);
});

test("no line is emitted twice when the file is cut while its end is being read", async () => {
  const lines: string[] = [];
  const file = follow(path, { onLine: (text) => lines.push(text), bytesMax: 300_000, keepBytes: 75_000 });
  const sent = Array.from({ length: 200_000 }, (_, at) => `line ${at}`);
  // Each time a little more than one read, so that the reader never catches up.
  for (let at = 0; at < sent.length; at += 25_000) {
    appendFileSync(path, `${sent.slice(at, at + 25_000).join("\n")}\n`);
    await file.read();
  }
  await file.finish();
  const numbers = lines.map((text) => Number(/^line (\d+)$/.exec(text)?.[1])).filter((number) => !Number.isNaN(number));
  expect(numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))).toBe(true);
  expect(lines.at(-1)).toBe("line 199999");
});

test("a writer that never pauses does not block the reader", async () => {
  const file = follow(path);
  writeFileSync(path, Buffer.alloc(20 << 20, "x"));
  expect(await file.read()).toBe(true);
  expect(file.bytes).toBeLessThan(20 << 20);
  file.close();
});

test("a file that was truncated is followed from its new end", async () => {
  const lines: string[] = [];
  const file = follow(path, { onLine: (text) => lines.push(text) });
  appendFileSync(path, "one\ntwo\n");
  await file.read();
  truncateSync(path, 0);
  await file.read();
  appendFileSync(path, "three\n");
  await file.finish();
  expect(lines).toEqual(["one", "two", "three"]);
});

test("anything but a regular file has no text and never blocks", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  symlinkSync("/dev/zero", join(folder, "link"));
  mkdirSync(join(folder, "dir"));
  for (const name of ["pipe", "link", "dir", "none"]) {
    expect(readWhole(join(folder, name), 100)).toBe(null);
    expect(readTail(join(folder, name), 100)).toBe("");
  }
  expect(() => follow(join(folder, "link"))).toThrow();
});

test("the end of a large file is read without the rest", () => {
  writeFileSync(path, "abcdef");
  expect(readTail(path, 3)).toBe("def");
  expect(readWhole(path, 3)).toBe(null);
  expect(readWhole(path, 6)).toBe("abcdef");
  expect(statSync(path).size).toBe(6);
});
