// The installed folders of a room that is a plain folder: copied once, checked before each use, repaired where touched.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { lstatIfExists } from "../../../host/disk.ts";
import { copy } from "../copy.ts";
import { type Inventory, isFolder, signatureOf, takeInventory } from "../inventory.ts";
import { type Layer, layerDir } from "../layer.ts";
import { type Places, removeAll } from "../places.ts";
import { type Move, relocate } from "./relocate.ts";

/** A root of a layer, in the room or parked next to it. */
type Laid = { readonly root: string; readonly from: string; inventory: Inventory; readonly notes: readonly string[] };

/** Keeps copies between rooms: moves an unwanted one out of the way, which costs nothing. */
export class Installed {
  readonly #tree: string;
  readonly #parked: string;
  readonly #move: Move;
  readonly #laid = new Map<string, Laid>();
  readonly #waiting = new Map<string, Laid>();

  constructor(tree: string, parked: string, move: Move) {
    this.#tree = tree;
    this.#parked = parked;
    this.#move = move;
    fs.mkdirSync(parked, { recursive: true });
  }

  /** Roots that lie in the tree now. */
  get roots(): readonly string[] {
    return [...this.#laid.keys()];
  }

  /** Takes everything out of the tree, so that another tree can be laid. */
  park(): void {
    // The deepest first: a root may lie within another.
    for (const laid of [...this.#laid.values()].sort((one, other) => other.root.length - one.root.length)) {
      this.#laid.delete(laid.root);
      const at = join(this.#tree, laid.root);
      if (lstatIfExists(at) === undefined) continue;
      const key = keyOf(laid);
      removeAll(join(this.#parked, key));
      fs.renameSync(at, join(this.#parked, key));
      this.#waiting.set(key, laid);
    }
  }

  /** Lays the roots of the layers, the topmost last. Returns notes. */
  async lay(places: Places, layers: readonly Layer[], signal: AbortSignal): Promise<string[]> {
    const wanted = [...layers]
      .reverse()
      .flatMap((layer) => layer.roots.map((root) => ({ root, from: join(layerDir(places, layer), root) })))
      // A root may lie within one of another layer, which then has to come first.
      .sort((one, other) => one.root.split("/").length - other.root.split("/").length);
    for (const one of wanted) await this.#layOne(one, signal);
    return [...new Set([...this.#laid.values()].flatMap(({ notes }) => notes))];
  }

  async #layOne(one: { root: string; from: string }, signal: AbortSignal): Promise<void> {
    const at = join(this.#tree, one.root);
    const parked = this.#waiting.get(keyOf(one));
    fs.mkdirSync(dirname(at), { recursive: true });
    removeAll(at);
    if (parked === undefined) {
      await copy(one.from, at, signal);
      const notes = relocateAll(this.#tree, one.root, this.#move);
      this.#laid.set(one.root, { ...one, inventory: inventoryOf(at), notes });
      return;
    }
    this.#waiting.delete(keyOf(one));
    fs.renameSync(join(this.#parked, keyOf(one)), at);
    await this.#repair(parked, at, signal);
    this.#laid.set(one.root, parked);
  }

  /** Copies entries again that changed since they were laid. */
  async #repair(laid: Laid, at: string, signal: AbortSignal): Promise<void> {
    const now = inventoryOf(at);
    const wrong = [...now].filter(([path, signature]) => laid.inventory.get(path) !== signature).map(([path]) => path);
    const missing = [...laid.inventory.keys()].filter((path) => !now.has(path));
    if (wrong.length + missing.length === 0) return;
    for (const path of wrong) removeAll(path === "" ? at : join(at, path));
    const again = outermost([...wrong, ...missing]).filter((path) => laid.inventory.has(path));
    for (const path of again) {
      removeAll(path === "" ? at : join(at, path));
      await copy(join(laid.from, path), join(at, path), signal);
      relocateAll(this.#tree, path === "" ? laid.root : `${laid.root}/${path}`, this.#move);
    }
    laid.inventory = inventoryOf(at);
  }
}

const keyOf = ({ root, from }: { root: string; from: string }): string =>
  createHash("sha256").update(`${root}\0${from}`).digest("hex").slice(0, 24);

/** Includes the root itself, under the empty name. */
function inventoryOf(at: string): Inventory {
  const stat = fs.lstatSync(at, { bigint: true });
  const inside = stat.isDirectory() ? takeInventory(at) : new Map<string, string>();
  return new Map([["", signatureOf(at, stat)], ...inside]);
}

const outermost = (paths: readonly string[]): string[] => {
  const all = new Set(paths);
  if (all.has("")) return [""];
  const isCovered = (path: string): boolean => {
    for (let at = dirname(path); at !== "."; at = dirname(at)) if (all.has(at)) return true;
    return false;
  };
  return [...all].filter((path) => !isCovered(path));
};

/** Rewrites every copied entry that names the old folder. Returns notes. */
export function relocateAll(tree: string, root: string, move: Move): string[] {
  const at = join(tree, root);
  const inside = lstatIfExists(at)?.isDirectory()
    ? [...takeInventory(at)].filter(([, signature]) => !isFolder(signature))
    : null;
  const paths = inside === null ? [root] : inside.map(([path]) => `${root}/${path}`);
  return paths.flatMap((path) => relocate(tree, path, move) ?? []);
}
