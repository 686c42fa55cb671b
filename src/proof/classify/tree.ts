// A view with an index over its paths, so that "is there such a file" and "what is in this folder" cost nothing.
import type { View } from "../view.ts";
import { folderOf, nameOf } from "./paths.ts";

export type Tree = View & {
  has(path: string): boolean;
  hasFolder(folder: string): boolean;
  /** Paths of the files directly in a folder. */
  filesIn(folder: string): readonly string[];
  /** Paths of the folders directly in a folder. */
  foldersIn(folder: string): readonly string[];
};

type Entries = { readonly files: string[]; readonly folders: string[] };

export function treeOf(view: View): Tree {
  const known = trees.get(view);
  if (known !== undefined) return known;
  const made = indexed(view);
  trees.set(view, made);
  return made;
}

/** Every import asks its view, and indexing a view takes longer than answering. */
const trees = new WeakMap<View, Tree>();

function indexed(view: View): Tree {
  const paths = new Set(view.paths);
  const folders = new Map<string, Entries>([["", { files: [], folders: [] }]]);
  for (const path of paths) entriesOf(folders, folderOf(path)).files.push(path);
  return {
    paths: view.paths,
    text: (path) => (paths.has(path) ? view.text(path) : null),
    has: (path) => paths.has(path),
    hasFolder: (folder) => folders.has(folder),
    filesIn: (folder) => folders.get(folder)?.files ?? [],
    foldersIn: (folder) => folders.get(folder)?.folders ?? [],
  };
}

function entriesOf(folders: Map<string, Entries>, folder: string): Entries {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const made: Entries = { files: [], folders: [] };
  folders.set(folder, made);
  entriesOf(folders, folderOf(folder)).folders.push(folder);
  return made;
}

/** Files directly in a folder whose name matches. */
export const filesNamed = (tree: Tree, folder: string, name: RegExp): readonly string[] =>
  tree.filesIn(folder).filter((path) => name.test(nameOf(path)));
