// Rule 7: the product roots of each package, relative to its manifest.
import type { Base } from "../base.ts";
import type { ProductRoot } from "../kinds.ts";
import { isGo } from "../names/code.ts";
import { documentReason } from "../names/documents.ts";
import { isEntryName, isOutputFolder, isShowFolder, isToolFolder, usualRoot } from "../names/folders.ts";
import { isTestFolder } from "../names/tests.ts";
import { folderOf, isBelow, joined, nameOf, stemOf } from "../paths.ts";
import { frameworkFolders } from "./frameworks.ts";
import { namedBy } from "./named.ts";
import { isInShow, type Package } from "./packages.ts";

/** main: the program's own code may be here, so code elsewhere in the package is not product for lack of a root. */
export type Root = ProductRoot & { readonly isMain: boolean };

export function rootsOf(base: Base): readonly Root[] {
  const all = base.packages.flatMap((pack) => rootsIn(pack, base));
  return all.filter(
    (root, at) => all.findIndex((other) => other.path === root.path && other.holds === root.holds) === at,
  );
}

function rootsIn(pack: Package, base: Base): readonly Root[] {
  return [...named(pack, base), ...goModule(pack, base), ...folders(pack, base), ...entries(pack, base)];
}

function named(pack: Package, base: Base): readonly Root[] {
  const places = namedBy(pack, base.tree).filter(({ path, is }) => is === "folder" || isOpen(path, base));
  return places.map(({ path, is, by }) => ({
    path,
    holds: is === "file" ? "file" : "everything",
    package: base.packageOf(is === "file" ? path : `${path}/`).folder,
    reason: `${is === "file" ? "an entry" : "a product folder"} of ${by}`,
    isMain: is === "folder" && usualRoot(nameOf(path)) !== "side" && !isOutputFolder(nameOf(path)),
  }));
}

/** `files` also lists the licence. */
const isOpen = (path: string, base: Base): boolean =>
  base.named(path).is === "unnamed" && documentReason(path, base.packageOf(path).folder) === null;

/** A module, or Go code from before there were modules. */
function goModule(pack: Package, { tree }: Base): readonly Root[] {
  const isModule = pack.manifests.some((path) => nameOf(path) === "go.mod");
  if (!isModule && !tree.filesIn(pack.folder).some(isGo)) return [];
  return [{ path: pack.folder, holds: "go", package: pack.folder, reason: "in a Go module", isMain: true }];
}

function folders(pack: Package, base: Base): readonly Root[] {
  const framework = frameworkFolders(pack, base);
  return base.tree.foldersIn(pack.folder).flatMap((folder) => {
    const usual = usualRoot(nameOf(folder));
    const known = framework.get(folder);
    if (usual === null && known === undefined && !isPythonPackage(folder, base)) return [];
    const reason = known ?? (usual === null ? "a Python package with tests" : "a product folder");
    const main = { holds: "everything", package: pack.folder, reason, isMain: usual !== "side" } as const;
    return productIn(folder, base).map((path) => ({ ...main, path }));
  });
}

/** Maven and Gradle keep product in `src/main`, next to tests and settings of tools. */
function productIn(folder: string, { tree }: Base): readonly string[] {
  const isMain = (path: string): boolean =>
    /^(?:main|\w+Main)$/.test(nameOf(path)) &&
    ["java", "kotlin", "scala", "groovy", "resources"].some((name) => tree.hasFolder(`${path}/${name}`));
  const main = nameOf(folder) === "src" ? tree.foldersIn(folder).filter(isMain) : [];
  return main.length > 0 ? main : [folder];
}

/** A folder with `__init__.py` that tests import from, or that has tests inside. */
function isPythonPackage(folder: string, base: Base): boolean {
  const name = nameOf(folder);
  if (!base.tree.has(`${folder}/__init__.py`) || isTestFolder(name) || isToolFolder(name) || isShowFolder(name))
    return false;
  const inside = base.tree.paths.filter((path) => isBelow(folder, path));
  return inside.some((path) => base.isTest(path) || base.graph.importers(path).some((from) => base.isTest(from)));
}

/** Where programs begin, at the top of their package: `index.js`, `main.py`, `index.html`. */
function entries(pack: Package, base: Base): readonly Root[] {
  if (isInShow(pack.folder) && pack.manifests.length === 0) return [];
  const files = base.tree.filesIn(pack.folder).filter((path) => isEntry(path, base));
  return files.map((path) => ({
    path,
    holds: "file",
    package: pack.folder,
    reason: "an entry, by its name",
    isMain: false,
  }));
}

const isEntry = (path: string, base: Base): boolean =>
  (isEntryName(stemOf(path)) && base.isCode(path) && base.libraryUse(path) !== "runner") || /\.html?$/i.test(path);

/**
 * The root that a path is under, if any: one of its own package. A package without a root that lies inside a root of
 * the package around it belongs to that root.
 */
export function rootFinder(
  roots: readonly ProductRoot[],
  base: Base,
): (path: string, isNew: boolean) => ProductRoot | null {
  const byPackage = new Map<string, ProductRoot[]>();
  for (const root of roots) byPackage.set(root.package, [...(byPackage.get(root.package) ?? []), root]);
  const find = (owner: string, path: string, isNew: boolean): ProductRoot | null => {
    const own = byPackage.get(owner) ?? [];
    const found = own.find((root) => covers(root, path, isNew, base));
    if (found !== undefined || own.length > 0 || owner === "") return found ?? null;
    const outer = find(base.packageOf(owner).folder, path, isNew);
    return outer?.holds === "everything" && isBelow(outer.path, owner) ? outer : null;
  };
  return (path, isNew) => find(base.packageOf(path).folder, path, isNew);
}

function covers(root: ProductRoot, path: string, isNew: boolean, { tree, isCode }: Base): boolean {
  switch (root.holds) {
    case "file":
      return path === root.path;
    case "everything":
      return isBelow(root.path, path);
    case "new-code":
      return isNew && folderOf(path) === root.path && isCode(path);
    case "go":
      return isGo(path)
        ? !/(?:^|\/)vendor\//.test(path)
        : !isCode(path) && isGoData(path, root.path, tree.filesIn(folderOf(path)));
  }
}

/** Data in a folder of Go code, which Go can embed; the top of the module also holds everything else. */
const isGoData = (path: string, module: string, near: readonly string[]): boolean =>
  folderOf(path) !== module &&
  joined(module, ".") !== null &&
  near.some((file) => isGo(file) && !file.endsWith("_test.go"));
