// A text with a comment in each of its functions: it says the same.
import { type Source, sourceOf } from "../lex/source.ts";
import { bodiesIn } from "./bodies.ts";

/** Null: no function, or a language in which a comment cannot stand everywhere. */
export function commented(path: string, text: string): string | null {
  const source = sourceOf(path, text);
  if (source === null || source.language === "shell") return null;
  const places = [...new Set(bodiesIn(source).map((body) => placeIn(source, body.to)))].toSorted((a, b) => b - a);
  const comment = source.language === "python" ? "  #" : " /**/";
  const made = places.reduce((now, at) => now.slice(0, at) + comment + now.slice(at), text);
  return places.length === 0 ? null : made;
}

/** In Python a comment ends its line, so it stands behind the last one of the body. */
function placeIn({ language, text }: Source, end: number): number {
  if (language !== "python") return end;
  const last = text.slice(0, end).trimEnd().length;
  const at = text.indexOf("\n", last);
  return at === -1 ? text.length : at;
}
