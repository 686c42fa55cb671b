// What the loop needs of a coding agent. Every session is a process of its own with its output in files.
import type { FeatureId, RunId, SessionId } from "../core/ids.ts";
import type { Role } from "../core/run.ts";
import type { Failure, Usage } from "../core/session.ts";

/**
 * Drives one coding agent. An adapter only says which process to start and how to read what it printed; starting,
 * watching, ending and finding it again after a crash is the same for all (`session.ts`).
 *
 * Contract: nothing here throws for anything an agent can print or leave out, and `launch` is pure, so that asking
 * twice for the same session gives the same process.
 */
export interface Agent {
  readonly name: string;
  /** Does it compact a conversation at `compactPercent`? Left out: it does not say how full its context is, either. */
  readonly compacts?: boolean;
  /** What this machine has of it. Spends nothing, takes at most a few seconds. */
  probe(): Promise<Probe>;
  launch(request: SessionRequest): Launch;
  /** A fresh reader for one process' output. */
  reader(request: SessionRequest): Reader;
}

export type Probe =
  | { found: true; version: string; path: string; login: "yes" | "no" | "unknown"; note?: string }
  | { found: false; why: string; next: string };

export type { Role } from "../core/run.ts";

export type SessionRequest = {
  run: RunId;
  session: SessionId;
  role: Role;
  feature: FeatureId | null;
  /** Which try at this feature in this role it is, from 1. */
  attempt: number;
  prompt: string;
  /** The whole task, where `prompt` goes on with an earlier session's conversation and that turns out to be gone. */
  freshPrompt?: string;
  /** JSON Schema of the reply, for agents that can be held to one. */
  replySchema: unknown;
  /** Where the agent works: the workspace, or the scratch checkout for a verifier. */
  cwd: string;
  /** May it change files there? */
  mayWrite: boolean;
  /** The session's own folder in the vault: prompt, output, reply and result are here. */
  folder: string;
  /** Which process of this session it is: 1, and more when it was cut short and is resumed. */
  part: number;
  /** The agent's own name for the conversation, once known (from an earlier part); null on the first. */
  nativeId: string | null;
  /** What this session may cost, to be passed on where the agent has a cap of its own; null: unlimited. */
  costUsdMax: number | null;
  timeoutMs: number;
  silenceMs: number;
  /** How full its context may get before the agent compacts it, where it can be told to; left out: never. */
  compactPercent?: number;
  /** How full its context may get before the session is closed, so that a fresh one can go on. */
  handoverPercent: number;
};

export type Launch = {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment but for the markers, which the leash adds. */
  env: Readonly<Record<string, string>>;
  /** What goes to stdin, which is then closed; "prompt" is the prompt file. */
  stdin: "prompt" | "nothing";
  /** Files that the process reads, written before it starts: whole paths inside the session's folder. */
  files?: readonly { path: string; content: string }[];
  /** How to ask it to end: most take SIGTERM. It gets 3 s, then SIGKILL: all is over within 5. */
  endSignal: "SIGTERM" | "SIGINT";
};

/** Reads output as it comes. `line` gets each line once, without its end; a longer line than 1 MB comes cut and marked. */
export interface Reader {
  line(text: string, cut: boolean): readonly Sign[];
  /** The same for stderr, for agents whose stderr means something while they run. */
  errorLine?(text: string, cut: boolean): readonly Sign[];
  /** Once, after the process ended (or, with `exit` null, when it was found gone after a crash). */
  end(exit: Exit | null, files: { reply: string | null; stdoutTail: string; stderrTail: string }): Ending;
}
/** What a line meant. Only `progress` keeps the no-progress watchdog quiet; `result` means that nothing more is needed. */
export type Sign =
  | { sign: "progress"; note?: string }
  | { sign: "native-id"; id: string }
  | { sign: "edit"; path: string }
  | { sign: "context"; used: number; size: number }
  | { sign: "usage"; usage: Usage }
  /** The agent made its conversation shorter, and goes on in it. */
  | { sign: "compacted" }
  /** It tried what no session does, and was told no. */
  | { sign: "refused"; command: string; why: string }
  | { sign: "result" };

export type Exit = { code: number | null; signal: string | null };

export type Ending = { usage: Usage; nativeId: string | null } & (
  | { how: "replied"; reply: unknown; text: string }
  | { how: "failed"; failure: Failure }
);
