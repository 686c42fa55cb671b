// What the loop needs from a coding agent. Every session is a separate process with its output in files.
import type { FeatureId, RunId, SessionId } from "../core/ids.ts";
import type { Role } from "../core/run.ts";
import type { Failure, Usage, UsedWindow } from "../core/session.ts";

/**
 * Drives one coding agent. An adapter only defines which process to start and how to read its output; starting,
 * watching, ending and finding it again after a crash is the same for all (`session.ts`).
 *
 * Contract: nothing here throws, whatever an agent prints or omits, and `launch` is pure, so that calling it twice for
 * the same session gives the same process.
 */
export interface Agent {
  readonly name: string;
  /** Whether it compacts a conversation at `compactPercent`. Omitted: it does not report its context size either. */
  readonly compacts?: boolean;
  /** Each of its processes gets the whole task: what it remembers of earlier ones is its own business. */
  readonly needsWholePrompt?: true;
  /** What this machine has of it. Costs nothing, takes at most a few seconds. */
  probe(): Promise<Probe>;
  /** The process to start for a session. */
  launch(request: SessionRequest): Launch;
  /** A fresh reader for one process's output. */
  reader(request: SessionRequest): Reader;
}

/** Whether the agent can be used here. `why` and `next` are for the person who has to install it. */
export type Probe =
  | {
      found: true;
      version: string;
      path: string;
      login: "yes" | "no" | "unknown";
      loginFrom?: string;
      /** A plan is paid for, and not each token: what a session costs is an estimate. */
      isSubscription?: true;
      note?: string;
      /** What to do instead of logging in. */
      next?: string;
    }
  | { found: false; why: string; next: string };

export type { Role } from "../core/run.ts";

/** One session: who works on what, where, and within which bounds. */
export type SessionRequest = {
  run: RunId;
  session: SessionId;
  role: Role;
  feature: FeatureId | null;
  /** The attempt at this feature in this role, from 1. */
  attempt: number;
  prompt: string;
  /** The whole task, if `prompt` continues an earlier session's conversation and that turns out to be lost. */
  freshPrompt?: string;
  /** JSON Schema of the reply, for agents that support one. */
  replySchema: unknown;
  /** Where the agent works: the workspace, or the scratch checkout for a verifier. */
  cwd: string;
  /** May it change files in `cwd`? */
  mayWrite: boolean;
  /** The session's own folder in the vault: prompt, output, reply and result are here. */
  folder: string;
  /** The number of this process in the session: 1, and more after an interruption. */
  part: number;
  /** The agent's own name for the conversation, if known from an earlier part; null on the first. */
  nativeId: string | null;
  /** The session's cost cap, passed on if the agent supports one; null: unlimited. */
  costUsdMax: number | null;
  /** The tokens that it may use; omitted: unlimited. The session is ended when its agent reports more. */
  tokensMax?: number;
  /** How much of the subscription's window may be used; omitted: all of it. The session is ended there. */
  windowPercentMax?: number;
  timeoutMs: number;
  silenceMs: number;
  /** How full the context may get before the agent compacts it, if it can; omitted: never. */
  compactPercent?: number;
  /** How full the context may get before the session is closed, so that a fresh one can continue. */
  handoverPercent: number;
};

/** The process to start for a session. The loop starts, watches and ends it. */
export type Launch = {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment except the markers, which the leash adds. */
  env: Readonly<Record<string, string>>;
  /** The input on stdin, which is then closed; "prompt" is the prompt file. */
  stdin: "prompt" | "nothing";
  /** Files that the process reads, written before it starts: absolute paths inside the session's folder. */
  files?: readonly { path: string; content: string }[];
  /** Programs that the process starts in turn, with their arguments: inside walls they have to be visible. */
  programs?: readonly string[];
  /** The signal to end it: most take SIGTERM. It gets 3 s, then SIGKILL: all is over within 5. */
  endSignal: "SIGTERM" | "SIGINT";
};

/** Reads output as it arrives. `line` gets each line once, without its end; a line over 1 MB is cut and marked. */
export interface Reader {
  /** What a line of the output means. */
  line(text: string, cut: boolean): readonly Sign[];
  /** The same for stderr, for agents that print events there. */
  errorLine?(text: string, cut: boolean): readonly Sign[];
  /** About once a second: what else there is to see, such as usage that the agent only records. */
  look?(): readonly Sign[];
  /** Once, after the process exited (or, with `exit` null, when it was found gone after a crash). */
  end(exit: Exit | null, files: { reply: string | null; stdoutTail: string; stderrTail: string }): Ending;
}
/** The meaning of a line. Only `progress` resets the no-progress watchdog; `result` means that it is complete. */
export type Sign =
  | { sign: "progress"; note?: string }
  | { sign: "native-id"; id: string }
  | { sign: "edit"; path: string }
  | { sign: "context"; used: number; size: number }
  /** How much of the subscription's window is used, whoever used it. */
  | { sign: "window"; window: UsedWindow }
  /** Tokens and money of this process so far; from session.ts: of the session so far. */
  | { sign: "usage"; usage: Usage }
  /** A tool is in use until `tool-ended` with the same `call`. `argument`: the command, file or pattern. */
  | { sign: "tool"; call: string; name: string; argument: string }
  | { sign: "tool-ended"; call: string; failed: boolean }
  /** What the agent says between its actions. */
  | { sign: "said"; text: string }
  /** A line of output that has no known meaning. */
  | { sign: "output"; text: string }
  /** The agent shortened its conversation, and continues in it. */
  | { sign: "compacted" }
  /** It tried something that no session may do, and was refused. */
  | { sign: "refused"; command: string; why: string }
  | { sign: "result" };

/** How the process ended. Both are null if that is unknown. */
export type Exit = { code: number | null; signal: string | null };

/** How a session ended: with a reply, or with a failure of a known class; and what it used. */
export type Ending = {
  usage: Usage;
  nativeId: string | null;
  /** The cost is that of the whole session so far, and not of this process alone. */
  costsWhole?: true;
} & ({ how: "replied"; reply: unknown; text: string } | { how: "failed"; failure: Failure });
