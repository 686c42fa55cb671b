// A text with a comment and a no-op statement in each of its functions: its behaviour is the same.
import { type Source, sourceOf } from "../lex/source.ts";
import { bodiesIn } from "./bodies.ts";

/** Null: no function, or a language that does not allow a comment everywhere. */
export function commented(path: string, text: string): string | null {
  const source = sourceOf(path, text);
  if (source === null || source.language === "shell") return null;
  const bodies = bodiesIn(source);
  const comment = source.language === "python" ? "  #" : " /**/";
  const nothing = statement[source.language];
  const inserted = new Map([
    ...bodies.map((body): [number, string] => [placeIn(source, body.to), comment]),
    // Only where the body is a block, not the value after an arrow.
    ...bodies
      .filter(({ from }) => nothing !== undefined && text[from - 1] === "{")
      .map(({ from }): [number, string] => [from, nothing ?? ""]),
  ]);
  const places = [...inserted].toSorted(([a], [b]) => b - a);
  const made = places.reduce((now, [at, more]) => now.slice(0, at) + more + now.slice(at), text);
  return places.length === 0 ? null : made;
}

const statement: Readonly<Partial<Record<Source["language"], string>>> = {
  javascript: " void 0;",
  go: " _ = 0;",
  rust: " let _ = 0;",
};

/** In Python a comment ends its line, so it goes after the last line of the body. */
function placeIn({ language, text }: Source, end: number): number {
  if (language !== "python") return end;
  const last = text.slice(0, end).trimEnd().length;
  const at = text.indexOf("\n", last);
  return at === -1 ? text.length : at;
}
