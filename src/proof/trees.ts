// Trees of the store, loaded for pure code: every path, and the texts.
import { createHash } from "node:crypto";
import type { TreeId } from "../core/ids.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";
import { type Classification, classify, isLockfile, type Settings } from "./classify/index.ts";
import { type View, viewBytesMax } from "./view.ts";

export type LoadedTree = View & {
  readonly id: TreeId;
  has(path: string): boolean;
  /** Stands for the content of a lockfile, however large. Null: it is no lockfile. */
  lock(path: string): string | null;
};

const lockBytesMax = 256 << 20;

type Reader = Pick<Workspace, "list" | "readAll" | "changes">;

/** Images, archives, fonts and the like, which are not read. */
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|wav|mov|avi|webm|sqlite3?|db|bin|exe|dll|so|dylib|a|o|pyc)$/i;

export async function loadTree(workspace: Reader, id: TreeId): Promise<LoadedTree> {
  const paths = [...(await workspace.list(id))].sort();
  return treeOf(id, paths, await textsOf(workspace, id, paths), await locksOf(workspace, id, paths));
}

/**
 * The trees of one workspace. Bases and candidates differ in a few files, so each tree is loaded from the previous one,
 * and the base is classified once.
 */
export class KnownTrees {
  readonly #workspace: Reader;
  #last: LoadedTree | null = null;
  #classes: { readonly of: string; readonly classes: Classification } | null = null;

  constructor(workspace: Reader) {
    this.#workspace = workspace;
  }

  async load(id: TreeId): Promise<LoadedTree> {
    const before = this.#last;
    if (before?.id === id) return before;
    const tree =
      before === null
        ? await loadTree(this.#workspace, id)
        : await loadNext(this.#workspace, before, id, await this.#workspace.changes(before.id, id));
    this.#last = tree;
    return tree;
  }

  /** Assumes that `settings.ours` is always the same. */
  classify(tree: LoadedTree, settings: Settings): Classification {
    const of = JSON.stringify([tree.id, settings.product, settings.tests]);
    const known = this.#classes?.of === of ? this.#classes.classes : classify(tree, settings);
    this.#classes = { of, classes: known };
    return known;
  }
}

async function loadNext(
  workspace: Reader,
  before: LoadedTree,
  id: TreeId,
  changes: readonly Change[],
): Promise<LoadedTree> {
  const touched = new Set(changes.map(({ path }) => path));
  const present = changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const same = before.paths.filter((path) => !touched.has(path));
  const kept = same.flatMap((path): [string, string][] => {
    const text = before.text(path);
    return text === null ? [] : [[path, text]];
  });
  const texts = new Map([...kept, ...(await textsOf(workspace, id, present))]);
  const keptLocks = same.filter(isLockfile).map((path): [string, string] => [path, before.lock(path) ?? ""]);
  const locks = new Map([...keptLocks, ...(await locksOf(workspace, id, present))]);
  return treeOf(id, [...same, ...present].sort(), texts, locks);
}

/** They may be larger than what is looked into, or binary. */
async function locksOf(workspace: Reader, id: TreeId, paths: readonly string[]): Promise<Map<string, string>> {
  const files = await workspace.readAll(id, paths.filter(isLockfile), lockBytesMax);
  return new Map([...files].map(([path, bytes]) => [path, createHash("sha256").update(bytes).digest("hex")]));
}

async function textsOf(workspace: Reader, id: TreeId, paths: readonly string[]): Promise<Map<string, string>> {
  const wanted = paths.filter((path) => !binary.test(path));
  const files = await workspace.readAll(id, wanted, viewBytesMax);
  return new Map(
    [...files]
      .filter(([, bytes]) => !bytes.subarray(0, 8000).includes(0))
      .map(([path, bytes]) => [path, bytes.toString("utf8")]),
  );
}

function treeOf(
  id: TreeId,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  locks: ReadonlyMap<string, string>,
): LoadedTree {
  const known = new Set(paths);
  return {
    id,
    paths,
    has: (path) => known.has(path),
    text: (path) => texts.get(path) ?? null,
    lock: (path) => locks.get(path) ?? null,
  };
}
