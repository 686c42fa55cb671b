// The functions of a file, and its text with one of them emptied.
import { type Source, sourceOf } from "../lex/source.ts";
import type { Body, FoundBody } from "./body.ts";
import { cLikeBodies } from "./c-like.ts";
import { goBodies } from "./go.ts";
import { javascriptBodies } from "./javascript.ts";
import { pythonBodies } from "./python.ts";
import { rustBodies } from "./rust.ts";
import { shellBodies } from "./shell.ts";

/** Functions in the order of their headers. A callback counts only where no other function encloses it. */
export function bodies(path: string, text: string): readonly Body[] {
  const source = sourceOf(path, text);
  if (source === null) return [];
  return bodiesIn(source).map(({ name, line, endLine, from, to }) => ({ name, line, endLine, from, to }));
}

/**
 * The text with that body emptied, its name and signature kept, in a form that still compiles where one is known.
 * Null: it is already empty, or no form is known that compiles.
 */
export function emptied(path: string, text: string, body: Body): string | null {
  const source = sourceOf(path, text);
  const found = source === null ? undefined : all(source).find(({ from, to }) => from === body.from && to === body.to);
  return found === undefined ? null : emptiedIn(text, found);
}

export function emptiedIn(text: string, body: FoundBody): string | null {
  const instead = body.instead();
  if (instead === null) return null;
  const made = text.slice(0, body.from) + instead + text.slice(body.to);
  return made === text ? null : made;
}

export function bodiesIn(source: Source): readonly FoundBody[] {
  const found = all(source).toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((body) => {
    const kept = !body.anonymous || body.start >= end;
    if (kept) end = Math.max(end, body.end);
    return kept;
  });
}

function all(source: Source): readonly FoundBody[] {
  switch (source.language) {
    case "javascript":
      return javascriptBodies(source);
    case "python":
      return pythonBodies(source);
    case "rust":
      return rustBodies(source);
    case "go":
      return goBodies(source);
    case "shell":
      return shellBodies(source);
    case "c-like":
      return cLikeBodies(source);
  }
}
