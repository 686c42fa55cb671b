// What a gateway needs to know.
import type { Provider } from "./api.ts";
import type { Tokens } from "./tokens.ts";

/** Where a provider is, and the headers that carry the person's key. */
export type Upstream = { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };

export type GatewayOptions = {
  readonly upstreams: Partial<Record<Provider, Upstream>>;
  /** The session's caps; null: none. */
  readonly costUsdMax: number | null;
  readonly tokensMax: number | null;
  /** The record of what passed. An existing one is continued. */
  readonly record: string;
  /** Hosts that may be reached besides the model; left out: none. */
  readonly hosts?: readonly string[];
  /** The record of other hosts that were asked for. */
  readonly hostsRecord: string;
  /** Null: the model's price is not known. */
  cost(model: string, tokens: Tokens): number | null;
  /** What counts against the cap then. */
  costAtMost(model: string, tokens: Tokens): number;
  /** The longest answer that a model gives, in tokens; null: it is not known. */
  longestAnswer(model: string): number | null;
};
