// Module specifiers of JavaScript: imports, require, and the calls that mock a module.
import { posix } from "node:path";
import type { Edit } from "../edit.ts";
import { type Source, textAt } from "../lex/source.ts";
import type { Move } from "./moves.ts";
import type { Repointing } from "./repointing.ts";

const calls = new Set(
  "require import resolve mock unmock doMock dontMock importActual importMock requireActual requireMock setMock module createMockFromModule URL".split(
    " ",
  ),
);
const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte"];
const compiled: readonly (readonly [string, string])[] = [
  [".js", ".ts"],
  [".js", ".tsx"],
  [".jsx", ".tsx"],
  [".mjs", ".mts"],
  [".cjs", ".cts"],
];

/** Ways to write a file in a specifier: as it is, without extension, by its compiled name, or by its folder. */
type Style = "whole" | "bare" | "compiled" | "folder";
type Meant = { readonly path: string; readonly style: Style };

export function javascriptSpecifiers({ source, moved, exists }: Repointing): readonly Edit[] {
  return source.code.flatMap((token, index) => {
    if (token.kind !== "string" || !isSpecifier(source, index)) return [];
    const [, specifier = "", query = ""] = /^([^?]*)(\?.*)?$/s.exec(token.text.slice(1, -1)) ?? [];
    const text = newSpecifier(posix.dirname(source.path), specifier, moved, exists);
    return text === null ? [] : [{ from: token.from + 1, to: token.to - 1, text: text + query }];
  });
}

function isSpecifier(source: Source, index: number): boolean {
  const before = textAt(source, index - 1);
  return before === "from" || before === "import" || (before === "(" && calls.has(textAt(source, index - 2)));
}

function newSpecifier(
  folder: string,
  specifier: string,
  moved: readonly Move[],
  exists: (path: string) => boolean,
): string | null {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return newAlias(specifier, moved);
  const meant = meanings(posix.normalize(posix.join(folder, specifier)).replace(/\/$/, ""));
  if (meant.some(({ path, style }) => (style !== "whole" || posix.extname(path) !== "") && exists(path))) return null;
  for (const { path, style } of meant) {
    const move = moved.find(({ from }) => from === path);
    if (move !== undefined) return relative(folder, written(move.to, style));
  }
  return null;
}

/** The files that a path may refer to, in the order of lookup; its extension may be missing or another one. */
function meanings(path: string): readonly Meant[] {
  const extension = posix.extname(path);
  const sources = compiled.filter(([js]) => js === extension).map(([, ts]) => path.slice(0, -extension.length) + ts);
  return [
    { path, style: "whole" as const },
    ...sources.map((source) => ({ path: source, style: "compiled" as const })),
    ...extensions.map((added) => ({ path: path + added, style: "bare" as const })),
    ...extensions.map((added) => ({ path: posix.join(path, `index${added}`), style: "folder" as const })),
  ];
}

function written(path: string, style: Style): string {
  const extension = posix.extname(path);
  const bare = path.slice(0, path.length - extension.length);
  switch (style) {
    case "whole":
      return path;
    case "bare":
      return bare;
    case "compiled":
      return bare + (compiled.find(([, ts]) => ts === extension)?.[0] ?? extension);
    case "folder":
      return posix.basename(bare) === "index" ? posix.dirname(bare) : bare;
  }
}

function relative(folder: string, path: string): string {
  const found = posix.relative(folder, path);
  return found === "" ? "." : found.startsWith(".") ? found : `./${found}`;
}

/** `@/cart/total`: the old path ends with the part after the alias, and the new path has the same beginning. */
function newAlias(specifier: string, moved: readonly Move[]): string | null {
  const [, alias = "", rest = ""] = /^([@~#]?[\w-]*\/)(.+)$/.exec(specifier) ?? [];
  const isAlias = /^[@~#]/.test(alias) || rest.includes("/");
  if (rest === "" || !isAlias) return null;
  for (const move of moved) {
    for (const style of ["whole", "compiled", "bare", "folder"] as const) {
      const [from, to] = [written(move.from, style), written(move.to, style)];
      const root = from.endsWith(`/${rest}`) ? from.slice(0, -rest.length) : null;
      if (root !== null && to.startsWith(root)) return alias + to.slice(root.length);
    }
  }
  return null;
}
