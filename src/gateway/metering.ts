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
  const { outputTokensMax } = asked;
  const ofMoney = usd.reserve({
    held: costOf(asked, most, outputTokensMax, options),
    own: costOf(asked, own, outputTokensMax, options),
  });
  if (ofMoney === null) return "cost";
  const ofTokens = tokens.reserve({ held: most + outputTokensMax, own: 0 });
  if (ofTokens !== null) return { usd: ofMoney, tokens: ofTokens };
  ofMoney.settle();
  return "tokens";
}

/** The longest answer that fits into each budget. Input is not in it for money: most of it is read from a cache, for a tenth. */
export function roomFor(
  { usd, tokens }: Budgets,
  asked: Asked,
  options: GatewayOptions,
): Readonly<Record<Spent, number>> {
  const { own, needed } = asked.inputTokens;
  const million = costOf(asked, own, 1e6, options) - costOf(asked, own, 0, options);
  return {
    cost: usd.left === null || million <= 0 ? Number.POSITIVE_INFINITY : Math.floor((usd.left / million) * 1e6),
    tokens: tokens.left === null ? Number.POSITIVE_INFINITY : tokens.left - needed,
  };
}

function costOf(asked: Asked, input: number, output: number, { cost, costAtMost }: GatewayOptions): number {
  const hour = asked.cachesForAnHour ? { cacheWriteHourTokens: input } : {};
  const tokens = { ...noTokens, cacheWriteTokens: input, ...hour, outputTokens: output };
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
