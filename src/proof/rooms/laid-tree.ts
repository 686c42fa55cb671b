// The part of a tree that is laid into a room: all of it, except links that lead out and paths of dependencies.
import type { TreeId } from "../../core/ids.ts";
import type { RoomSource, TreeFile } from "../../workspace/git/rooms/room-source.ts";
import type { Layer } from "./layer.ts";
import { leadsOut } from "./links.ts";

export type LaidTree = {
  /** Files and links by path. */
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly modules: readonly TreeFile[];
  readonly notes: readonly string[];
};

export async function laidTree(source: RoomSource, tree: TreeId, layers: readonly Layer[]): Promise<LaidTree> {
  const entries = await source.entries(tree);
  const links = entries.filter(({ kind }) => kind === "link");
  const targets = await source.blobs(links.map(({ id }) => id));
  const isOut = ({ path, kind, id }: TreeFile): boolean =>
    kind === "link" && leadsOut(path, targets.get(id)?.toString("utf8") ?? "");
  const roots = layers.filter(({ of }) => of !== "home").flatMap((layer) => layer.roots);
  const isCovered = ({ path }: TreeFile): boolean => roots.some((root) => path === root || path.startsWith(`${root}/`));
  const files = entries.filter((entry) => entry.kind !== "submodule" && !isOut(entry) && !isCovered(entry));
  return {
    files: new Map(files.map((entry) => [entry.path, entry])),
    modules: entries.filter((entry) => entry.kind === "submodule" && !isCovered(entry)),
    notes: [
      ...note("Links that lead out of the checkout were not laid", entries.filter(isOut)),
      ...note("Tracked files in the place of installed ones were not laid", entries.filter(isCovered)),
    ],
  };
}

function note(what: string, entries: readonly TreeFile[]): string[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(0, 3).map(({ path }) => path);
  const more = entries.length > shown.length ? `, and ${entries.length - shown.length} more` : "";
  return [`${what}: ${shown.join(", ")}${more}`];
}

/** Paths to write where another tree lies, and paths of that tree to remove. */
export function difference(from: LaidTree, to: LaidTree): { write: string[]; remove: string[] } {
  const isSame = (one: TreeFile | undefined, other: TreeFile): boolean =>
    one?.id === other.id && one.kind === other.kind;
  return {
    write: [...to.files.values()].filter((file) => !isSame(from.files.get(file.path), file)).map(({ path }) => path),
    remove: [...from.files.keys()].filter((path) => !to.files.has(path)),
  };
}
