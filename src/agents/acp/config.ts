// What a person can say about an ACP agent.
import type { Prices } from "../prices.ts";

export type AcpConfig = {
  kind: "acp";
  /** The program that speaks the protocol on its stdin and stdout, and its arguments. */
  command: readonly string[];
  /** Asked for by the session's own option for models, where the agent has one. */
  model?: string;
  /** Names of environment variables of ours that it gets: its key is not passed on unless it is named here. */
  env?: readonly string[];
  /** What it asks for is allowed or refused by role; with bypass, everything is allowed. */
  permissions?: "inherit" | "core" | "bypass";
  prices?: Prices;
};
