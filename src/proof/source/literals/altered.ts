// Canaries: an old test with one expected value changed, which has to turn red if assertions still bite.
import { innerTestRanges } from "../inner/splice.ts";
import { type Source, sourceOf } from "../lex/source.ts";
import { type Alteration, alterations, type Change, changesOf } from "./alteration.ts";
import { expectedLiterals } from "./assertions.ts";
import { documentedChanges } from "./documented.ts";
import { shellChanges } from "./shell-assertions.ts";

/** At most `max` texts, each with one expected value changed, spread over the file. */
export function altered(path: string, text: string, max: number): readonly Alteration[] {
  const source = sourceOf(path, text);
  return source === null ? [] : alterations(path, text, changesIn(source), max);
}

function changesIn(source: Source): readonly Change[] {
  if (source.language === "shell") return shellChanges(source);
  const inCode = changesOf(source, expectedLiterals(source));
  const tests = innerTestRanges(source.path, source.text);
  if (tests.length === 0) return inCode;
  // In a product file, an apparent assertion outside its tests belongs to the product.
  const kept = isTestFile(source)
    ? inCode
    : inCode.filter((change) => tests.some((range) => range.from <= change.from && change.to <= range.to));
  return [...kept, ...documentedChanges(source.path, source.text)];
}

/** The same with numbers that are only one off: a tolerant comparison takes them for equal. */
export function alteredSlightly(path: string, text: string, max: number): readonly Alteration[] {
  const source = sourceOf(path, text);
  if (source === null || source.language === "shell") return [];
  return alterations(path, text, changesOf(source, expectedLiterals(source), nextNumber), max);
}

function nextNumber(_: Source, { kind, text }: Source["code"][number]): string | null {
  return kind === "number" && /^\d{1,9}$/.test(text) ? String(Number(text) + 1) : null;
}

/** A Python file with its own tests may also have examples in its docstrings. */
function isTestFile(source: Source): boolean {
  return (
    source.language === "python" &&
    /^\s*(?:def test_|class Test|import (?:unittest|pytest)|from (?:unittest|pytest))/m.test(source.text)
  );
}
