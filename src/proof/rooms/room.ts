// A room: a clean checkout for one run of the checks, which the loop builds from a tree it holds itself.
import type { CheckResult } from "../../checks/check.ts";
import type { BrowserSteps, CheckNetwork, ProofTerms } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Left } from "./left.ts";

/**
 * Builds rooms.
 *
 * Contract:
 * - A room holds the tree, the dependencies that the loop keeps, its own `.git`, and nothing else of the workspace.
 *   No link leads out of it, and nothing that runs in it can write to the workspace or to what the loop keeps.
 * - Nothing survives from one room to the next, whatever ran there.
 * - The environment is listed, never inherited; home and temporary folder are empty.
 * - A `folder` guarantees this for its own content; a command there that names another path of this machine reaches it.
 * - Commands run one at a time, in whatever room. A room can be opened while a command runs in another one.
 * - Once a signal aborts, `keep` and `open` throw its reason. A machine problem is a UserError.
 */
export interface Rooms {
  /** `mounts`: laid over the workspace's own path in a mount namespace. `folder`: a folder elsewhere. */
  readonly kind: "mounts" | "folder";
  /** Why there are no mounts; empty if there are. */
  readonly why: string;
  /** Why commands cannot be kept from the network on this machine; null if they can. Tried once. */
  whyNotOffline(): Promise<string | null>;
  /**
   * Keeps what is installed in the workspace now, and the ignored files that the terms name, for all later rooms, also
   * of later processes. Call it before any agent has worked, and not again when a run is resumed. A repeated call for
   * the same base and terms in this process changes nothing.
   */
  keep(base: TreeId, terms: RoomTerms, signal: AbortSignal): Promise<Kept>;
  open(order: RoomOrder, signal: AbortSignal): Promise<Room>;
  /** Removes what is left of rooms. */
  dispose(): Promise<void>;
}

export type RoomTerms = Pick<ProofTerms, "setup" | "build" | "room">;

export type Kept = {
  /** Kept folders and files, each with its purpose. */
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly ms: number;
  /** What a person should know: an installed link that leads back to the workspace, a lockfile that cannot be read. */
  readonly notes: readonly string[];
};

/** Whose dependencies: the kept ones, those of a tree's lockfile, or those of `base` plus what only `tree` adds. */
export type Dependencies =
  | { readonly of: "base" }
  | { readonly of: "tree"; readonly tree: TreeId }
  | { readonly of: "both"; readonly base: TreeId; readonly tree: TreeId };

export type RoomOrder = {
  /** For messages and file names. */
  readonly name: string;
  readonly tree: TreeId;
  readonly dependencies: Dependencies;
  readonly terms: RoomTerms;
  /** Programs to put first on PATH and, where a package manager has its own folder of programs, in there. */
  readonly shims?: ShimsFor;
  /** A folder that the shims need, copied into `out` as `assets`: the loop's own installation may be hidden in a room. */
  readonly assets?: string;
  /** A browser drives a program outside of the room, and a registered check is one, so they need a plain folder. */
  readonly plain?: boolean;
  /** Called when a command starts in the room: its build, a check. */
  readonly onStart?: () => void;
};
export type Shim = { readonly name: string; readonly script: string };
/** Shims name paths of the room, as a process in it sees them. */
export type ShimsFor = (at: { readonly cwd: string; readonly out: string }) => readonly Shim[];

export interface Room {
  /** Where the tree is, as a process in the room sees it. */
  readonly cwd: string;
  /**
   * An empty folder for reports: as a process in the room sees it, and as the loop does. Commands write there, so the
   * loop may find a link, which it must never follow.
   */
  readonly out: { readonly inside: string; readonly outside: string };
  /** Null: it is ready. Otherwise the step that failed while preparing it, `setup` or `build`, with its output. */
  readonly failed: RoomFailure | null;
  /** Differences from the tree, and packages that were not installed. */
  readonly notes: readonly string[];
  run(order: RoomCommand, signal: AbortSignal): Promise<CheckResult>;
  /** Files that commands in the room wrote at this path: one file, or the reports in a folder. */
  written(path: string): readonly Buffer[];
  /** At most 100 of each. */
  left(): Promise<Left>;
  /** What lies in its temporary folder and its home. */
  leftInScratch(): readonly string[];
  close(): Promise<void>;
}
export type RoomFailure = { readonly at: "setup" | "build"; readonly result: CheckResult };

export type RoomCommand = {
  readonly name: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly outputFile: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly browser?: BrowserSteps;
  /** The name of a registered check to run instead of the command; needs a plain folder. */
  readonly library?: string;
  /** Left out: open. `none` needs a room with mounts. */
  readonly network?: CheckNetwork;
};
