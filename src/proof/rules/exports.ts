// Exported names that now refer to something else: every user of the old name gets the new thing.
import { posix } from "node:path";
import type { Case } from "../case.ts";
import type { LoadedTree } from "../trees.ts";

/** One question for all files; null: each old name still means the same, or is gone. */
export function reexportQuestion({ sides }: Pick<Case, "sides">): string | null {
  const { base, candidate, changes } = sides;
  const product = changes.filter(({ side, kind }) => side === "product" && kind === "modified");
  const found = product.flatMap(({ path }) => {
    const now = passedOn(path, candidate.text(path) ?? "");
    return [...passedOn(path, base.text(path) ?? "")]
      .filter(([name, original]) => now.has(name) && now.get(name) !== original)
      .map(([name, original]) => `${name} of ${path} was ${original}, and is ${now.get(name)}`);
  });
  const all = [...found, ...product.flatMap(({ path }) => fromElsewhere(sides, path))];
  return all.length === 0 ? null : `Old names stand for something else now: ${all.slice(0, 4).join("; ")}.`;
}

/** The name now comes from another module although the original module still defines it: a copy replaced it. */
function fromElsewhere({ base, candidate, moved }: Case["sides"], path: string): string[] {
  const now = sourcesIn(path, candidate);
  return [...sourcesIn(path, base)].flatMap(([name, source]) => {
    const expected = moved.find((move) => move.from === source)?.to ?? source;
    const actual = now.get(name);
    if (actual === undefined || actual === expected || !defines(candidate, expected, name)) return [];
    return [`${name} in ${path} comes from ${actual}, and ${expected} still has it`];
  });
}

const defines = (tree: LoadedTree, path: string, name: string): boolean =>
  new RegExp(`\\b(?:function\\*?|const|let|var|class|def)\\s+${name}\\b|\\bexports\\.${name}\\s*=`).test(
    tree.text(path) ?? "",
  );

const imports =
  /\b(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"'\n]+)["']|\b(?:const|let|var)\s*\{([^}]*)\}\s*=\s*require\(\s*["']([^"'\n]+)["']\s*\)/g;
const pythonImports = /^from\s+(\.*[\w.]*)\s+import\s+\(?([^)\n]*)\)?/gm;

/** Maps each imported name, as its module calls it, to the file of the tree that it comes from. */
function sourcesIn(path: string, tree: LoadedTree): ReadonlyMap<string, string> {
  const text = tree.text(path) ?? "";
  const found: [string, string][] = [];
  const add = (list: string, file: string | null): void => {
    if (file === null) return;
    for (const entry of list.split(",")) {
      const [name = ""] = entry.trim().split(/\s+as\s+|\s*:\s*/);
      if (/^\w+$/.test(name)) found.push([name, file]);
    }
  };
  if (/\.[cm]?[jt]sx?$/.test(path))
    for (const [, esm, from, common, required] of text.matchAll(imports))
      add(esm ?? common ?? "", resolved(tree, path, from ?? required ?? ""));
  if (path.endsWith(".py"))
    for (const [, module = "", list = ""] of text.matchAll(pythonImports)) add(list, pythonFile(tree, path, module));
  return new Map(found);
}

function resolved(tree: LoadedTree, from: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  const at = posix.join(posix.dirname(from), specifier);
  const bare = at.replace(/\.[cm]?js$/, "");
  const tried = [
    at,
    ...["js", "ts", "mjs", "cjs", "mts", "tsx", "jsx"].flatMap((end) => [`${bare}.${end}`, `${at}/index.${end}`]),
  ];
  return tried.find((path) => tree.has(path)) ?? null;
}

function pythonFile(tree: LoadedTree, from: string, module: string): string | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const name = module.slice(dots).replaceAll(".", "/");
  const folder = from.split("/").slice(0, -Math.max(1, dots)).join("/");
  const roots = dots > 0 ? [folder] : ["", "src"];
  const tried = roots.flatMap((root) => [posix.join(root, `${name}.py`), posix.join(root, name, "__init__.py")]);
  return tried.find((path) => tree.has(path)) ?? null;
}

const javascript = /\bexport\s*\{([^}]*)\}/g;
const python = /^from\s+[\w.]+\s+import\s+\(?([^)\n]*)\)?/gm;

/** What each exported name refers to in its own file. */
function passedOn(path: string, text: string): ReadonlyMap<string, string> {
  const lists = /\.[cm]?[jt]sx?$/.test(path)
    ? text.matchAll(javascript)
    : path.endsWith("__init__.py")
      ? text.matchAll(python)
      : [];
  const pairs = [...lists].flatMap(([, list = ""]) =>
    list.split(",").flatMap((entry): [string, string][] => {
      const [original = "", name = original] = entry.trim().split(/\s+as\s+/);
      return original === "" ? [] : [[name.trim(), original.trim()]];
    }),
  );
  return new Map(pairs);
}
