// Submodules at their recorded commits, as files, taken from the workspace's objects before any agent has worked.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import type { RoomSource, TreeFile } from "../../workspace/git/rooms/room-source.ts";
import { newFolder, type Places, removeAll } from "./places.ts";
import { setBaseTimes } from "./tree-times.ts";

const dirOf = ({ modules }: Places, { id }: Pick<TreeFile, "id">): string => join(modules, id);

/** Keeps the submodules of a tree; returns notes about those that the workspace does not have. */
export async function keepModules(source: RoomSource, places: Places, tree: TreeId): Promise<string[]> {
  const notes: string[] = [];
  for (const module of (await source.entries(tree)).filter(({ kind }) => kind === "submodule")) {
    if (fs.existsSync(dirOf(places, module)) || (await keepModule(source, places, module))) continue;
    notes.push(`The submodule ${module.path} is not initialised, and is an empty folder in clean checkouts.`);
  }
  return notes;
}

async function keepModule(source: RoomSource, places: Places, module: TreeFile): Promise<boolean> {
  const folder = newFolder(places);
  try {
    if (!(await source.laySubmodule(module.path, module.id, folder))) return false;
    setBaseTimes(folder);
    fs.renameSync(folder, dirOf(places, module));
    return true;
  } finally {
    removeAll(folder);
  }
}

/** Where the files of a submodule are kept; null: they are missing. */
export function moduleFiles(places: Places, module: TreeFile): string | null {
  const dir = dirOf(places, module);
  return fs.existsSync(dir) ? dir : null;
}
