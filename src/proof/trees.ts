// Trees of the store, loaded for the pure parts: every path, and the texts.
import type { TreeId } from "../core/ids.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";
import { type View, viewBytesMax } from "./view.ts";

export type LoadedTree = View & { readonly id: TreeId; has(path: string): boolean };

type Reader = Pick<Workspace, "list" | "readAll">;

/** Pictures, archives, fonts and the like: nothing in them is read. */
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|wav|mov|avi|webm|sqlite3?|db|bin|exe|dll|so|dylib|a|o|pyc)$/i;

export async function loadTree(workspace: Reader, id: TreeId): Promise<LoadedTree> {
  const paths = [...(await workspace.list(id))].sort();
  return treeOf(id, paths, await textsOf(workspace, id, paths));
}

/** Most files are the same as in a tree that is loaded already. */
export async function loadNext(
  workspace: Reader,
  before: LoadedTree,
  id: TreeId,
  changes: readonly Change[],
): Promise<LoadedTree> {
  if (before.id === id) return before;
  const touched = new Set(changes.map(({ path }) => path));
  const present = changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const fresh = await textsOf(workspace, id, present);
  const paths = [...before.paths.filter((path) => !touched.has(path)), ...present].sort();
  return {
    ...treeOf(id, paths, fresh),
    text: (path) => (touched.has(path) ? (fresh.get(path) ?? null) : before.text(path)),
  };
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

function treeOf(id: TreeId, paths: readonly string[], texts: ReadonlyMap<string, string>): LoadedTree {
  const known = new Set(paths);
  return { id, paths, has: (path) => known.has(path), text: (path) => texts.get(path) ?? null };
}
