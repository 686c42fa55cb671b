// What a request is expected to cost, and what its answer does cost, counted as it passes.
import type { Api } from "./api.ts";
import type { Ticket } from "./budget.ts";
import { count, type Json, objectIn, string } from "./json.ts";
import type { Entry, Metered } from "./metered.ts";
import type { GatewayOptions } from "./options.ts";
import { type Asked, Counter, noTokens, total } from "./tokens.ts";

/** What an answer may be long when the request does not say. */
const outputTokensUnsaid = 32_000;
/** Fewer bytes than this make no token: what is set aside for the input is never too little. */
const bytesPerToken = 2;
/** How often a long answer is put on record, in tokens. */
const noteEvery = 2000;

/** The most that a request is expected to cost. */
export function reservation(asked: Json, bytes: number, { cost, costAtMost }: GatewayOptions): number {
  const input = Math.ceil(bytes / bytesPerToken);
  const tokens = { ...noTokens, cacheWriteTokens: input, outputTokens: mostOutput(asked) };
  return cost(string(asked["model"]), tokens) ?? costAtMost(tokens);
}

export const askedOf = (asked: Json, bytes: number): Asked => ({
  bytes,
  outputTokensMax: asked["stream"] === true ? 0 : mostOutput(asked),
});

function mostOutput(asked: Json): number {
  const most = count(asked["max_tokens"] ?? asked["max_output_tokens"] ?? asked["max_completion_tokens"]);
  return most > 0 ? most : outputTokensUnsaid;
}

type MeteringOf = {
  readonly api: Api;
  readonly asked: Asked;
  readonly entry: Omit<Entry, "how">;
  readonly ticket: Ticket;
  readonly metered: Metered;
  readonly options: GatewayOptions;
  readonly isOurs: boolean;
};

/** Counts an answer, and keeps the record of it. */
export class Metering {
  readonly api: Api;
  /** We asked for the count ourselves, and the agent does not expect it. */
  readonly isOurs: boolean;
  readonly #counter: Counter;
  readonly #entry: Omit<Entry, "how">;
  readonly #ticket: Ticket;
  readonly #metered: Metered;
  readonly #options: GatewayOptions;
  #noted = 0;

  constructor({ api, asked, entry, ticket, metered, options, isOurs }: MeteringOf) {
    this.api = api;
    this.isOurs = isOurs;
    this.#counter = new Counter(api, asked);
    this.#entry = entry;
    this.#ticket = ticket;
    this.#metered = metered;
    this.#options = options;
  }

  body(text: string): void {
    const body = objectIn(text);
    this.#counter.body(body ?? {}, text.length);
  }

  abandoned(): void {
    this.#counter.abandoned();
  }

  /** False: the stream has to be cut. */
  event(data: Json): boolean {
    this.#counter.event(data);
    const { inputTokens, outputTokens } = this.#counter.tokens;
    const isDue = (this.#noted === 0 && inputTokens > 0) || outputTokens - this.#noted >= noteEvery;
    if (isDue) {
      this.#noted = Math.max(1, outputTokens);
      this.note("passing");
    }
    return this.#ticket.costs(this.#cost().costUsd);
  }

  note(how: Entry["how"]): void {
    const cost = this.#cost();
    this.#ticket.costs(cost.costUsd);
    this.#metered.note({ ...this.#entry, how, tokens: this.#counter.tokens, ...cost });
  }

  /** A model without a known price counts as the dearest. */
  #cost(): Pick<Entry, "costUsd" | "isEstimate" | "isUnpriced"> {
    const { tokens, isTold } = this.#counter;
    if (total(tokens) === 0) return { costUsd: 0 };
    const known = this.#options.cost(this.#entry.model, tokens);
    return {
      costUsd: known ?? this.#options.costAtMost(tokens),
      ...(known === null || !isTold ? { isEstimate: true } : {}),
      ...(known === null ? { isUnpriced: true } : {}),
    };
  }
}
