// Edits of a text by offset.

/** Replaces the text between two offsets. Equal offsets: an insertion. */
export type Edit = { readonly from: number; readonly to: number; readonly text: string };

/** The text with all edits applied. An edit inside another goes after it, so that none is lost. */
export function edited(text: string, edits: readonly Edit[]): string {
  let [made, end] = ["", 0];
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    made += text.slice(end, Math.max(end, edit.from)) + edit.text;
    end = Math.max(end, edit.to);
  }
  return made + text.slice(end);
}
