// Splits bytes into lines: independent of the chunks, and bounded.
import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./lines.ts";

function split(chunks: readonly Uint8Array[], bytesMax?: number): { text: string; cut: boolean }[] {
  const lines: { text: string; cut: boolean }[] = [];
  const splitter = new LineSplitter((text, cut) => lines.push({ text, cut }), bytesMax);
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    splitter.push(reused);
    reused.fill(0x21); // The reader's buffer is reused before the line ends.
  }
  splitter.end();
  return lines;
}

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });

test("lines do not depend on where the chunks are cut", () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 12 }), (chunks, bytesMax) => {
      const whole = Buffer.concat(chunks);
      expect(split(chunks, bytesMax)).toEqual(split([whole], bytesMax));
    }),
  );
});

test("every line is emitted once, without its line end", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, ""));
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const bytes = Buffer.from(lines.map((one) => one + end).join(""));
      expect(split([bytes]).map(({ text }) => text)).toEqual(lines);
    }),
  );
});

test("a line past the bound is emitted once, cut and marked, and the next one is complete", () => {
  const bytes = Buffer.from(`${"x".repeat(100)}\nnext\n`);
  expect(split([bytes], 10)).toEqual([
    { text: "x".repeat(10), cut: true },
    { text: "next", cut: false },
  ]);
});

test("an unfinished last line is emitted, an empty one is not", () => {
  expect(split([Buffer.from("a\nb")]).map(({ text }) => text)).toEqual(["a", "b"]);
  expect(split([Buffer.from("a\n")]).map(({ text }) => text)).toEqual(["a"]);
});

test("invalid bytes become replacement characters, not errors", () => {
  expect(split([Buffer.from([0xff, 0, 0x61, 10])])).toEqual([{ text: "\ufffd\0a", cut: false }]);
});
