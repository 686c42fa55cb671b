// Rules 6 to 8 together: which files of the base are product, by their place and by their users.
import { type Body, bodies } from "../source/index.ts";
import type { Base } from "./base.ts";
import type { ProductRoot } from "./kinds.ts";
import { isToolFolder } from "./names/folders.ts";
import { rootFinder, rootsOf } from "./packages/roots.ts";
import { folderOf, foldersOf, stemOf } from "./paths.ts";
import { reachedRoots } from "./reached.ts";

export type Product = {
  readonly roots: readonly ProductRoot[];
  rootOf(path: string, isNew: boolean): ProductRoot | null;
  /** Maps a path to the file that uses it; null: it is under a root. */
  readonly files: ReadonlyMap<string, string | null>;
  /** Rule 6: in a product folder, but made for tests. */
  readonly helpers: ReadonlySet<string>;
};

export function productOf(base: Base): Product {
  const own = rootsOf(base);
  const roots = [...own, ...reachedRoots(own, base)];
  const rootOf = rootFinder(roots, base);
  const rooted = base.tree.paths.filter((path) => base.named(path).is === "unnamed" && rootOf(path, false) !== null);
  const settled = base.tree.paths.filter((path) => base.named(path).is === "product");
  const helpers = new Set<string>();
  // Without a helper, fewer files are product, so files that only the helper used become helpers too.
  for (;;) {
    const files = reach(
      [...settled, ...rooted].filter((path) => !helpers.has(path)),
      helpers,
      rootOf,
      base,
    );
    const found = [...files.keys()].filter(
      (path) => base.named(path).is !== "product" && isHelper(path, files, roots, base),
    );
    if (found.length === 0) return { roots, rootOf, files, helpers };
    for (const path of found) helpers.add(path);
  }
}

/** What the files import, and what that imports. */
function reach(
  from: readonly string[],
  helpers: ReadonlySet<string>,
  rootOf: Product["rootOf"],
  base: Base,
): ReadonlyMap<string, string | null> {
  const files = new Map<string, string | null>(from.map((path) => [path, null]));
  for (const [path] of files)
    for (const to of base.graph.imports(path))
      if (!files.has(to) && !helpers.has(to) && mayJoin(path, to, rootOf, base)) files.set(to, path);
  return files;
}

/**
 * Whether being imported makes a file product. A name that is only likely a test's does not rule out code in a product
 * folder; a shell script that names a tool does not make it product.
 */
function mayJoin(from: string, to: string, rootOf: Product["rootOf"], base: Base): boolean {
  const named = base.named(to);
  if (named.is === "unnamed") return !(isShell(from, base) && foldersOf(to).some(isToolFolder));
  const isLikely = (named.is === "test" || named.is === "configuration") && named.how === "likely";
  return isLikely && rootOf(to, false) !== null && base.libraryUse(to) === "none";
}

const isShell = (path: string, { tree }: Base): boolean =>
  /\.(?:sh|bash|zsh)$/.test(path) || /^#!.*sh\b/.test(tree.text(path)?.slice(0, 80) ?? "");

/**
 * Only judge files import it, and it imports a test or assertion library or holds nothing but data. The first alone
 * says nothing: it holds for the main file of every library. An assertion library says little where the package shows
 * no other entry, unless every function asserts something.
 */
function isHelper(
  path: string,
  files: ReadonlyMap<string, unknown>,
  roots: readonly ProductRoot[],
  base: Base,
): boolean {
  if (base.graph.testModules.has(path)) return true;
  if (roots.some((root) => root.holds === "file" && root.path === path)) return false;
  const importers = base.graph.importers(path);
  if (importers.some((from) => files.has(from))) return false;
  const use = base.libraryUse(path);
  if (use === "runner") return true;
  if (!base.isCode(path)) return base.isNamedByTestsAlone(path, (other) => files.has(other));
  if (importers.length === 0 || isEntryStem(path)) return false;
  const functions = bodies(path, base.tree.text(path) ?? "");
  // Cases and expected values that only tests load, in any folder; unless they are all the code that there is.
  if (functions.length === 0)
    return importers.every((from) => base.isTest(from)) && isDataModule(path, base) && hasOtherCode(path, files, base);
  return (
    use === "assertion" && (hasOtherEntry(path, files, base) || functions.every((one) => asserts(path, one, base)))
  );
}

/** Defines values, and does nothing when it is loaded. */
function isDataModule(path: string, { tree }: Base): boolean {
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path)) return false;
  const code = (tree.text(path) ?? "").replace(
    /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/.*|#.*/g,
    "0",
  );
  return /=|\bexport\b/.test(code) && !/[\w\])]\s*\(|=>|\b(?:class|new|await|return|if|for|while)\b/.test(code);
}

/** A package that has constants and nothing else so far: they are its product. */
function hasOtherCode(path: string, files: ReadonlyMap<string, unknown>, base: Base): boolean {
  const { folder } = base.packageOf(path);
  return [...files.keys()].some(
    (other) =>
      other !== path && base.isCode(other) && base.packageOf(other).folder === folder && !isDataModule(other, base),
  );
}

const asserts = (path: string, { from, to }: Body, { tree }: Base): boolean =>
  /\b(?:assert|expect|AssertionError)\b/.test(tree.text(path)?.slice(from, to) ?? "");

const isEntryStem = (path: string): boolean => /^(?:index|main|lib|mod|__init__|app|server|cli)$/.test(stemOf(path));

function hasOtherEntry(path: string, files: ReadonlyMap<string, unknown>, base: Base): boolean {
  const { folder } = base.packageOf(path);
  const isTop = (other: string): boolean => folderOf(other) === folder || folderOf(folderOf(other)) === folder;
  return [...files.keys()].some(
    (other) => other !== path && isEntryStem(other) && base.packageOf(other).folder === folder && isTop(other),
  );
}
