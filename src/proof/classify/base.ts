// Everything that the rules ask about the base, gathered once.
import { declaredTests } from "./declared-tests.ts";
import { type Graph, graphOf } from "./graph.ts";
import type { Settings } from "./kinds.ts";
import { type LibraryUse, libraryUse } from "./libraries.ts";
import { languageOf } from "./names/code.ts";
import { type NameClass, type Names, namesFor } from "./names/index.ts";
import { nearest, type Package, type PackageOf, packagesOf } from "./packages/packages.ts";
import { shippedWith } from "./packages/required.ts";
import type { Tree } from "./tree.ts";

export type Base = {
  readonly tree: Tree;
  readonly settings: Settings;
  readonly packages: readonly Package[];
  readonly packageOf: PackageOf;
  readonly graph: Graph;
  readonly names: Names;
  /** As `names`, for files of the base, remembered. */
  named(path: string): NameClass;
  isTest(path: string): boolean;
  isCode(path: string): boolean;
  /** For a file of the base. */
  libraryUse(path: string): LibraryUse;
  /** For a file of a candidate, as the package of its path in the base would use the library. */
  libraryUseOfNew(path: string, text: string | null): LibraryUse;
};

export function baseOf(tree: Tree, settings: Settings): Base {
  const names = namesFor(tree, settings, declaredTests(tree));
  const known = new Map(tree.paths.map((path) => [path, names(path)]));
  const named = (path: string): NameClass => known.get(path) ?? names(path);
  const isTest = (path: string): boolean => ["test", "settings-test"].includes(named(path).is);
  const isOut = (path: string): boolean => ["cache", "ours"].includes(named(path).is);
  const packages = packagesOf(tree, (path) => isOut(path) || isTest(path));
  const packageOf = nearest(packages);
  const ships = new Map(packages.map((pack) => [pack.folder, shippedWith(pack, tree)]));
  const shipped = (path: string): ReadonlySet<string> => ships.get(packageOf(path).folder) ?? new Set();
  const uses = new Map<string, LibraryUse>();
  return {
    tree,
    settings,
    packages,
    packageOf,
    graph: graphOf(tree, isOut),
    names,
    named,
    isTest,
    isCode: (path) => languageOf(path, /\.[^/]*$/.test(path) ? null : tree.text(path)) !== null,
    libraryUse: (path) => {
      const use = uses.get(path) ?? libraryUse(path, tree.text(path), shipped(path));
      uses.set(path, use);
      return use;
    },
    libraryUseOfNew: (path, text) => libraryUse(path, text, shipped(path)),
  };
}
