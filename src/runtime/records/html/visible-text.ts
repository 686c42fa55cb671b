// Text from agents and repositories, made safe to look at: what is meant to be invisible, or to turn a line round, is shown.
import { stripVTControlCharacters } from "node:util";

/** Marks that turn the reading direction round, tags that nobody sees, and spaces without width. */
const hidden =
  /[\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** Colours are left out; every other hidden character becomes its name. Tabs and line ends stay. */
export function visibleText(text: string): string {
  const plain = stripVTControlCharacters(text).replace(/\r\n?/g, "\n");
  return wellFormed(plain).replace(hidden, (found) => `⟨U+${hex(found)}⟩`);
}

const hex = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Half of a pair is no character, and a browser would not agree with us on what it is. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
