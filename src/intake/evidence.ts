// Evidence: the very words of the request that a score rests on, with their place, or the file that says it instead.

export type Evidence = FromRequest | FromFile;
/** `request.slice(at, at + text.length)` is `text`. */
export type FromRequest = { readonly text: string; readonly at: number };
export type FromFile = { readonly text: string; readonly file: string };

const shownMax = 4;
const lengthMax = 80;

/** Where a pattern is found. Patterns are written without nested repetition, so that this takes time in line with the text. */
export function findAll(pattern: RegExp, masked: string, raw: string, max = shownMax): FromRequest[] {
  const found: FromRequest[] = [];
  for (const match of masked.matchAll(pattern)) {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    const text = whole(raw.slice(start, start + Math.min(match[0].trim().length, lengthMax)));
    if (text !== "") found.push({ text, at: start });
    if (found.length === max) break;
  }
  return found;
}

// Half a surrogate pair is no text.
const whole = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "");

/** Each place once, in the order of the text; what lies inside an earlier find is not a second one. */
export function distinct(found: readonly FromRequest[]): FromRequest[] {
  const kept: FromRequest[] = [];
  let end = -1;
  for (const each of [...found].sort((a, b) => a.at - b.at || b.text.length - a.text.length)) {
    if (each.at < end) continue;
    kept.push(each);
    end = each.at + each.text.length;
  }
  return kept;
}
