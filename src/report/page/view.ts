// What the pages of the server show, as plain data. Times are milliseconds since 1970.
import type { Gate } from "../../core/outcome.ts";
import type { Role } from "../../core/run.ts";
import type { Overview } from "../overview.ts";
import type { InboxWords } from "../words/inbox-words.ts";

export type Place = { readonly id: string; readonly name: string; readonly root: string };

/** Whether the person can answer. */
export type May = "read" | "write";

/** A run that the page is about, with what is not in its journal. */
export type RunView = {
  readonly place: Place;
  /** With what its session at work has used so far. */
  readonly run: Overview;
  /** The number of its last event. */
  readonly seq: number;
  /** What its agent is doing; null: no session is at work. */
  readonly live: Live | null;
  readonly tail: Tail | null;
  readonly waiting: readonly Waiting[];
  /** The run that was begun for what the audit of this one found missing, as it is now; null: none was. */
  readonly follower: Follower | null;
};

export type Follower = Pick<Overview, "run" | "state" | "outcome" | "title">;

export type Live = {
  readonly role: Role;
  /** The tool in use, or the last one, with its argument. */
  readonly tool: string | null;
  readonly words: string;
  /** Of this session so far. */
  readonly tokens: number;
  /** Null: its price is unknown until it ends. */
  readonly costUsd: number | null;
  readonly contextPercent: number | null;
  /** How long the last sessions of its role took here, in milliseconds. */
  readonly past: readonly number[];
};

/** The last lines of the latest session. */
export type Tail = {
  readonly session: string;
  readonly title: string;
  readonly isOver: boolean;
  readonly lines: readonly TailLine[];
};
/** Counted from the beginning of the session, so that a line is the same line after any restart. */
export type TailLine = { readonly n: number; readonly is: TailKind; readonly text: string };
export type TailKind = "tool" | "failed" | "edit" | "said" | "output" | "note";

/** Something that waits for a person, with what an answer has to name. */
export type Waiting = InboxWords & {
  readonly place: Place;
  readonly runId: string;
  readonly run: Overview;
  readonly gate: Gate | null;
  /** The tree of held work. */
  readonly tree: string | null;
  /** The id of what is asked; null: nothing is. An answer names a question by it. */
  readonly subject: string | null;
  readonly diff: Diff | null;
};

/** In git's form. `isCut`: there is more. `files`: all of them, with their numbers of lines; null: not text. */
export type Diff = {
  readonly text: string;
  readonly isCut: boolean;
  readonly files?: readonly { readonly path: string; readonly added: number | null; readonly removed: number | null }[];
};

export type HomeView = {
  /** While no workspace is registered: folders that have runs. */
  readonly offered: readonly string[];
  readonly workspaces: readonly (Place & { readonly problem: string | null })[];
  readonly waiting: readonly Waiting[];
  /** Runs that a process drives, and those that could be resumed. */
  readonly open: readonly RunView[];
  readonly runs: readonly RunRow[];
  /** How many runs are not listed. */
  readonly more: number;
  readonly triggers: readonly TriggerRow[];
  /** Workspaces whose triggers do not fire, and why. */
  readonly silent: readonly { readonly place: Place; readonly why: string }[];
  readonly firings: readonly FiringRow[];
};

export type RunRow = { readonly place: Place; readonly runId: string } & (
  | Pick<Overview, "task" | "request" | "state" | "outcome" | "title" | "begunAt" | "done" | "total" | "spent">
  | { readonly unreadable: string }
);

export type TriggerRow = {
  readonly place: Place;
  readonly name: string;
  readonly on: string;
  readonly next: number | null;
  /** Why it does not fire; null: it does. */
  readonly silent: string | null;
  /** Why no delivery can reach it. */
  readonly deaf: string | null;
  /** Where its deliveries go; null: it takes none. */
  readonly address: string | null;
  /** How many of its firings are queued or at work, and how many of them wait. */
  readonly active: number;
  readonly queued: number;
  /** What it has refused besides the refusals that are listed: how many, and when and why the last. */
  readonly turnedAway: { readonly count: number; readonly at: number; readonly why: string } | null;
};
export type FiringRow = {
  readonly place: Place;
  readonly trigger: string;
  readonly at: number;
  /** What it came from; empty: not known. */
  readonly cause: string;
  readonly status: string;
  /** Null: nothing was begun. */
  readonly runId: string | null;
  readonly costUsd: number | null;
  readonly note: string | null;
};
