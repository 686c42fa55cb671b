// How a session ended, and its totals over all parts.

import { type Failure, noUsage, type RefusedAction, type Usage, type UsedWindow } from "../../core/session.ts";
import type { Sign } from "../agent.ts";
import { isMild } from "../cli/destructive.ts";

export type SessionResult = SessionTotals & SessionEnd;
export type SessionEnd =
  | { how: "replied"; reply: unknown; text: string }
  | { how: "failed"; failure: Failure }
  /** Interrupted by us; the next call resumes the same session. */
  | { how: "interrupted" };

/** As it is stored. Earlier releases wrote no list of refusals. */
export type StoredResult = {
  readonly version: 1;
  readonly result: Omit<SessionTotals, "refused"> & { readonly refused?: readonly RefusedAction[] } & SessionEnd;
};

/** Totals over all parts so far, including those before a crash. */
export type SessionTotals = {
  usage: Usage;
  nativeId: string | null;
  ms: number;
  parts: number;
  /** Processes that the session left behind and that were ended. */
  strays: number;
  /** The file that was edited again most often. */
  editsMax: { path: string; times: number } | null;
  contextUsed: number | null;
  contextSize: number | null;
  outputBytes: number;
  /** Actions that were refused, each once. */
  refused: readonly RefusedAction[];
  /** How often the agent compacted its conversation; omitted: never. */
  compactions?: number;
  /** As the agent reported it last; omitted: it did not. */
  window?: UsedWindow;
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

/** An agent that invents paths must not fill our memory. */
const pathsMax = 10_000;
/** Nor one that keeps trying to push: its first attempts say enough. */
const refusedMax = 20;
const refusedCharsMax = 300;

/** Collects the totals while parts run or are read again. */
export class Tally {
  usage: Usage = noUsage;
  nativeId: string | null;
  ms = 0;
  parts = 0;
  strays = 0;
  outputBytes = 0;
  #context: { used: number; size: number } | null = null;
  #compactions = 0;
  window: UsedWindow | null = null;
  #lastEdited: string | null = null;
  readonly #edits = new Map<string, number>();
  readonly #refused = new Map<string, RefusedAction>();

  constructor(nativeId: string | null) {
    this.nativeId = nativeId;
  }

  take(sign: Sign): void {
    if (sign.sign === "native-id") this.nativeId = sign.id;
    if (sign.sign === "context") this.#context = { used: sign.used, size: sign.size };
    if (sign.sign === "window") this.window = sign.window;
    if (sign.sign === "compacted") this.#compactions += 1;
    if (sign.sign === "refused") this.#refuse(oneLine(sign.command), oneLine(sign.why));
    // Consecutive edits of one file are one edit; returning to it after another file is the next.
    if (sign.sign !== "edit" || sign.path === this.#lastEdited) return;
    this.#lastEdited = sign.path;
    const times = this.#edits.get(sign.path);
    if (times !== undefined || this.#edits.size < pathsMax) this.#edits.set(sign.path, (times ?? 0) + 1);
  }

  #refuse(command: string, why: string): void {
    if (this.#refused.size < refusedMax)
      this.#refused.set(command, { command, why, ...(isMild(why) ? { mild: true } : {}) });
  }

  /** How full the conversation is; 0 when the agent does not report it. */
  get contextPercent(): number {
    return this.#context === null || this.#context.size <= 0 ? 0 : (100 * this.#context.used) / this.#context.size;
  }

  totals(): SessionTotals {
    let editsMax: SessionTotals["editsMax"] = null;
    for (const [path, times] of this.#edits) if (times > (editsMax?.times ?? 0)) editsMax = { path, times };
    const { usage, nativeId, parts, strays, outputBytes } = this;
    const context = { contextUsed: this.#context?.used ?? null, contextSize: this.#context?.size ?? null };
    const refused = [...this.#refused.values()];
    const compacted = this.#compactions === 0 ? {} : { compactions: this.#compactions };
    return {
      usage,
      nativeId,
      ms: Math.round(this.ms),
      parts,
      strays,
      editsMax,
      ...context,
      outputBytes,
      refused,
      ...compacted,
      ...(this.window === null ? {} : { window: this.window }),
    };
  }
}

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, refusedCharsMax);
