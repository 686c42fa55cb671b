// The tree of a room that is a plain folder: only what differs from the wanted tree is written.
import * as fs from "node:fs";
import { join } from "node:path";
import type { TreeId } from "../../../core/ids.ts";
import { lstatIfExists } from "../../../host/disk.ts";
import { foldersOf } from "../../../workspace/git/files/folders-of.ts";
import type { RoomSource, TreeFile } from "../../../workspace/git/rooms/room-source.ts";
import { type Inventory, isFolder, signatureOf, takeInventory } from "../inventory.ts";
import { type LaidTree, laidTree } from "../laid-tree.ts";
import { type Places, removeAll } from "../places.ts";
import { layModule } from "../tree-layer.ts";
import { baseTime } from "../tree-times.ts";

export class Checkout {
  readonly #dir: string;
  #tree: LaidTree = { files: new Map(), modules: [], notes: [] };
  #inventory: Inventory = new Map();
  /** Files that have the base's time. */
  readonly #old = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Undoes what commands did to the folder: removes changed files and writes missing ones. */
  async make(
    source: RoomSource,
    places: Places,
    tree: TreeId,
    base: TreeId,
    wanted: LaidTree,
    signal: AbortSignal,
  ): Promise<void> {
    if (!lstatIfExists(this.#dir)?.isDirectory()) removeAll(this.#dir);
    fs.mkdirSync(this.#dir, { recursive: true });
    const untouched = this.#removeTouched(wanted);
    const write = [...wanted.files.keys()].filter((path) => !untouched.has(path));
    await source.lay(tree, write, this.#dir);
    for (const module of wanted.modules) {
      removeAll(join(this.#dir, module.path));
      await layModule(places, module, this.#dir, signal);
    }
    this.#tree = wanted;
    this.#inventory = this.#setTimes(await laidTree(source, base, []), untouched);
  }

  /** Removes everything except files that are unchanged since they were laid and still wanted. */
  #removeTouched(wanted: LaidTree): Inventory {
    const folders = foldersOf([...wanted.files.keys()]);
    const untouched: Inventory = new Map();
    for (const [path, signature] of takeInventory(this.#dir)) {
      const [was, is] = [this.#tree.files.get(path), wanted.files.get(path)];
      if (isFolder(signature) && folders.has(path)) fs.chmodSync(join(this.#dir, path), 0o755);
      else if (isSame(was, is) && this.#inventory.get(path) === signature) untouched.set(path, signature);
      else if (lstatIfExists(join(this.#dir, path)) !== undefined) removeAll(join(this.#dir, path));
    }
    return untouched;
  }

  /** A file that an earlier room laid may differ from this base, or no longer differ. Returns the current inventory. */
  #setTimes(base: LaidTree, untouched: Inventory): Inventory {
    const now = new Date();
    const inventory: Inventory = new Map();
    for (const [path, file] of this.#tree.files) {
      const isBase = isSame(base.files.get(path), file);
      const signature = untouched.get(path);
      const at = join(this.#dir, path);
      const isRight = signature !== undefined && this.#old.has(path) === isBase;
      if (!isRight) fs.lutimesSync(at, ...(isBase ? ([baseTime, baseTime] as const) : ([now, now] as const)));
      if (isBase) this.#old.add(path);
      else this.#old.delete(path);
      inventory.set(path, isRight ? signature : signatureOf(at, fs.lstatSync(at, { bigint: true })));
    }
    for (const module of this.#tree.modules)
      for (const [path, signature] of takeInventory(join(this.#dir, module.path)))
        inventory.set(`${module.path}/${path}`, signature);
    return inventory;
  }

  /** Paths of the tree that are different or missing, and new ones. `skip`: paths that are not part of the tree. */
  async touched(source: RoomSource, skip: (path: string) => boolean): Promise<{ changed: string[]; fresh: string[] }> {
    const now = takeInventory(this.#dir, skip);
    const files = [...this.#tree.files.values()].filter(({ path }) => now.get(path) !== this.#inventory.get(path));
    const fresh = [...now].filter(([path, signature]) => !isFolder(signature) && !this.#inventory.has(path));
    // Usually only a time was touched.
    const blobs = await source.blobs(files.filter(({ path }) => now.has(path)).map(({ id }) => id));
    const changed = files.filter((file) => !holds(join(this.#dir, file.path), file, blobs.get(file.id)));
    return { changed: changed.map(({ path }) => path), fresh: fresh.map(([path]) => path) };
  }
}

function holds(at: string, { kind }: TreeFile, content: Buffer | undefined): boolean {
  const stat = lstatIfExists(at);
  if (stat === undefined || content === undefined || stat.isSymbolicLink() !== (kind === "link")) return false;
  if (stat.isSymbolicLink()) return fs.readlinkSync(at) === content.toString("utf8");
  const mode = (stat.mode & 0o100) !== 0 ? "program" : "file";
  return stat.isFile() && mode === kind && stat.size === content.length && fs.readFileSync(at).equals(content);
}

const isSame = (one: TreeFile | undefined, other: TreeFile | undefined): boolean =>
  one !== undefined && one.id === other?.id && one.kind === other.kind;
