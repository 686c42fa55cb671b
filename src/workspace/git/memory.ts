// What this process has seen already, by the hash that names it: such a thing never changes, so it is never asked for twice.
import type { TreeId } from "../../core/ids.ts";
import type { Change } from "../workspace.ts";
import type { IndexContent } from "./index-content.ts";
import type { RawEntry } from "./raw-tree.ts";
import type { Snapshot } from "./snapshot.ts";

export type Memory = {
  trees: Remembered<readonly RawEntry[]>;
  /** Small ones only. */
  blobs: Remembered<Buffer>;
  changes: Remembered<readonly Change[]>;
  /** By the checksum that an index file ends with. */
  indexes: Remembered<IndexContent>;
  commitTrees: Remembered<TreeId>;
  /** Index files of ours that were seen to be whole. */
  whole: Set<string>;
  /** The index that belongs to the last tree that was taken of the folder. */
  commitIndex: string | null;
  /** The folder as the last `fold` took it. */
  folded: Snapshot | null;
};

export const newMemory = (): Memory => ({
  trees: new Remembered(20_000),
  blobs: new Remembered(200),
  changes: new Remembered(20_000),
  indexes: new Remembered(8),
  commitTrees: new Remembered(1000),
  whole: new Set(),
  commitIndex: null,
  folded: null,
});

/** A map that forgets what was not asked for longest. `size` of an entry is whatever the caller counts by. */
export class Remembered<Value> {
  #max: number;
  readonly #entries = new Map<string, { value: Value; size: number }>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  /** What is gone through as a whole has to fit as a whole, a few times over, or nothing of it would be there the next time. */
  makeRoomFor(size: number): void {
    this.#max = Math.max(this.#max, 3 * size);
  }

  find(test: (value: Value) => boolean): Value | undefined {
    for (const { value } of this.#entries.values()) if (test(value)) return value;
    return undefined;
  }

  set(key: string, value: Value, size = 1): void {
    this.#forget(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#max || oldest === key) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
