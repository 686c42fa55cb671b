// Which lexer reads a file: by its extension, or by the first line of a script without one.
import { posix } from "node:path";
import { viewBytesMax } from "../view.ts";

export type Language = "javascript" | "python" | "rust" | "go" | "shell" | "c-like";

const byExtension: Readonly<Record<string, Language>> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "javascript",
  mts: "javascript",
  cts: "javascript",
  tsx: "javascript",
  py: "python",
  pyi: "python",
  rs: "rust",
  go: "go",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  ksh: "shell",
  bats: "shell",
  java: "c-like",
  kt: "c-like",
  kts: "c-like",
  c: "c-like",
  h: "c-like",
  cc: "c-like",
  cpp: "c-like",
  cxx: "c-like",
  hh: "c-like",
  hpp: "c-like",
  cs: "c-like",
  php: "c-like",
  swift: "c-like",
  scala: "c-like",
};

const byProgram: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:node|nodejs|deno|bun|tsx|ts-node)\b/, "javascript"],
  [/\bpython[\d.]*\b/, "python"],
  [/\b(?:sh|bash|zsh|ksh|dash|ash|bats)\b/, "shell"],
  [/\bphp\b/, "c-like"],
];

/** The part of a file name after its last dot, in lower case; empty for `.profile` and `run`. */
export function extensionOf(path: string): string {
  return posix.extname(path).slice(1).toLowerCase();
}

/** Null: a data file, a document, or a language without a lexer here. */
export function languageOf(path: string, firstLine = ""): Language | null {
  const extension = extensionOf(path);
  if (extension !== "") return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
  if (!firstLine.startsWith("#!")) return null;
  return byProgram.find(([program]) => program.test(firstLine))?.[1] ?? null;
}

/** The language of a text, unless it is too large to read. */
export function languageOfText(path: string, text: string): Language | null {
  if (text.length > viewBytesMax) return null;
  return languageOf(path, text.slice(0, 200).split("\n", 1)[0]);
}

const typed = new Set(["ts", "mts", "cts", "tsx"]);

/** TypeScript has types, which no test run can notice. */
export function isTyped(path: string): boolean {
  return typed.has(extensionOf(path));
}
