// Where a command line runs: a folder of the tree, and how the reader got there.
import { posix } from "node:path";
import type { View } from "../../view.ts";
import type { RunnerUse } from "../runner.ts";

export type Place = {
  readonly view: View;
  /** Relative to the tree; "" is its root. */
  readonly dir: string;
  readonly depth: number;
  /** Scripts and targets being read: one that leads back to itself is not read again. */
  readonly within: ReadonlySet<string>;
  /** How many more may be read in total: packages that run each other would otherwise never end. */
  readonly budget: { left: number };
};

/** Reads a command line that another one leads to. */
export type ReadLine = (line: string, place: Place) => readonly RunnerUse[];

const depthMax = 12;
export const scriptsMax = 500;

export const inDir = (place: Place, dir: string): Place => ({ ...place, dir: joined(place.dir, dir) });

/** Null: it is already being read, or the chain is too long. */
export function enter(place: Place, dir: string, script: string): Place | null {
  const key = `${dir}\0${script}`;
  if (place.within.has(key) || place.depth >= depthMax || place.budget.left <= 0) return null;
  place.budget.left -= 1;
  return { ...place, dir, depth: place.depth + 1, within: new Set([...place.within, key]) };
}

export const deeper = (place: Place): Place | null =>
  place.depth >= depthMax ? null : { ...place, depth: place.depth + 1 };

export function joined(dir: string, path: string): string {
  const whole = posix.normalize(posix.join(dir === "" ? "." : dir, path)).replace(/\/$/, "");
  return whole === "." ? "" : whole;
}

export const textAt = (place: Place, path: string): string | null => place.view.text(joined(place.dir, path));
