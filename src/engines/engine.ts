// Where runs are kept and driven. Everything that happens to a run goes through these verbs, whether this process drives
// it, another one does, or none.
import type { Sign } from "../agents/agent.ts";
import type { RunEvent } from "../core/event.ts";
import type { CommitId, FeatureId, RunId, SessionId } from "../core/ids.ts";
import type { Role } from "../core/run.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import type { Change } from "../project/config/drift.ts";
import type { PlannedRun } from "../project/plan/plan-run.ts";
import type { Story } from "../report/story.ts";
import type { Undone } from "../report/taken-back.ts";
import type { Worktree } from "../report/worktree.ts";
import type { SessionSign, SignalFact } from "../runtime/ports.ts";

/**
 * Contract: what `begin` and `send` promise is on record when they resolve. Messages may arrive twice, late, or for
 * something that is over: they are recorded and change nothing. All values are plain data, so that an engine can be in
 * another process; errors that a person should read are UserErrors.
 */
export interface Engine {
  /** Begins a run and drives it. It has begun once its first event is on record; before that, a failure leaves nothing of it. */
  begin(beginning: Beginning, terms: Terms): Promise<Begun>;
  /** Delivers a message to the process that drives the run, or writes it to the journal if none does. */
  send(run: string, message: Message): Promise<Receipt>;
  /**
   * The story as of event `from`, and everything since, in order, as it happens. Ends after a `rest` when no process
   * drives the run. Without `from`: only new items.
   */
  subscribe(run: string, from?: number): Subscription;
  /** The run as it is now; throws a UserError if it cannot be read. */
  read(run: string): Promise<Reading>;
  /** Every run that is kept, newest first. */
  runs(): Promise<readonly string[]>;
  /** What `loop undo` took back on the person's branch. */
  undone(): Promise<Undone>;
  /** This client leaves the run: if it attends it, the run is closed when it rests. Resolves then. */
  leave(run: string): Promise<void>;
  /** Leaves every run. */
  close(): Promise<void>;
}

/** A planned run, or a follow-up of an earlier one. */
export type Beginning =
  | {
      readonly plan: PlannedRun;
      readonly kind: "git" | "plain";
      readonly task?: string;
      /** The id that the run gets; `newRunId` makes one. If a run has it already, this is refused: `run-exists`. */
      readonly run?: string;
      /** A person confirms that the process on another machine that holds the workspace is gone. */
      readonly stealLock?: boolean;
      /** Its commits stay on its branch, and land by a pull request. */
      readonly pullRequest?: boolean;
    }
  /** Works on the gaps that the audit of this run has found. `changes`: as when a run is resumed, if they apply to it. */
  | { readonly follows: string; readonly changes?: Changes };
/** The new run, and the number of its last event so far; subscribe from it. */
export type Begun = { readonly run: RunId; readonly from: number };

/** How the client that begins or resumes a run goes along with it. */
export type Terms = {
  /** Waits for usage limits to end. Otherwise the run stays where it is, and can be resumed. */
  readonly wait: boolean;
  /**
   * This client can answer: a resting run stays open until the client leaves it. After an answer from any
   * client, the run continues or rests again.
   */
  readonly attended: boolean;
};

/** A signal is recorded. `resume` resumes the run; this client drives it unless another one already does. */
export type Message = SignalFact | Resume | Land;
/** Lands what the run has committed in its worktree. */
export type Land = { readonly type: "land" };
/** Resumes a run that rests, waits or was interrupted. */
export type Resume = {
  readonly type: "resume";
  readonly terms: Terms;
  /** Changes by a person since the run began. Omitted: it is resumed unchanged. */
  readonly changes?: Changes;
};
/** What a person changes when they resume a run. Caps are those of the task, with what its runs have used already. */
export type Changes = {
  /** Limits and agents from the command line take precedence over the configuration. */
  readonly flags: Pick<LoopYaml, "limits" | "agents">;
  /** The maker's model, from the command line. */
  readonly model?: string;
  readonly yesReally?: boolean;
  readonly stealLock?: boolean;
  readonly intent?: { readonly mode: "replace" | "append" | "preserve"; readonly text: string };
  /** Approves the gate that the run waits at. */
  readonly approve?: boolean;
};

/** What became of a message. */
export type Receipt = {
  /** The driver of the run after the message: this client, another process, or none. */
  readonly driver: "here" | "elsewhere" | "none";
  /** False: it is left for the process that drives the run, which has not taken it yet. */
  readonly taken: boolean;
  /** Signals that were left before it, and that the process has not taken either. */
  readonly ahead?: readonly SignalFact[];
  /** The number of the last event before the run went on; subscribe from it. */
  readonly from: number;
  /** Changed configuration, and whether it applies. */
  readonly changes: readonly Change[];
  /** The answer to `land`. */
  readonly landed?: Landed;
};
/** Where the commits of a run are after they have landed. */
export type Landed = {
  readonly commit: CommitId;
  readonly onto: string;
  /** merged: the branch had moved, and every feature was merged and proved again. before: it had landed already. */
  readonly how: "forward" | "merged" | "before";
};

/** What a subscriber is told. */
export type Item =
  /** Always the first. */
  | { readonly type: "story"; readonly story: Story; readonly seq: number }
  | { readonly type: "event"; readonly event: RunEvent; readonly seq: number }
  /** What an agent is seen to do. Not recorded: a slow reader misses some. */
  | ({ readonly type: "sign" } & SessionSign)
  /** Nothing happens until a message arrives: the run is over, rests, or has no driver. */
  | { readonly type: "rest" };

/** `return` ends it immediately, even while the next item is awaited. */
export type Subscription = AsyncIterableIterator<Item> & { return(): Promise<IteratorResult<Item>> };

/** A run as it is now. */
export type Reading = {
  readonly story: Story;
  readonly seq: number;
  /** A process drives the run, or keeps it open for an answer. */
  readonly isDriven: boolean;
  /** Left out: the run works in the person's folder. */
  readonly worktree?: Worktree;
  /** The folder has no git: its commits are in the vault alone. */
  readonly isPlain?: boolean;
  /** A file that the run has kept, such as `proofs/F001-i1.json`; null: it has none. */
  file(name: string): Promise<string | null>;
  /** The path of such a file, for people; left out: it is not on this machine. */
  pathOf?(name: string): string;
  /** Its sessions, in the order in which they began. */
  sessions(): Promise<readonly SessionInfo[]>;
  /** What the agent of a session printed, from the beginning or from where the last piece ended. */
  output(session: string, from: OutputPlace | null): Promise<OutputPiece>;
};

export type SessionInfo = {
  readonly session: SessionId;
  readonly role: Role;
  /** Null: it is about the whole run. */
  readonly feature: FeatureId | null;
  readonly attempt: number;
  readonly beganAt: number;
  readonly isOver: boolean;
};
export type OutputPiece = {
  readonly lines: readonly OutputLine[];
  readonly next: OutputPlace;
  /** The session is over; without lines, this was the last piece. */
  readonly isOver: boolean;
};
/** A line as the agent printed it, and what it means. */
export type OutputLine = {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
  readonly signs: readonly Sign[];
};
/** A session that was interrupted has several parts. */
export type OutputPlace = { readonly part: number; readonly stdout: number; readonly stderr: number };
