// What the runtime needs from the outside world. engines/running.ts assembles the real ports; a simulated world has its own.
import type { SessionRequest, Sign } from "../agents/agent.ts";
import type { SessionResult } from "../agents/session/session-result.ts";
import type { Answering, ResultEvent, SignalEvent } from "../core/event.ts";
import type { RunId, SessionId, TaskId } from "../core/ids.ts";
import type { NoteKind } from "../core/note-kinds.ts";
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
  /** A note for the run log that is not a result. */
  readonly note: (about: NoteKind, text: string) => void;
};

export interface Clock {
  /** Wall-clock time, for people and for stated times. */
  now(): number;
  /** A monotonic clock for durations; it stops while the machine sleeps. */
  steady(): number;
  /** Resolves at `at`, however far away, or when the signal aborts. */
  sleepUntil(at: number, signal: AbortSignal): Promise<void>;
}

/** Runs sessions: attaches or starts, so that ordering the same session twice never pays twice. */
export interface Sessions {
  run(order: SessionOrder, signal: AbortSignal): Promise<SessionResult>;
  /** What a session in this role will cost, in US dollars; null: not known beforehand. */
  price?(role: Role, by: Side): number | null;
}
export type SessionOrder = Omit<SessionRequest, "run" | "folder" | "part" | "nativeId"> & {
  /** Which of the two configured agents. */
  readonly by: Side;
  /** The session to resume, with the prompt for that; if it cannot be resumed, a fresh session gets the full prompt. */
  readonly resumes?: { readonly session: SessionId; readonly prompt: string };
};
export type SessionSign = { readonly session: SessionId; readonly role: Role; readonly sign: Sign };

/** The run's own folder in the vault. Paths are relative, with forward slashes. */
export interface RunFiles {
  /** Files that can be rebuilt from the journal need not survive a power cut; all others must. */
  write(path: string, text: string, durability?: "durable" | "derived"): void;
  read(path: string): string | null;
  /** The location of a file, for programs that need a path. */
  path(path: string): string;
}

/** Paths are relative to the workspace. A path that leads outside, or through a link, is refused. */
export interface WorkspaceDisk {
  read(path: string): string | null;
  /** Null removes the file. */
  write(path: string, text: string | null): void;
}

/** The result of an effect. */
export type Result = ResultEvent;
export type SignalFact = SignalEvent;
/** An event before it is stamped: a result names the effect that it answers, and how long that took. */
export type Fact = (Result & Answering) | SignalFact;
