// How wide text is in a terminal, and cutting it to a width. Text that is wider than expected would break the redraw.

/** Two columns: Chinese, Japanese, Korean, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2-\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const noWidth = /\p{Mn}|\p{Me}|\u200d/u;

const widthOfChar = (char: string): number => (noWidth.test(char) ? 0 : wide.test(char) ? 2 : 1);

/** Of text without control characters. */
export function widthOf(text: string): number {
  // Most text is plain.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOfChar(char);
  return width;
}

/** At most `columns` wide; a text that is cut says so. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 0;
  let kept = "";
  for (const char of text) {
    width += widthOfChar(char);
    if (width > columns - 1) break;
    kept += char;
  }
  return columns < 1 ? "" : `${kept}…`;
}
