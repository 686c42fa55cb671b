// Makes text from agents and repositories safe to display: invisible and direction-changing characters are shown.

/** Direction marks, invisible tags, and zero-width spaces. */
const hidden =
  /[\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
const colours = /\u001b\[[\d;:]*m/g;

/** Colours are removed; every other hidden character is replaced by its code point. Tabs and line ends stay. */
export function visibleText(text: string): string {
  const plain = text.replace(colours, "").replace(/\r\n?/g, "\n");
  return wellFormed(plain).replace(hidden, (found) => `⟨U+${hex(found)}⟩`);
}

/** The same on one line. */
export const visibleLine = (text: string): string => visibleText(text).replace(/\s+/g, " ").trim();

const hex = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Half of a surrogate pair is not a character, and browsers differ on how to treat it. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
