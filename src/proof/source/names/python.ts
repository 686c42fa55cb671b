// Imports by name in Python, also inside functions, and what a module defines at its top.

import { indentOf, logicalLines } from "../bodies/python-blocks.ts";
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import type { ImportedName, Offered } from "./names.ts";

type Line = readonly Token[];
const textAt = (line: Line, at: number): string => line[at]?.text ?? "";
const mayFail = /^(?:ImportError|ModuleNotFoundError|AttributeError|Exception|BaseException|:)$/;

/** One logical line, and the blocks that are open around it. */
type Placed = { readonly line: Line; readonly around: readonly Block[] };
type Block = { readonly indent: number; readonly keyword: string; isOptional: boolean };

function placedLines(source: Source): readonly Placed[] {
  const open: Block[] = [];
  const found: Placed[] = [];
  for (const line of logicalLines(source)) {
    const indent = indentOf(source.text, line[0]?.from ?? 0);
    let closed: Block | undefined;
    while ((open.at(-1)?.indent ?? -1) >= indent) closed = open.pop();
    const keyword = textAt(line, 0) === "async" ? textAt(line, 1) : textAt(line, 0);
    const isCaught =
      keyword === "except" && line.some(({ text }, at) => mayFail.test(text) && (text !== ":" || at === 1));
    if (isCaught && closed?.indent === indent) closed.isOptional = true;
    found.push({ line, around: [...open] });
    if (line.at(-1)?.text === ":") open.push({ indent, keyword, isOptional: isCaught });
  }
  return found;
}

type From = {
  readonly module: string;
  readonly names: readonly { readonly name: string; readonly as: string; readonly at: Token }[];
};

/** `from a.b import c as d, e`; null: another statement. */
function fromImport(line: Line): From | null {
  const importing = textAt(line, 0) === "from" ? line.findIndex(({ text }) => text === "import") : -1;
  if (importing < 0) return null;
  const module = line
    .slice(1, importing)
    .map(({ text }) => text)
    .join("");
  const names = line.slice(importing + 1).flatMap((token, index, rest) => {
    const isName = token.kind === "word" || token.text === "*";
    if (!isName || token.text === "as" || textAt(rest, index - 1) === "as") return [];
    return [
      { name: token.text, as: textAt(rest, index + 1) === "as" ? textAt(rest, index + 2) : token.text, at: token },
    ];
  });
  return { module, names };
}

/** `import a.b, c as d`: each module, and how the file calls it. */
function plainImports(line: Line): readonly { readonly module: string; readonly as: string }[] {
  if (textAt(line, 0) !== "import") return [];
  const words = line.slice(1).map(({ text }) => (text === "as" ? " as " : text));
  return words
    .join("")
    .split(",")
    .map((part) => part.split(" as "))
    .map(([module = "", as = module]) => ({ module, as }));
}

const inside = (module: string, name: string): string =>
  module.endsWith(".") ? `${module}${name}` : `${module}.${name}`;

export function importedByPython(source: Source): readonly ImportedName[] {
  const lines = placedLines(source).filter(({ around }) => !around.some(({ isOptional }) => isOptional));
  const modules = new Map<string, string>();
  const found: ImportedName[] = [];
  for (const { line } of lines) {
    for (const { module, as } of plainImports(line)) modules.set(as, module);
    const from = fromImport(line);
    for (const { name, as, at } of from?.names ?? []) {
      if (name === "*" || from === null) continue;
      found.push({ module: from.module, name, line: at.line });
      modules.set(as, inside(from.module, name));
    }
  }
  for (const { line } of lines) if (!/^(?:from|import)$/.test(textAt(line, 0))) found.push(...usesIn(line, modules));
  return found;
}

/** `money.format(1)`, of a module that the file knows as `money`. */
function usesIn(line: Line, modules: ReadonlyMap<string, string>): ImportedName[] {
  return line.flatMap((token, at): ImportedName[] => {
    if (token.kind !== "word" || textAt(line, at - 1) === ".") return [];
    let end = at;
    while (textAt(line, end + 1) === "." && line[end + 2]?.kind === "word") end += 2;
    const way = line
      .slice(at, end + 1)
      .filter((_, index) => index % 2 === 0)
      .map(({ text }) => text);
    if (textAt(line, end + 1) === "=") return [];
    for (let parts = way.length - 1; parts > 0; parts--) {
      const module = modules.get(way.slice(0, parts).join("."));
      if (module !== undefined) return [{ module, name: way[parts] ?? "", line: token.line }];
    }
    return [];
  });
}

// ---- what a module defines ----

export function offeredByPython(source: Source): Offered {
  const names = new Set<string>();
  const all: string[] = [];
  const isOpen = /^def __getattr__\b|\b(?:globals|vars|exec)\(|\bsys\.modules\[__name__\]/m.test(source.text);
  for (const { line, around } of placedLines(source)) {
    if (textAt(line, 0) === "global") for (const { text } of line.slice(1)) names.add(text);
    if (around.some(({ keyword }) => keyword === "def" || keyword === "class")) continue;
    for (const { name, as } of fromImport(line)?.names ?? []) if (name !== "*") names.add(as);
    if (fromImport(line)?.names.some(({ name }) => name === "*")) all.push(fromImport(line)?.module ?? "");
    for (const { as } of plainImports(line)) names.add(as.split(".")[0] ?? "");
    for (const name of boundIn(line)) names.add(name);
  }
  return { names, all, isOpen };
}

function boundIn(line: Line): readonly string[] {
  const at = textAt(line, 0) === "async" ? 1 : 0;
  if (/^(?:def|class)$/.test(textAt(line, at))) return [textAt(line, at + 1)];
  const words = (part: Line): string[] => part.filter(({ kind }) => kind === "word").map(({ text }) => text);
  const named = line.flatMap(({ text }, index) =>
    text === "as" || text === "for" ? words(line.slice(index + 1)) : [],
  );
  const set = line.findLastIndex(({ text }) => text === "=" || text === ":=");
  const isTyped = line[0]?.kind === "word" && textAt(line, 1) === ":";
  return [...named, ...(set < 0 ? [] : words(line.slice(0, set))), ...(isTyped ? [textAt(line, 0)] : [])];
}
