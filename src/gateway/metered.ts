// What passed through a session's gateway, on disk: each request once, also after a kill.
import { appendFileSync } from "node:fs";
import { noUsage, type Usage } from "../core/session.ts";
import { meteredLine } from "../formats/kept/session-files.ts";
import { readIfExists } from "../host/disk.ts";
import type { Tokens } from "./tokens.ts";

/** A later line about a request replaces an earlier one: the first says that it began. */
export type Entry = {
  readonly id: string;
  readonly model: string;
  readonly how: "begun" | "passing" | "answered" | "cut" | "refused";
  readonly tokens: Tokens;
  readonly costUsd: number;
  /** The model has no known price, or the provider's own count has not arrived. */
  readonly isEstimate?: true;
  /** The dearest price that is known was counted. */
  readonly isUnpriced?: true;
};

/** An agent that does not take no for an answer must not fill the record. */
const refusedMax = 100;

/** The requests of a session, in memory and in its file, which an earlier process may have begun. */
export class Metered {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  #refused = 0;

  /** `costAtMost`: for lines of an earlier version, which has no cost of a model without a known price. */
  constructor(file: string, costAtMost: (model: string, tokens: Tokens) => number) {
    this.#file = file;
    for (const entry of entriesIn(readIfExists(file) ?? "", costAtMost)) this.#entries.set(entry.id, entry);
  }

  /** False: it could not be written, for example on a full disk. */
  note(entry: Entry): boolean {
    if (entry.how === "refused" && ++this.#refused > refusedMax) return true;
    this.#entries.set(entry.id, entry);
    try {
      appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
      return true;
    } catch {
      return false;
    }
  }

  /** Models whose price is not known, each once. */
  get unpriced(): readonly string[] {
    const unknown = [...this.#entries.values()].filter(({ isUnpriced }) => isUnpriced === true);
    return [...new Set(unknown.map(({ model }) => model))];
  }

  /** Null when nothing passed: the agent's own count is then all there is. */
  usage(): Usage | null {
    return usageOf([...this.#entries.values()]);
  }
}

function entriesIn(text: string, costAtMost: (model: string, tokens: Tokens) => number): Entry[] {
  return text.split("\n").flatMap((line) => {
    // A line that a kill cut off says nothing.
    const entry = meteredLine.parseIfPossible<Omit<Entry, "costUsd"> & { costUsd: number | null }>(line);
    if (entry === null) return [];
    const known =
      entry.costUsd === null ? { costUsd: costAtMost(entry.model, entry.tokens), isEstimate: true as const } : {};
    return [{ ...entry, costUsd: entry.costUsd ?? 0, ...known }];
  });
}

/** What a session's record says, without its gateway: a request that has no cost counts as nothing. */
export const meteredUsage = (text: string): Usage | null =>
  usageOf([...new Map(entriesIn(text, () => 0).map((entry) => [entry.id, entry])).values()]);

function usageOf(entries: readonly Entry[]): Usage | null {
  const paid = entries.filter(({ how }) => how !== "refused");
  if (paid.length === 0) return null;
  return paid.reduce<Usage>(
    (sum, { tokens, costUsd, isEstimate }) => ({
      inputTokens: sum.inputTokens + tokens.inputTokens,
      outputTokens: sum.outputTokens + tokens.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + tokens.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + tokens.cacheWriteTokens,
      costUsd: (sum.costUsd ?? 0) + costUsd,
      ...(sum.isEstimate === true || isEstimate === true ? { isEstimate: true } : {}),
    }),
    noUsage,
  );
}
