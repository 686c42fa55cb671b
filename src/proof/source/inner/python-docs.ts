// Docstrings of a Python file, whose `>>>` examples are tests.
import { logicalLines, pythonBlocks } from "../bodies/python-blocks.ts";
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import type { Doc, DocPlace, Docs, Range } from "./range.ts";

export function pythonDocs(source: Source): Docs {
  const docs: Doc[] = [];
  const places = new Map<string, DocPlace>();
  const seen = new Map<string, number>();
  const owned = [{ owner: "", first: logicalLines(source)[0]?.[0] }];
  for (const block of pythonBlocks(source)) owned.push({ owner: block.owner, first: block.body[0] });
  for (const { owner: name, first } of owned) {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const owner = count === 0 ? name : `${name} ${count + 1}`;
    if (first === undefined) continue;
    const indent = source.text.slice(source.text.lastIndexOf("\n", first.from - 1) + 1, first.from);
    if (isDocstring(source, first)) docs.push({ from: first.from, to: first.to, owner, examples: examplesIn(first) });
    else if (indent.trim() === "") places.set(owner, { at: first.from, indent });
  }
  return { docs, places };
}

/** A string that is a whole statement. */
export function isDocstring(source: Source, token: Token): boolean {
  if (token.kind !== "string" || !/^[rRuU]?["']/.test(token.text)) return false;
  return /^[^\S\n]*(?:$|\n|;|#)/.test(source.text.slice(token.to, token.to + 400));
}

/** Lines from a `>>>` to the blank line after its output. The line with the closing quotes stays. */
function examplesIn(token: Token): readonly Range[] {
  const examples: Range[] = [];
  let [from, inside] = [token.from, false];
  const lines = token.text.split("\n");
  lines.forEach((line, index) => {
    const range = { from, to: from + line.length + 1 };
    from = range.to;
    const last = index === lines.length - 1;
    if (index === 0 || last) return;
    inside = line.trim() !== "" && (inside || /^\s*>>>(?: |$)/.test(line));
    if (inside) examples.push(range);
  });
  return examples.length > 0 ? examples : wholeExample(token);
}

/** `""">>> f(1)` on the first line: everything between the quotes. */
function wholeExample(token: Token): readonly Range[] {
  const quotes = /^[rRuU]?("""|'''|"|')/.exec(token.text);
  const mark = quotes?.[1] ?? "";
  const start = token.from + (quotes?.[0].length ?? 0);
  const end = token.to - mark.length;
  return mark !== "" && /^\s*>>> /m.test(token.text.slice(start - token.from, -mark.length))
    ? [{ from: start, to: end }]
    : [];
}
