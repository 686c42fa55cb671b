// Where an item of one text belongs in another: between the same lines, else in the same block, else at the end.
import type { Run } from "../diff/lines.ts";
import { indexAt, openAround, type Source, textAt } from "../lex/source.ts";

export type Wanted = {
  /** The text that the item was cut out of, and the offset in it. */
  readonly origin: Source;
  readonly at: number;
  readonly target: Source;
  readonly runs: readonly Run[];
};

export function placeFor({ origin, target, runs, at }: Wanted): number {
  const scope = scopeAt(origin, at);
  if (origin.text.slice(at).trim() === "") return target.text.length;
  const fitting = candidates(origin.text, target.text, runs, at).find(
    (place) => isBetweenStatements(target, place) && scopeAt(target, place) === scope,
  );
  return fitting ?? endOfScope(target, scope) ?? target.text.length;
}

/** The blocks around an offset, as the words before their braces. */
function scopeAt(source: Source, at: number): string {
  const scope: string[] = [];
  for (let open = openAround(source, indexAt(source, at)); open >= 0; open = source.parent[open] ?? -1) {
    scope.unshift(headerOf(source, open));
  }
  return scope.join(" > ");
}

function headerOf(source: Source, open: number): string {
  let from = open;
  while (from > 0 && !/^[;{}]$/.test(textAt(source, from - 1)) && open - from < 40) from--;
  return source.code
    .slice(from, open)
    .map((token) => token.text)
    .join(" ");
}

/** Line offsets: before the line that followed the item, and after the line before it. */
function candidates(origin: string, target: string, runs: readonly Run[], at: number): readonly number[] {
  const line = origin.slice(0, at).split("\n").length - 1;
  const starts = lineStarts(target);
  const found: number[] = [];
  const next = runs.find((run) => run.before + run.count > line);
  if (next !== undefined) found.push(starts[next.after + Math.max(0, line - next.before)] ?? target.length);
  const last = runs.findLast((run) => run.before < line);
  if (last !== undefined) found.push(starts[last.after + Math.min(last.count, line - last.before)] ?? target.length);
  return found;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function isBetweenStatements(source: Source, at: number): boolean {
  // Not inside a comment or a string, and not between documentation and what it documents.
  const last = source.tokens.findLast((token) => token.from < at);
  if (last !== undefined && (at < last.to || /^\/\/\/|^\/\*\*/.test(last.text))) return false;
  const index = indexAt(source, at);
  const before = source.code[index - 1];
  if (before === undefined || /^[;{}]$/.test(before.text)) return true;
  // Without semicolons, a line that begins with a word begins a statement.
  const next = source.code[index];
  return source.language === "javascript" && before.kind !== "punct" && (next === undefined || next.kind === "word");
}

function endOfScope(source: Source, scope: string): number | null {
  if (scope === "") return null;
  const close = source.code.find(
    (token, index) => token.text === "}" && scopeAt(source, token.from) === scope && (source.partner[index] ?? -1) >= 0,
  );
  if (close === undefined) return null;
  const line = source.text.lastIndexOf("\n", close.from - 1) + 1;
  return source.text.slice(line, close.from).trim() === "" ? line : close.from;
}
