// Which files are source code, and in which language.
import { nameOf } from "../paths.ts";

export type Language = "javascript" | "python" | "rust" | "go" | "shell" | "c" | "ruby" | "php" | "other";

const byExtension: readonly (readonly [Language, RegExp])[] = [
  ["javascript", /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i],
  ["python", /\.pyi?$/i],
  ["rust", /\.rs$/i],
  ["go", /\.go$/i],
  ["shell", /\.(?:sh|bash|zsh|ksh|bats)$/i],
  ["c", /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)$/i],
  ["ruby", /\.(?:rb|rake)$/i],
  ["php", /\.php$/i],
  [
    "other",
    /\.(?:java|kt|kts|scala|groovy|cs|fs|vb|swift|dart|exs?|erl|lua|pl|pm|hs|ml|mli|clj[cs]?|jl|r|zig|nim|sol|s)$/i,
  ],
];

const byInterpreter: readonly (readonly [Language, RegExp])[] = [
  ["shell", /\b(?:ba|z|k|da)?sh\b|\bbats\b/],
  ["javascript", /\b(?:node|deno|bun|tsx|ts-node)\b/],
  ["python", /\bpython[\d.]*\b/],
  ["ruby", /\bruby\b/],
  ["php", /\bphp\b/],
  ["other", /\b(?:perl|lua|Rscript)\b/],
];

/** Null: not source code. A program without an extension says in its first line what runs it. */
export function languageOf(path: string, text: string | null): Language | null {
  const named = byExtension.find(([, extension]) => extension.test(path));
  if (named !== undefined) return named[0];
  if (nameOf(path).includes(".") || text === null || !text.startsWith("#!")) return null;
  const line = text.slice(0, 200).split("\n", 1)[0] ?? "";
  return byInterpreter.find(([, interpreter]) => interpreter.test(line))?.[0] ?? null;
}

export const isGo = (path: string): boolean => path.endsWith(".go");
export const isPython = (path: string): boolean => /\.pyi?$/.test(path);
