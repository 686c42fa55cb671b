// Names that a change defines or whose definition it touches.
import { posix } from "node:path";
import { bodiesIn } from "../bodies/bodies.ts";
import { pythonBlocks } from "../bodies/python-blocks.ts";
import { withoutInnerTests } from "../inner/splice.ts";
import { type Source, sourceOf, textAt } from "../lex/source.ts";
import { meaningfulHunks } from "../mutants/units.ts";

/** Words that come before a name where it is defined. */
const definers = new Set(
  "class struct enum trait interface object record type const let var static def fun func fn".split(" "),
);

/** Functions, classes, methods and constants, in file order. A shell script counts as a name: tests call it. */
export function definedNames(path: string, before: string | null, after: string | null): readonly string[] {
  if (after === null) return [];
  const code = withoutInnerTests(path, after);
  const source = sourceOf(path, code);
  if (source === null) return [];
  const lines = changedLines(path, before === null ? "" : withoutInnerTests(path, before), code);
  const named = definitionsIn(source).filter((found) =>
    lines.some((line) => found.line <= line && line <= found.endLine),
  );
  const script = source.language === "shell" && lines.length > 0 ? [posix.basename(path)] : [];
  return [...new Set([...named.map((found) => found.name), ...script])].filter((name) => name !== "");
}

function changedLines(path: string, before: string, after: string): readonly number[] {
  return meaningfulHunks(path, before, after).flatMap((hunk) =>
    hunk.added.length === 0 ? [hunk.at - 1] : hunk.added.map((_, index) => hunk.at + index),
  );
}

type Definition = { readonly name: string; readonly line: number; readonly endLine: number };

function definitionsIn(source: Source): readonly Definition[] {
  const functions = bodiesIn(source).filter(
    (body) => !body.anonymous && body.name !== "constructor" && body.name !== "default",
  );
  const classes = source.language === "python" ? pythonBlocks(source).filter((block) => block.kind === "class") : [];
  const words = source.language === "shell" ? [] : definedByWord(source);
  const ends = classes.map(({ name, line, body }) => ({ name, line, endLine: body.at(-1)?.line ?? line }));
  return [
    ...functions.map(({ name, line, endLine }) => ({ name: bare(name), line, endLine })),
    ...ends,
    ...words,
  ].toSorted((a, b) => a.line - b.line);
}

const bare = (name: string): string => (/^[\w$]+$/.test(name) ? name : "");

/** `class Cart {`, `const rate = 3`. A class reaches to its closing brace. */
function definedByWord(source: Source): readonly Definition[] {
  return source.code.flatMap((token, index) => {
    const name = source.code[index + 1];
    if (token.kind !== "word" || !definers.has(token.text) || name?.kind !== "word") return [];
    if (/^(?:const|let|var|static)$/.test(token.text))
      return isTopLevel(source, index) ? [{ name: name.text, line: token.line, endLine: token.line }] : [];
    return [{ name: name.text, line: token.line, endLine: blockEnd(source, index + 2) ?? token.line }];
  });
}

const isTopLevel = (source: Source, index: number): boolean => (source.parent[index] ?? -1) < 0;

function blockEnd(source: Source, from: number): number | null {
  for (let at = from; at < Math.min(source.code.length, from + 60); at++) {
    if (textAt(source, at) === ";") return null;
    if (textAt(source, at) === "{") return source.code[source.partner[at] ?? -1]?.line ?? null;
  }
  return null;
}
