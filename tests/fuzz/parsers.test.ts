// Any text, given to every parser, is read or refused with a typed error. Nothing else is thrown, and nothing hangs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { cpuMs } from "../../src/testing/cpu-time.ts";
import { nasty } from "./nasty.ts";
import { parsers } from "./parsers.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 60);
/** Not a benchmark: a parser that takes this long for a text of this size would hang on a longer one. */
const msMax = 30_000;

/** Pieces of the corpus, cut anywhere and joined, mixed with random bytes and arbitrary JSON. */
const piece = fc.oneof(
  fc.constantFrom(...nasty),
  fc.tuple(fc.constantFrom(...nasty), fc.nat(), fc.nat()).map(([text, from, to]) => cut(text, from, to)),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.json({ maxDepth: 6 }),
);
const anyText = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join("\n"));

function cut(text: string, from: number, to: number): string {
  const [one, other] = [from % (text.length + 1), to % (text.length + 1)];
  return text.slice(Math.min(one, other), Math.max(one, other));
}

function feed(parse: (text: string) => unknown, text: string): void {
  const began = cpuMs();
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.what.length * error.why.length * error.next.length).toBeGreaterThan(0);
  }
  expect(cpuMs() - began).toBeLessThan(msMax);
}

describe.each(Object.entries(parsers))("%s", (_, parse) => {
  test("reads every text of the corpus, or refuses it with a typed error", () => {
    for (const text of nasty) feed(parse, text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("reads any text, or refuses it with a typed error", () => {
    fc.assert(
      fc.property(anyText, (text) => feed(parse, text)),
      { numRuns: runs },
    );
  });
});
