// Private keys: a heading, followed by key material. Code that reads such files also contains the heading alone.
import type { AddedLine } from "./secret.ts";

const heading = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: /;
const ending = /-----END [A-Z0-9 ]{3,60}-----/;
const anyHeading = /-----BEGIN [A-Z0-9 ]{3,60}-----/;
const material = /[A-Za-z0-9+/]{40,}/;
/** Headers and an empty line may come between the heading and the key. */
const lookAhead = 6;

export type PrivateKey = { readonly whole: boolean };

/** The heading of a private key in this line; `whole`: its material follows, here or in the next lines. */
export function privateKeyAt(lines: readonly AddedLine[], at: number): PrivateKey | null {
  const line = lines[at];
  const found = line === undefined ? null : heading.exec(line.text);
  if (line === undefined || found === null) return null;
  if (material.test(line.text.slice(found.index + found[0].length))) return { whole: true };
  const after = lines.slice(at + 1, at + 1 + lookAhead).filter(({ path }) => path === line.path);
  return { whole: after.some(({ text, line: number }) => number <= line.line + lookAhead && material.test(text)) };
}

/** The lines inside a PEM block: a certificate or a key counts once, by its heading. */
export function insideBlocks(lines: readonly AddedLine[]): ReadonlySet<AddedLine> {
  const inside = new Set<AddedLine>();
  let open: { path: string; line: number } | null = null;
  for (const each of lines) {
    if (open !== null && (open.path !== each.path || each.line > open.line + blockLinesMax)) open = null;
    if (open !== null) inside.add(each);
    if (ending.test(each.text)) open = null;
    else if (anyHeading.test(each.text) && !material.test(each.text)) open = { path: each.path, line: each.line };
  }
  return inside;
}

/** No key is longer; a heading without an end must not hide the rest of the file. */
const blockLinesMax = 120;
