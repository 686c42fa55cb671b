// Trees as maps, named by their content: as much of git as a simulated workspace needs.
import { createHash } from "node:crypto";
import { Bug } from "../../core/errors.ts";
import { type TreeId, treeId } from "../../core/ids.ts";
import type { Change, LaidFile } from "../../workspace/workspace.ts";

/** Files by path. */
export type Tree = ReadonlyMap<string, string>;

export const hashOf = (text: string): string => createHash("sha1").update(text).digest("hex");

/** Every tree of the world, by its content. */
export class Trees {
  readonly #trees = new Map<TreeId, Tree>();

  /** Keeps a tree, and returns its name. */
  keep(files: Tree): TreeId {
    const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    const id = treeId(hashOf(JSON.stringify(sorted)));
    if (!this.#trees.has(id)) this.#trees.set(id, new Map(sorted));
    return id;
  }

  /** The tree of this name; throws if there is none. */
  get(id: TreeId): Tree {
    const tree = this.#trees.get(id);
    if (tree === undefined) throw new Bug(`the world has no tree ${id}`);
    return tree;
  }

  /** The tree with these files laid over it; null removes one. */
  lay(files: Tree, lay: readonly LaidFile[]): Tree {
    const laid = new Map(files);
    for (const { path, content } of lay) {
      if (content === null) laid.delete(path);
      else laid.set(path, content.toString());
    }
    return laid;
  }

  /** The files that differ. */
  changes(from: TreeId, to: TreeId): Change[] {
    const [before, after] = [this.get(from), this.get(to)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    return paths.flatMap((path): Change[] => {
      const [was, is] = [before.get(path), after.get(path)];
      if (was === is) return [];
      const kind = was === undefined ? "added" : is === undefined ? "deleted" : "modified";
      return [{ path, kind, binary: false, lines: 1 }];
    });
  }
}
