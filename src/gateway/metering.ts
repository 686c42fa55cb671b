// What a request may use, and what its answer does use, counted as it passes.
import type { Api } from "./api.ts";
import type { Asked } from "./asked.ts";
import type { Budget, Ticket } from "./budget.ts";
import { type Json, objectIn } from "./json.ts";
import type { Entry, Metered } from "./metered.ts";
import type { GatewayOptions } from "./options.ts";
import { Counter, noTokens, total } from "./tokens.ts";

/** How often a long answer is put on record, in tokens. */
const noteEvery = 2000;

/** What a session has: a bound in money, and one in tokens. */
export type Budgets = { readonly usd: Budget; readonly tokens: Budget };
export type Tickets = { readonly usd: Ticket; readonly tokens: Ticket };
export type Spent = "cost" | "tokens";

/** Sets aside what a request may use; or says of what too little is left. */
export function setAside({ usd, tokens }: Budgets, asked: Asked, options: GatewayOptions): Tickets | Spent {
  const { own, most } = asked.inputTokens;
  const ofMoney = usd.reserve({ held: costOf(asked, most, options), over: costOf(asked, own, options) });
  if (ofMoney === null) return "cost";
  const ofTokens = tokens.reserve({ held: most + asked.outputTokensMax, over: 0 });
  if (ofTokens !== null) return { usd: ofMoney, tokens: ofTokens };
  ofMoney.settle();
  return "tokens";
}

function costOf(asked: Asked, input: number, { cost, costAtMost }: GatewayOptions): number {
  const hour = asked.cachesForAnHour ? { cacheWriteHourTokens: input } : {};
  const tokens = { ...noTokens, cacheWriteTokens: input, ...hour, outputTokens: asked.outputTokensMax };
  const region = asked.isRegional ? { isRegional: true as const } : {};
  return cost(asked.model, { ...tokens, ...region }) ?? costAtMost(asked.model, { ...tokens, ...region });
}

const secondsSince = (time: number): number => (performance.now() - time) / 1000;

type MeteringOf = {
  readonly api: Api;
  readonly asked: Asked;
  readonly entry: Omit<Entry, "how">;
  readonly tickets: Tickets;
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
  readonly #tickets: Tickets;
  readonly #metered: Metered;
  readonly #options: GatewayOptions;
  #noted = 0;
  readonly #asked: Asked;
  readonly #sent = performance.now();
  /** When the first event of a stream came. */
  #since: number | null = null;

  constructor({ api, asked, entry, tickets, metered, options, isOurs }: MeteringOf) {
    this.api = api;
    this.isOurs = isOurs;
    this.#counter = new Counter(api, asked);
    this.#asked = asked;
    this.#entry = entry;
    this.#tickets = tickets;
    this.#metered = metered;
    this.#options = options;
  }

  body(text: string): void {
    const body = objectIn(text);
    this.#counter.body(body ?? {}, text.length);
  }

  /** The agent has left. A provider ends a stream then; another answer it may finish, and charge. */
  abandoned(): void {
    if (this.#asked.isStream) this.#counter.cutAfter(secondsSince(this.#sent));
    else this.#counter.abandoned();
  }

  /** Null: the stream goes on. Otherwise it has to be cut, because of this. */
  event(data: Json): Spent | null {
    this.#since ??= performance.now();
    this.#counter.event(data);
    const { inputTokens, outputTokens } = this.#counter.tokens;
    const isDue = (this.#noted === 0 && inputTokens > 0) || outputTokens - this.#noted >= noteEvery;
    if (isDue) {
      this.#noted = Math.max(1, outputTokens);
      this.note("passing");
    }
    return this.#count();
  }

  note(how: Entry["how"]): void {
    if ((how === "cut" || this.#counter.isOdd) && this.#since !== null && !this.#counter.isTold)
      this.#counter.cutAfter(secondsSince(this.#since));
    this.#count();
    this.#metered.note({ ...this.#entry, how, tokens: this.#counter.tokens, ...this.#cost() });
  }

  #count(): Spent | null {
    const { usd, tokens } = this.#tickets;
    const fitsMoney = usd.costs(this.#cost().costUsd);
    const fitsTokens = tokens.costs(total(this.#counter.tokens));
    return fitsMoney ? (fitsTokens ? null : "tokens") : "cost";
  }

  /** A model without a known price counts as the dearest of its provider. */
  #cost(): Pick<Entry, "costUsd" | "isEstimate" | "isUnpriced"> {
    const { tokens, isTold } = this.#counter;
    if (total(tokens) === 0) return { costUsd: 0 };
    const known = this.#options.cost(this.#entry.model, tokens);
    return {
      costUsd: known ?? this.#options.costAtMost(this.#entry.model, tokens),
      ...(known === null || !isTold ? { isEstimate: true } : {}),
      ...(known === null ? { isUnpriced: true } : {}),
    };
  }
}
