// Walls around a process: what it may change, what it may read, and whether it has a network. The port, and its data.

/** A process to start. The environment is whole: nothing is inherited. */
export type Start = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

export type Walls = {
  /** Folders that it may change. What has a place of its own below them, by the other fields, cannot be moved from it. */
  readonly writes: readonly string[];
  /** Files and folders that it may only read: inside `writes`, or in a place that is otherwise hidden. */
  readonly reads: readonly string[];
  /** Never shown, even if a folder that contains it is. `writes` and `reads` below it still are. */
  readonly hides: readonly string[];
  /** Other programs that it starts, by name or path, and files that they are given: shown with what they need. */
  readonly programs?: readonly string[];
  /** A folder or socket of this machine under another path inside. */
  readonly shows?: readonly { readonly from: string; readonly at: string }[];
  /** Files that it sees in place of others, and cannot change. */
  readonly covers?: readonly { readonly from: string; readonly at: string }[];
  /** Folders that it changes only for itself. */
  readonly layers?: Layers;
  /** none: a private loopback interface, and nothing else. */
  readonly network: "shared" | "none";
};

/** What is written to these folders goes to the store; the folders themselves stay as they are. */
export type Layers = { readonly store: string; readonly folders: readonly Layer[] };
/** `name` is a folder of the store, with `lower` (a link to the real folder), `upper` and `work`: see `layers.ts`. */
export type Layer = { readonly at: string; readonly name: string };

export type Confined = Start & {
  /** Bytes for the wrapping program, on file descriptors 3, 4, … */
  readonly feeds: readonly Buffer[];
  /** The process is a wrapper: it ends when the confined program does, and with it everything that it started. */
  readonly isWrapper: boolean;
};

/** Walls that are decided on: a process to start becomes one inside of them. Sessions, probes and checks all have one. */
export type Door = (start: Start) => Confined;

/**
 * Returns the process to start instead. Contract: changes nothing on the machine; a program that does not exist stays
 * one that does not exist, so that starting it fails as it would without walls.
 */
export interface Confine {
  readonly name: "bubblewrap" | "none";
  confine(start: Start, walls: Walls): Confined;
}
