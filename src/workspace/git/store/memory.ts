// Caches what this process has already read, keyed by content hash: such content never changes.
import type { TreeId } from "../../../core/ids.ts";
import type { Change } from "../../workspace.ts";
import type { Snapshot } from "../files/snapshot.ts";
import type { IndexContent } from "../index/index-content.ts";
import type { RawEntry } from "./raw-tree.ts";

export type Memory = {
  trees: Remembered<readonly RawEntry[]>;
  /** Small ones only. */
  blobs: Remembered<Buffer>;
  changes: Remembered<readonly Change[]>;
  /** By the checksum at the end of an index file. */
  indexes: Remembered<IndexContent>;
  commitTrees: Remembered<TreeId>;
  /** Our index files that were found complete. */
  whole: Set<string>;
  /** The index of the last tree taken of the folder. */
  commitIndex: string | null;
  /** The folder's snapshot from the last `fold`. */
  folded: Snapshot | null;
  /** What changed since then may be an agent's. Null: no agent has worked since the last checkpoint was begun. */
  since: number | null;
  /** What was moved to quarantine because no tree could take it, and was not told yet. */
  refused: { path: string; why: string; quarantine: string }[];
};

export const newMemory = (since: number | null = null): Memory => ({
  trees: new Remembered(20_000),
  blobs: new Remembered(200),
  changes: new Remembered(20_000),
  indexes: new Remembered(8),
  commitTrees: new Remembered(1000),
  whole: new Set(),
  commitIndex: null,
  folded: null,
  since,
  refused: [],
});

/** A map that drops the least recently used entries. `size` is in any unit the caller chooses. */
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

  /** A full pass has to fit a few times over, or its entries would be gone before the next pass. */
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
