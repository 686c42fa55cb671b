// Module paths of Rust: `crate::a::b`, `my_crate::a::b`, also in the braces of a `use`.
import type { Edit } from "../edit.ts";
import { partsIn, type Source, textAt } from "../lex/source.ts";
import type { Repointing } from "./repointing.ts";

type Module = { readonly from: readonly string[]; readonly to: readonly string[] };

export function rustPaths({ source, moved }: Repointing): readonly Edit[] {
  const modules = moved.flatMap(({ from, to }) => {
    const [old, now] = [modulePath(from), modulePath(to)];
    return old === null || now === null || old.length === 0 || now.length === 0 ? [] : [{ from: old, to: now }];
  });
  return source.code.flatMap((_, index) => {
    if (!startsPath(source, index)) return [];
    if (textAt(source, index + 2) === "{")
      return partsIn(source, index + 2).flatMap(({ from }) => renamed(source, from, modules));
    return renamed(source, index + 2, modules);
  });
}

/** The modules that lead to a file from the root of its crate. */
function modulePath(path: string): readonly string[] | null {
  const inside = /(?:^|\/)src\/(.+)\.rs$/.exec(path)?.[1];
  if (inside === undefined) return null;
  const parts = inside.split("/");
  return /^(?:mod|lib|main)$/.test(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts;
}

const notCrates = new Set(["std", "core", "alloc", "self", "super", "Self"]);

/** The name of a crate, with a path after it and none before. */
function startsPath(source: Source, index: number): boolean {
  const token = source.code[index];
  if (token?.kind !== "word" || textAt(source, index + 1) !== "::" || notCrates.has(token.text)) return false;
  return textAt(source, index - 1) !== "::" && /^[a-z_]/.test(token.text);
}

function renamed(source: Source, start: number, modules: readonly Module[]): readonly Edit[] {
  for (const { from, to } of modules) {
    const chain = source.code.slice(start, start + 2 * from.length - 1);
    if (chain.map((token) => token.text).join("") !== from.join("::")) continue;
    const [first, last] = [chain[0], chain.at(-1)];
    if (first === undefined || last === undefined) continue;
    // Where a `use` ends with the module, its old name stays in use.
    const next = textAt(source, start + chain.length);
    const alias = /^[;,}]$/.test(next) && from.at(-1) !== to.at(-1) && inUse(source, start) ? ` as ${from.at(-1)}` : "";
    return [{ from: first.from, to: last.to, text: to.join("::") + alias }];
  }
  return [];
}

function inUse(source: Source, index: number): boolean {
  for (let at = index; at >= 0 && index - at < 60; at--) {
    if (textAt(source, at) === "use") return true;
    if (textAt(source, at) === ";") return false;
  }
  return false;
}
