// What the two kinds of rooms have in common: the plan to build one from, and what is left to the shell around it.
import type { CheckNetwork } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Door } from "../../host/confine/confine.ts";
import type { RepositoryNames } from "../../workspace/git/repository/repository-names.ts";
import type { Layer } from "./layer.ts";
import type { Left } from "./left.ts";
import type { Shim, ShimsFor } from "./room.ts";

export type RoomPlan = {
  readonly tree: TreeId;
  /** The tree that most of the files come from; those have the old time. */
  readonly base: TreeId;
  /** Over the tree, the first one topmost. */
  readonly layers: readonly Layer[];
  readonly names: RepositoryNames;
  readonly shims: readonly Shim[];
  /** Folders outside of the workspace that the room shows as they are. */
  readonly outside: readonly string[];
};
/** Before it is known where the room will be. */
export type RoomOutline = Omit<RoomPlan, "shims"> & { readonly shims: ShimsFor };

export interface BuiltRoom {
  /** Paths as a process in the room sees them. */
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
  readonly programs: string;
  readonly out: { readonly inside: string; readonly outside: string };
  /** The room's home, as the loop sees it. */
  readonly homeOutside: string;
  /** The room's temporary folder and its home, as the loop sees them. */
  readonly scratch: readonly string[];
  /** A folder of the loop's for output files; no command sees it. */
  readonly logs: string;
  readonly notes: readonly string[];
  /** Where a path of the workspace is in the room. */
  at(path: string): string;
  /** The walls that the next command starts in. */
  enter(network: CheckNetwork): Entry;
  written(path: string): readonly Buffer[];
  left(): Promise<Left>;
  close(): Promise<void>;
}
/** `strays` ends processes that the command left and the runner missed; returns the total, including `found`. */
export type Entry = {
  readonly door: Door;
  strays(found: number): Promise<number>;
};

export interface RoomBuilder {
  build(outline: RoomOutline, signal: AbortSignal): Promise<BuiltRoom>;
  dispose(): void;
}
