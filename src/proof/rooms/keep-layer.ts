// Copies installed folders from the workspace into a layer of the vault.
import * as fs from "node:fs";
import { join, posix } from "node:path";
import { lstatExactly } from "../../host/disk.ts";
import { copy } from "./copy.ts";
import { fingerprintOf, type Inventory, linkTarget, signatureOf, sizeIn, takeInventory } from "./inventory.ts";
import { type Layer, type LayerNote, type LayerOf, makeLayer, markUsed, nameFor, readLayer } from "./layer.ts";
import { leadsOut, moved } from "./links.ts";
import { type Places, removeAll } from "./places.ts";

export type KeepLayer = {
  readonly of: LayerOf;
  readonly roots: readonly string[];
  /** The folder that the roots are relative to. */
  readonly from: string;
};

/** Leaves out roots that are missing or reached through a link. Null: none remain. */
export async function keepLayer(
  places: Places,
  order: KeepLayer,
  signal: AbortSignal,
): Promise<{ layer: Layer; note: LayerNote } | null> {
  const taken = order.roots.flatMap((root) => look(order.from, root));
  if (taken.length === 0) return null;
  const name = nameFor("kept", order.of, taken.map(({ root, print }) => `${root}\0${print}`).sort());
  const known = readLayer(places, name);
  if (known !== null) {
    markUsed(join(places.dir, name));
    return known;
  }
  return makeLayer(places, name, async (dir) => {
    const strays: Stray[] = [];
    for (const { root, inventory } of taken) {
      await copy(join(order.from, root), join(dir, root), signal);
      strays.push(...dropStrays(dir, root, inventory, order.from));
    }
    return {
      of: order.of,
      roots: taken.map(({ root }) => root),
      fingerprints: Object.fromEntries(taken.map(({ root, print }) => [root, print])),
      bytes: taken.reduce((sum, { bytes }) => sum + bytes, 0),
      notes: strays.length === 0 ? [] : [strayNote(strays)],
    };
  });
}

type Taken = { root: string; inventory: Inventory; print: string; bytes: number };

function look(from: string, root: string): Taken[] {
  // A link on the way, or in its place, would lead to something else.
  for (let at = root; at !== "."; at = posix.dirname(at)) if (lstatExactly(join(from, at))?.isSymbolicLink()) return [];
  const stat = lstatExactly(join(from, root));
  if (stat === undefined || (!stat.isDirectory() && !stat.isFile())) return [];
  const inside = stat.isDirectory() ? takeInventory(join(from, root)) : new Map<string, string>();
  const inventory: Inventory = new Map([["", signatureOf(join(from, root), stat)]]);
  for (const [path, signature] of inside) inventory.set(path, signature);
  const bytes = [...inventory.values()].reduce((sum, signature) => sum + sizeIn(signature), 0);
  return [{ root, inventory, print: fingerprintOf(inventory), bytes }];
}

type Stray = { readonly path: string; readonly target: string };

/** Removes links that lead out, except to an interpreter of this machine, which an environment cannot do without. */
export function dropStrays(dir: string, root: string, inventory: Inventory, from: string): Stray[] {
  const found: Stray[] = [];
  for (const [inside, signature] of inventory) {
    const target = linkTarget(signature);
    if (target === null) continue;
    const path = posix.join(root, inside);
    if (!leadsOut(path, target) || moved(target, from, from) !== null || isInterpreter(path, target)) continue;
    removeAll(join(dir, path));
    found.push({ path, target });
  }
  return found;
}

const isInterpreter = (path: string, target: string): boolean =>
  target.startsWith("/") && /(?:^|\/)bin\/(?:python|pypy)[\d.]*$/.test(path) && isProgram(target);

function isProgram(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}

function strayNote(strays: readonly Stray[]): string {
  const shown = strays.slice(0, 3).map(({ path, target }) => `${path} -> ${target}`);
  const more = strays.length > shown.length ? `, and ${strays.length - shown.length} more` : "";
  return `Installed links that lead out of the workspace are missing in clean checkouts: ${shown.join(", ")}${more}`;
}

/** Roots that changed since an earlier layer was taken, for a note. */
export function differsFrom(note: LayerNote, earlier: LayerNote): readonly string[] {
  return note.roots.filter(
    (root) => earlier.fingerprints[root] !== undefined && earlier.fingerprints[root] !== note.fingerprints[root],
  );
}
