// Finds a test in its file by name.
import { bodiesIn } from "../bodies/bodies.ts";
import { placedHunks } from "../diff/hunks.ts";
import { type Source, sourceOf } from "../lex/source.ts";

type Lines = { readonly from: number; readonly to: number };

/** Whether a file differs only inside these tests, each given by the last part of its name. */
export function differsOnlyInTests(path: string, before: string, after: string, names: readonly string[]): boolean {
  const source = sourceOf(path, before);
  if (source === null) return false;
  const places = names.flatMap((name) => testLines(source, name) ?? []);
  return placedHunks(before, after).every(({ before: at, removed }) => {
    if (removed.length === 0) return true;
    return places.some(({ from, to }) => from <= at && at + removed.length - 1 <= to);
  });
}

/** Null: no test has that name, or more than one has. */
function testLines(source: Source, name: string): Lines | null {
  const found = source.language === "javascript" ? calls(source, name) : functions(source, name);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `test("name", …)`, to the end of the call. */
function calls({ code, partner }: Source, name: string): readonly Lines[] {
  return code.flatMap((token, at) => {
    if (token.kind !== "string" || token.text.slice(1, -1) !== name || code[at - 1]?.text !== "(") return [];
    const end = code[partner[at - 1] ?? -1];
    return end === undefined ? [] : [{ from: token.line, to: end.line }];
  });
}

const functions = (source: Source, name: string): readonly Lines[] =>
  bodiesIn(source)
    .filter((body) => body.name === name)
    .map(({ line, endLine }) => ({ from: line, to: endLine }));
