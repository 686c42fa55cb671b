// What a test can notice of a text, line by line: no comments, imports, types or formatting.
import { logicalLines } from "../bodies/python-blocks.ts";
import { typeMarks } from "../bodies/typescript.ts";
import { linesOf } from "../diff/lines.ts";
import { isDocstring } from "../inner/python-docs.ts";
import { extensionOf } from "../language.ts";
import { type Source, sourceOf } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import { importMarks } from "./imports.ts";

/** For each line of a text, from 1, its meaningful pieces. */
export type Meaning = ReadonlyMap<number, readonly string[]>;

export function meaningOf(path: string, text: string): Meaning {
  const source = sourceOf(path, text);
  return source === null ? plainMeaning(path, text) : codeMeaning(source);
}

/** The pieces of some lines, in order. */
export function piecesIn(meaning: Meaning, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => meaning.get(from + index) ?? []).flat();
}

const plainComment = /^\s*(?:#|--|\/\/|\/\*|\*|<!--|;)/;
/** A data file: every line but comments, without its spaces. */
function plainMeaning(path: string, text: string): Meaning {
  const strict = extensionOf(path) === "json";
  return new Map(
    linesOf(text).map((line, index) => {
      const kept = !strict && plainComment.test(line) && !line.startsWith("#!") ? "" : line.replace(/\s+/g, "");
      return [index + 1, kept === "" ? [] : [kept]];
    }),
  );
}

function codeMeaning(source: Source): Meaning {
  const inert = inertTokens(source);
  const lines = new Map<number, string[]>();
  const add = (line: number, piece: string): void => {
    const pieces = lines.get(line);
    if (pieces === undefined) lines.set(line, [piece]);
    else pieces.push(piece);
  };
  source.code.forEach((token, index) => {
    if (inert.has(token) || isFormatting(source, index)) return;
    const pieces = token.kind === "string" ? [unquoted(token.text)] : [token.text];
    pieces.flatMap((piece) => piece.split("\n")).forEach((piece, offset) => void add(token.line + offset, piece));
  });
  for (const [line, level] of levels(source)) if (lines.has(line)) lines.get(line)?.unshift(`level ${level}`);
  return lines;
}

function inertTokens(source: Source): ReadonlySet<Token> {
  const types = typeMarks(source);
  const imports = importMarks(source);
  const inert = new Set(source.code.filter((_, index) => types[index] === 1 || imports[index] === 1));
  if (source.language !== "python") return inert;
  for (const line of logicalLines(source)) {
    const [first] = line;
    if (first !== undefined && line.length === 1 && isDocstring(source, first)) inert.add(first);
  }
  return inert;
}

/** Formatters add and remove semicolons at line ends and commas before brackets. */
function isFormatting(source: Source, index: number): boolean {
  const [token, next] = [source.code[index], source.code[index + 1]];
  if (source.language === "shell" || token === undefined) return false;
  return token.text === ";" || (token.text === "," && next?.kind === "close");
}

/** `'a'` and `"a"` are the same string. */
function unquoted(text: string): string {
  return /^'[^'"\\]*'$/.test(text) ? `"${text.slice(1, -1)}"` : text;
}

/** Where line breaks or indentation matter: the level of each statement, by its first line. */
function levels(source: Source): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (source.language === "shell") {
    for (const line of logicalLines(source)) if (line[0] !== undefined) found.set(line[0].line, 0);
  }
  if (source.language !== "python") return found;
  const open: number[] = [];
  for (const [first] of logicalLines(source)) {
    if (first === undefined) continue;
    const indent = first.from - (source.text.lastIndexOf("\n", first.from - 1) + 1);
    while ((open.at(-1) ?? -1) >= indent) open.pop();
    open.push(indent);
    found.set(first.line, open.length);
  }
  return found;
}
