// Lines of files that are large, torn, binary or missing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "file");

function linesOf(content: string | Buffer): string[] {
  writeFileSync(file, content);
  const lines: string[] = [];
  readLines(file, (line) => lines.push(line));
  return lines;
}

test("lines are those of the file, wherever the reads end", () => {
  const line = fc
    .oneof(
      fc.string(),
      fc.nat(70_000).map((size) => "x".repeat(size)),
    )
    .filter((text) => !text.includes("\n"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      expect(linesOf(lines.join("\n"))).toEqual(
        lines.filter((text) => text !== "").map((text) => Buffer.from(text).toString()),
      );
    }),
    { numRuns: 50 },
  );
});

test("skips only a line that is too long", () => {
  expect(linesOf(`a\n${"x".repeat(5 << 20)}\nb\n`)).toEqual(["a", "b"]);
});

test("invalid bytes are harmless", () => {
  expect(linesOf(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x61])).at(-1)).toBe("a");
});

test("a missing file, a folder and a pipe have no lines", () => {
  const lines: string[] = [];
  readLines(join(folder, "nothing"), (line) => lines.push(line));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  readLines(join(folder, "pipe"), (line) => lines.push(line));
  expect(() => readLines(folder, (line) => lines.push(line))).not.toThrow();
  expect(lines).toEqual([]);
});
