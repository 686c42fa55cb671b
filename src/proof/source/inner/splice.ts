// Tests inside source files, cut out and put back: the code of one text with the tests of another.
import { commonRuns, linesOf } from "../diff/lines.ts";
import { type Edit, edited } from "../edit.ts";
import { type InnerTests, innerTests } from "./inner-tests.ts";
import { placeFor } from "./place.ts";
import type { Doc, Range } from "./range.ts";

export function hasInnerTests(path: string, text: string): boolean {
  const inner = innerTests(path, text);
  return inner !== null && cuts(inner).length > 0;
}

export function withoutInnerTests(path: string, text: string): string {
  const inner = innerTests(path, text);
  return inner === null ? text : cut(text, inner).code;
}

/** The ranges of a text that are tests, in order. */
export function innerTestRanges(path: string, text: string): readonly Range[] {
  const inner = innerTests(path, text);
  return inner === null ? [] : cuts(inner);
}

/** The code of `product` with the inner tests of `judge`. */
export function splice(path: string, product: string, judge: string): string {
  if (product === judge) return product;
  const [inProduct, inJudge] = [innerTests(path, product), innerTests(path, judge)];
  if (inProduct === null || inJudge === null) return product;
  const code = cut(product, inProduct).code;
  const tests = cut(judge, inJudge);
  if (product === tests.code || code === tests.code) return judge;
  const target = innerTests(path, code);
  if (target === null) return code;
  return edited(code, [...documented(target, inJudge, judge), ...placed(path, target, tests)]);
}

type Item = { readonly at: number; readonly text: string };
type Cut = { readonly code: string; readonly items: readonly Item[] };

function cuts(inner: InnerTests): readonly Range[] {
  return [...inner.items, ...inner.docs.flatMap((doc) => doc.examples)].toSorted((a, b) => a.from - b.from);
}

/** A text without its tests, and where each item was in it. */
function cut(text: string, inner: InnerTests): Cut {
  let [code, end] = ["", 0];
  const items: Item[] = [];
  const starts = new Set(inner.items.map((item) => item.from));
  for (const { from, to } of cuts(inner)) {
    if (from < end) continue;
    code += text.slice(end, from);
    if (starts.has(from)) items.push({ at: code.length, text: text.slice(from, to) });
    end = to;
  }
  return { code: code + text.slice(end), items };
}

/** Documentation with examples replaces that of the same owner: its place in the prose means nothing to a test. */
function documented(target: InnerTests, judge: InnerTests, text: string): readonly Edit[] {
  const known = new Map(target.docs.map((doc) => [doc.owner, doc]));
  return judge.docs.flatMap((doc) => {
    if (doc.examples.length === 0) return [];
    const there = known.get(doc.owner);
    if (there !== undefined) return [{ from: there.from, to: there.to, text: text.slice(doc.from, doc.to) }];
    return inserted(target, doc, text) ?? [];
  });
}

/** Null: what it documents is gone, and its tests with it; the run will notice that they are missing. */
function inserted(target: InnerTests, doc: Doc, text: string): Edit | null {
  const place = target.places.get(doc.owner);
  if (place === undefined) return null;
  const own = text.slice(doc.from, doc.to);
  const lines = own.endsWith("\n") ? own : `${own}\n${place.indent}`;
  return { from: place.at, to: place.at, text: lines };
}

/** Items follow the lines around them. */
function placed(path: string, target: InnerTests, tests: Cut): readonly Edit[] {
  if (tests.items.length === 0) return [];
  const runs = commonRuns(linesOf(tests.code), linesOf(target.source.text));
  const origin = innerTests(path, tests.code)?.source ?? target.source;
  return tests.items.map((item) => {
    const at = placeFor({ origin, target: target.source, runs, at: item.at });
    return { from: at, to: at, text: onItsOwnLines(target.source.text, at, item.text) };
  });
}

function onItsOwnLines(text: string, at: number, item: string): string {
  const before = at === 0 || text[at - 1] === "\n" ? "" : "\n";
  return `${before}${item}${item.endsWith("\n") ? "" : "\n"}`;
}
