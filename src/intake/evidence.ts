// Evidence for a score: the exact words of the request with their position, or a file.

export type Evidence = FromRequest | FromFile;
/** `request.slice(at, at + text.length)` is `text`. */
export type FromRequest = { readonly text: string; readonly at: number };
export type FromFile = { readonly text: string; readonly file: string };

const shownMax = 4;
const lengthMax = 80;

/** Where a pattern matches. Patterns have no nested repetition, so this takes linear time. */
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

// Half a surrogate pair is not valid text.
const whole = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "");

/** Each position once, in text order; a match inside an earlier one does not count again. */
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
