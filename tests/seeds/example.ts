// The documents' own examples, and their forms with the blanks filled in.
import { readFileSync } from "node:fs";

export const example = (name: string): string => readFileSync(new URL(`files/${name}`, import.meta.url), "utf8");

/** Each blank once, from the first to the last. What lies between them stays, byte for byte. */
export function filled(name: string, blanks: readonly (readonly [blank: string, value: string])[]): string {
  let rest = example(name);
  let text = "";
  for (const [blank, value] of blanks) {
    const at = rest.indexOf(blank);
    if (at < 0) throw new Error(`${name} has no ${blank} in: ${rest}`);
    text += rest.slice(0, at) + value;
    rest = rest.slice(at + blank.length);
  }
  return text + rest;
}
