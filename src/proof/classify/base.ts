// Everything that the rules need to know about the base, gathered once.
import { posix } from "node:path";
import { declaredTests } from "./declared-tests.ts";
import { type Graph, graphOf } from "./graph.ts";
import type { Settings } from "./kinds.ts";
import { type LibraryUse, libraryUse } from "./libraries.ts";
import { languageOf } from "./names/code.ts";
import { type NameClass, type Names, namesFor } from "./names/index.ts";
import { nearest, type Package, type PackageOf, packagesOf } from "./packages/packages.ts";
import { shippedWith } from "./packages/required.ts";
import type { Tree } from "./tree.ts";

const { basename, dirname } = posix;

export type Base = {
  readonly tree: Tree;
  readonly settings: Settings;
  readonly packages: readonly Package[];
  readonly packageOf: PackageOf;
  readonly graph: Graph;
  readonly names: Names;
  /** Like `names`, for files of the base; cached. */
  named(path: string): NameClass;
  isTest(path: string): boolean;
  isCode(path: string): boolean;
  /** A data file that tests name and no product file does, neither itself nor its folder. */
  isNamedByTestsAlone(path: string, isProduct: (path: string) => boolean): boolean;
  /** A document that tests name, or that the runner takes examples from. */
  isReadByTests(path: string): boolean;
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
  let words: ReadonlyMap<string, readonly string[]> | null = null;
  const wordsNow = (): ReadonlyMap<string, readonly string[]> => {
    words ??= wordsOf(tree, (other) => languageOf(other, null) !== null || isTest(other));
    return words;
  };
  let runsExamples: boolean | null = null;
  const isExampleRun = (): boolean => {
    runsExamples ??= tree.paths.some(
      (path) => ["configuration", "manifest", "test"].includes(named(path).is) && /doctest/.test(tree.text(path) ?? ""),
    );
    return runsExamples;
  };
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
    isNamedByTestsAlone: (path, isProduct) => {
      if (!data.test(path) || !isTextKnown(tree, path)) return false;
      const [name, folder] = [basename(path), basename(dirname(path))];
      const naming = wordsNow().get(name) ?? [];
      if (!naming.some((other) => other !== path && isTest(other))) return false;
      const users = [...naming, ...(wordsNow().get(folder) ?? [])];
      return !users.some((other) => other !== path && isProduct(other));
    },
    isReadByTests: (path) => {
      if ((wordsNow().get(basename(path)) ?? []).some((other) => other !== path && isTest(other))) return true;
      return /\.(?:md|rst|txt)$/i.test(path) && />>> /.test(tree.text(path) ?? "") && isExampleRun();
    },
    libraryUse: (path) => {
      const use = uses.get(path) ?? libraryUse(path, tree.text(path), shipped(path));
      uses.set(path, use);
      return use;
    },
    libraryUseOfNew: (path, text) => libraryUse(path, text, shipped(path)),
  };
}

/** Data that tests compare with or feed in. Anything else that is not code may be shipped. */
const data = /\.(?:json|jsonl|csv|tsv|txt|ya?ml|xml|html?|svg|snap|golden|expected|out|sql)$/i;
const isTextKnown = (tree: Tree, path: string): boolean => tree.text(path) !== null;

/** Which code files contain a word; a path counts by its parts. */
function wordsOf(tree: Tree, isWanted: (path: string) => boolean): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of tree.paths.filter(isWanted))
    for (const word of new Set(tree.text(path)?.match(/[\w.-]{2,80}/g) ?? [])) {
      const known = found.get(word);
      if (known === undefined) found.set(word, [path]);
      else known.push(path);
    }
  return found;
}
