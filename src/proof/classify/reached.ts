// Rule 8: product without a root, found by its users.
import type { Base } from "./base.ts";
import type { ProductRoot } from "./kinds.ts";
import { isPython } from "./names/code.ts";
import { isShowFolder, isToolFolder } from "./names/folders.ts";
import { builtByMake } from "./packages/make.ts";
import type { Package } from "./packages/packages.ts";
import type { Root } from "./packages/roots.ts";
import { folderOf, foldersOf, seenFrom } from "./paths.ts";

/** Roots of packages that have no folder for their main code. */
export function reachedRoots(roots: readonly Root[], base: Base): readonly ProductRoot[] {
  const tests = base.tree.paths.filter((path) => base.isTest(path));
  return base.packages
    .filter((pack) => !hasMain(pack, roots, base))
    .flatMap((pack) => rootsOfPackage(pack, tests, roots, base));
}

/** A root for main code counts only where it holds code. */
function hasMain(pack: Package, roots: readonly Root[], base: Base): boolean {
  const main = roots.filter((root) => root.isMain && root.package === pack.folder);
  return base.tree.paths.some(
    (path) =>
      main.some((root) => path.startsWith(root.path === "" ? "" : `${root.path}/`)) &&
      base.isCode(path) &&
      !base.isTest(path),
  );
}

type Found = { readonly path: string; readonly reason: string };

function rootsOfPackage(
  pack: Package,
  tests: readonly string[],
  roots: readonly Root[],
  base: Base,
): readonly ProductRoot[] {
  const found = candidates(pack, tests, base);
  const inTools = ({ path }: Found): boolean =>
    foldersOf(seenFrom(pack.folder, path)).some((part) => isToolFolder(part) || isShowFolder(part));
  const proper = found.filter((each) => !inTools(each));
  const files = roots.filter((root) => root.package === pack.folder && root.holds === "file");
  // A script in a folder of tools is product only where there is nothing else to test.
  const taken = proper.length > 0 || files.length > 0 ? proper : found;
  const own = taken.map((each) => rootFor(each, pack));
  const folders = new Set([...own, ...files].filter(({ holds }) => holds === "file").map(({ path }) => folderOf(path)));
  const around = [...folders].map((path) => ({
    path,
    holds: "new-code" as const,
    package: pack.folder,
    reason: "new code in a folder of product",
  }));
  return [...own, ...around];
}

/** Code of the package that uses no test library, and that tests import or run, or that is built. */
function candidates(pack: Package, tests: readonly string[], base: Base): readonly Found[] {
  const isOwn = (path: string): boolean =>
    base.packageOf(path).folder === pack.folder &&
    base.named(path).is === "unnamed" &&
    base.isCode(path) &&
    base.libraryUse(path) !== "runner";
  const all: readonly Found[] = [
    ...tests.flatMap((test) => base.graph.imports(test).map((path) => ({ path, reason: "code that tests import" }))),
    ...tests.flatMap((test) => base.graph.mentions(test).map((path) => ({ path, reason: "a program that tests run" }))),
    ...builtByMake(pack.folder, base.tree).map((path) => ({ path, reason: "built by the makefile" })),
  ];
  const known = new Set<string>();
  return all.filter(({ path }) => !known.has(path) && known.add(path) && isOwn(path));
}

/** In Python a module in a folder makes the whole folder product: its modules are one program. */
function rootFor({ path, reason }: Found, pack: Package): ProductRoot {
  const [top, ...rest] = seenFrom(pack.folder, path).split("/");
  if (!isPython(path) || top === undefined || rest.length === 0)
    return { path, holds: "file", package: pack.folder, reason };
  const folder = pack.folder === "" ? top : `${pack.folder}/${top}`;
  return { path: folder, holds: "everything", package: pack.folder, reason: "a Python folder that tests import from" };
}
