// The functions and classes of a Python file, by indentation.
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";

export type PythonBlock = {
  readonly kind: "def" | "class";
  readonly name: string;
  /** `Cart.total`. */
  readonly owner: string;
  /** Where the header begins, with its decorators. */
  readonly start: number;
  readonly line: number;
  /** The tokens of the body, from its first to its last. */
  readonly body: readonly Token[];
};

type Open = Omit<PythonBlock, "body"> & { readonly indent: number; readonly body: Token[] };

/** A logical line: its tokens without comments. */
export function logicalLines(source: Source): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  for (const token of source.tokens) {
    if (token.kind === "newline") lines.push([]);
    else if (token.kind !== "comment") lines.at(-1)?.push(token);
  }
  return lines.filter((line) => line.length > 0);
}

export function indentOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

export function pythonBlocks(source: Source): readonly PythonBlock[] {
  const [open, blocks]: [Open[], Open[]] = [[], []];
  let decorated: number | null = null;
  for (const line of logicalLines(source)) {
    const first = line[0];
    if (first === undefined) continue;
    const indent = indentOf(source.text, first.from);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    for (const block of open) block.body.push(...line);
    const block = header(line, { indent, start: decorated ?? first.from, around: open.at(-1) ?? null });
    if (block !== null) {
      open.push(block);
      blocks.push(block);
    }
    decorated = first.text === "@" ? (decorated ?? first.from) : null;
  }
  return blocks;
}

type Place = { readonly indent: number; readonly start: number; readonly around: Open | null };

function header(line: readonly Token[], { indent, start, around }: Place): Open | null {
  const at = line[0]?.text === "async" ? 1 : 0;
  const [keyword, name] = [line[at], line[at + 1]];
  const kind = keyword?.text;
  if (keyword === undefined || name?.kind !== "word" || (kind !== "def" && kind !== "class")) return null;
  const owner = around === null ? name.text : `${around.owner}.${name.text}`;
  return { kind, name: name.text, owner, start, line: keyword.line, indent, body: sameLineBody(line) };
}

/** The text after the colon of `def f(): return 1`. */
function sameLineBody(line: readonly Token[]): Token[] {
  let depth = 0;
  const colon = line.findIndex((token) => {
    depth += token.kind === "open" ? 1 : token.kind === "close" ? -1 : 0;
    return depth === 0 && token.text === ":";
  });
  return colon < 0 ? [] : line.slice(colon + 1);
}
