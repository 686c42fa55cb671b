// Ranges of a text that hold tests, and the documentation that contains some of them.

export type Range = { readonly from: number; readonly to: number };

/** A piece of documentation and the examples in it. `owner` names what it documents, once per file. */
export type Doc = Range & { readonly owner: string; readonly examples: readonly Range[] };

/** `places`: where the documentation of an owner without any would go, and with which indentation. */
export type Docs = { readonly docs: readonly Doc[]; readonly places: ReadonlyMap<string, DocPlace> };
export type DocPlace = { readonly at: number; readonly indent: string };

/** A range, widened to whole lines where only whitespace surrounds it. */
export function wholeLines(text: string, { from, to }: Range): Range {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const newline = text.indexOf("\n", to);
  const end = newline < 0 ? text.length : newline + 1;
  const alone = text.slice(start, from).trim() === "" && text.slice(to, end).trim() === "";
  return alone ? { from: start, to: end } : { from, to };
}
