// A whole tree as a read-only folder in the vault, with the pack of its objects. Rooms of similar trees share it.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import type { RoomSource } from "../../workspace/git/rooms/room-source.ts";
import { copy } from "./copy.ts";
import { laidTree } from "./laid-tree.ts";
import { markUsed, removeOldest } from "./layer.ts";
import { moduleFiles } from "./modules.ts";
import { newFolder, type Places, removeAll } from "./places.ts";
import { setBaseTimes } from "./tree-times.ts";

const treesMax = 3;
const packFolder = ".git/objects/pack";

/** The layer's folder, relative to the folder of all rooms. */
export async function treeLayer(
  source: RoomSource,
  places: Places,
  tree: TreeId,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly packs: string }> {
  const dir = join(places.trees, tree);
  const found = { name: `trees/${tree}`, packs: join(dir, packFolder) };
  if (fs.existsSync(dir)) {
    markUsed(dir);
    return found;
  }
  const folder = newFolder(places);
  try {
    await fill(source, places, tree, folder, signal);
    fs.chmodSync(folder, 0o755);
    fs.renameSync(folder, dir);
  } finally {
    removeAll(folder);
  }
  removeOldest(places.trees, treesMax);
  return found;
}

async function fill(source: RoomSource, places: Places, tree: TreeId, to: string, signal: AbortSignal): Promise<void> {
  const laid = await laidTree(source, tree, []);
  await source.lay(tree, [...laid.files.keys()], to);
  for (const module of laid.modules) await layModule(places, module, to, signal);
  setBaseTimes(to);
  await source.pack(tree, null, join(to, packFolder));
}

export async function layModule(
  places: Places,
  module: Parameters<typeof moduleFiles>[1],
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const from = moduleFiles(places, module);
  if (from === null) fs.mkdirSync(join(to, module.path), { recursive: true });
  else await copy(from, join(to, module.path), signal);
}
