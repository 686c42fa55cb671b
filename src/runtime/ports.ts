// What the runtime needs of the outside world. The real ones are put together in engines/local; a simulated world has its own.
import type { SessionRequest, Sign } from "../agents/agent.ts";
import type { SessionResult } from "../agents/session-result.ts";
import type { Answering, ResultEvent, SignalEvent } from "../core/event.ts";
import type { RunId, SessionId, TaskId } from "../core/ids.ts";
import type { Role, Side } from "../core/run.ts";
import type { Prover } from "../proof/prover.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type Ports = {
  readonly task: TaskId;
  readonly run: RunId;
  readonly workspace: Workspace;
  /** Decides whether work is done. */
  readonly prover: Prover;
  readonly sessions: Sessions;
  readonly clock: Clock;
  /** The run's own folder in the vault. */
  readonly files: RunFiles;
  /** Single files of the workspace that the loop itself reads and writes. */
  readonly disk: WorkspaceDisk;
  readonly newSessionId: () => SessionId;
  /** Something for the run log that is nobody's result. */
  readonly note: (about: string, text: string) => void;
};

export interface Clock {
  /** Wall-clock time, for people and for stated times. */
  now(): number;
  /** A steady clock for durations; it stands still while the machine sleeps. */
  steady(): number;
  /** Resolves at `at`, however far away, or when the signal aborts. */
  sleepUntil(at: number, signal: AbortSignal): Promise<void>;
}

/** Runs sessions: attach or start, so that asking twice for one never pays twice. */
export interface Sessions {
  run(order: SessionOrder, signal: AbortSignal): Promise<SessionResult>;
}
export type SessionOrder = Omit<SessionRequest, "run" | "folder" | "part" | "nativeId"> & {
  /** Which of the two configured agents. */
  readonly by: Side;
  /** The session to go on with, and what to say then; where it cannot be, a fresh one is told everything. */
  readonly resumes?: { readonly session: SessionId; readonly prompt: string };
};
export type SessionSign = { readonly session: SessionId; readonly role: Role; readonly sign: Sign };

/** What comes after the first `keep` bytes of a file, if the file is still the one that had this stamp. */
export type Tail = { readonly stamp: string; readonly keep: number; readonly text: string };

/** For files that grow at their end. A place that cannot do this has its files written whole. */
export interface Growing {
  /** Tells a file from what it was before. Null: there is none. */
  stamp?(path: string): string | null;
  /** Returns the new stamp. Null: the file is another by now, and nothing was done. Not atomic. */
  rewriteTail?(path: string, tail: Tail): string | null;
}

/** The run's own folder in the vault. Paths are relative, with forward slashes. */
export interface RunFiles extends Growing {
  /** What can be made again from the journal need not survive a power cut; everything else must. */
  write(path: string, text: string, durability?: "durable" | "derived"): void;
  read(path: string): string | null;
  /** Where a file is, for programs that want a path. */
  path(path: string): string;
}

/** Paths are relative to the workspace. A path that leads out of it, or through a link, is refused. */
export interface WorkspaceDisk extends Growing {
  read(path: string): string | null;
  /** Is this what reading it would give? False: it has to be read to know. For long texts, which take long to read. */
  holds?(path: string, text: string): boolean;
  /** Null removes the file. */
  write(path: string, text: string | null): void;
}

/** What an effect brought back. */
export type Result = ResultEvent;
export type SignalFact = SignalEvent;
/** An event before it is stamped: a result says which effect it answers, and how long that took. */
export type Fact = (Result & Answering) | SignalFact;
