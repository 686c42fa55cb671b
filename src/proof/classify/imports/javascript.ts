// What a JavaScript or TypeScript file imports, resolved as Node, bundlers and tsc would, as far as the tree shows it.
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";
import { aliasesFor } from "./ts-paths.ts";
import { workspacePackages } from "./workspaces.ts";

const importing =
  /\b(?:from|import|require|require\.resolve|mock|doMock|unmock|importActual|requireActual|register)\s{0,40}\(?\s{0,40}["'`]([^"'`\n]{1,300})["'`]|\bnew\s+URL\(\s*["'`](\.[^"'`\n]{1,300})["'`]/g;

/** Every module that the text names, relative or not. */
export function specifiersIn(text: string): readonly string[] {
  const names = Array.from(text.matchAll(importing), (match) => match[1] ?? match[2] ?? "");
  return [...new Set(names)].filter((name) => !name.includes("${"));
}

export function javascriptImports(path: string, text: string, tree: Tree): readonly string[] {
  return specifiersIn(text).flatMap((specifier) => resolved(path, specifier, tree) ?? []);
}

/** The file that a module's name means. */
export function resolved(path: string, specifier: string, tree: Tree): string | null {
  const plain = specifier.replace(/(?<=.)[?#].*$/, "");
  if (/^\.{1,2}(?:\/|$)/.test(plain)) return fileAt(joined(folderOf(path), plain), tree);
  if (plain.startsWith("/")) return fileAt(plain.slice(1), tree) ?? fileAt(`public${plain}`, tree);
  const places = [...aliasesFor(path, plain, tree), ...workspacePackages(plain, tree)];
  for (const place of places) {
    const found = fileAt(place, tree);
    if (found !== null) return found;
  }
  return null;
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".d.ts"];

/** The file that a module path means: as written, with an extension, its TypeScript source, or a folder's index. */
export function fileAt(path: string | null, tree: Tree): string | null {
  if (path === null) return null;
  const source = /\.([cm]?)js(x?)$/.exec(path);
  const stem = source === null ? null : path.slice(0, source.index);
  const candidates = [
    path,
    ...(stem === null ? [] : [`${stem}.${source?.[1] ?? ""}ts${source?.[2] ?? ""}`, `${stem}.tsx`]),
    ...extensions.map((extension) => `${path}${extension}`),
    ...extensions.map((extension) => (path === "" ? `index${extension}` : `${path}/index${extension}`)),
  ];
  return candidates.find((candidate) => tree.has(candidate)) ?? null;
}
