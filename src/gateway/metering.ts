// What a request is expected to cost, and what its answer does cost, counted as it passes.
import type { Api } from "./api.ts";
import type { Ticket } from "./budget.ts";
import { count, type Json, objectIn, string } from "./json.ts";
import type { Entry, Metered } from "./metered.ts";
import type { GatewayOptions } from "./options.ts";
import { Counter, noTokens } from "./tokens.ts";

/** What an answer may be long when the request does not say. */
const outputTokensUnsaid = 32_000;
/** Fewer bytes than this make no token: what is set aside for the input is never too little. */
const bytesPerToken = 2;
/** How often a long answer is put on record, in tokens. */
const noteEvery = 2000;

/** The most that a request is expected to cost. */
export function reservation(asked: Json, bytes: number, { cost, costAtMost }: GatewayOptions): number {
  const most = count(asked["max_tokens"] ?? asked["max_output_tokens"] ?? asked["max_completion_tokens"]);
  const input = Math.ceil(bytes / bytesPerToken);
  // Chat Completions: several answers to one request.
  const answers = Math.max(1, count(asked["n"]));
  const output = answers * (most > 0 ? most : outputTokensUnsaid);
  const tokens = { ...noTokens, cacheWriteTokens: input, outputTokens: output };
  return cost(string(asked["model"]), tokens) ?? costAtMost(tokens);
}

type MeteringOf = {
  readonly api: Api;
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

  constructor({ api, entry, ticket, metered, options, isOurs }: MeteringOf) {
    this.api = api;
    this.isOurs = isOurs;
    this.#counter = new Counter(api);
    this.#entry = entry;
    this.#ticket = ticket;
    this.#metered = metered;
    this.#options = options;
  }

  body(text: string): void {
    const body = objectIn(text);
    if (body !== null) this.#counter.body(body);
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
    return this.#ticket.costs(this.#cost() ?? this.#atMost());
  }

  note(how: Entry["how"]): void {
    const costUsd = this.#cost();
    this.#ticket.costs(costUsd ?? this.#atMost());
    this.#metered.note({ ...this.#entry, how, tokens: this.#counter.tokens, costUsd });
  }

  #atMost(): number {
    return this.#options.costAtMost(this.#counter.tokens);
  }

  #cost(): number | null {
    const { tokens } = this.#counter;
    const total = tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
    return total === 0 ? 0 : this.#options.cost(this.#entry.model, tokens);
  }
}
