// The configuration of an ACP agent.
import type { Prices } from "../prices.ts";

export type AcpConfig = {
  kind: "acp";
  /** The program that speaks the protocol on its stdin and stdout, and its arguments. */
  command: readonly string[];
  /** Selected by the session's model option, if the agent has one. */
  model?: string;
  /** Names of environment variables to pass on: not even its key is passed on unless it is named here. */
  env?: readonly string[];
  /** Requests are allowed or refused by role; with bypass, everything is allowed. */
  permissions?: "inherit" | "core" | "bypass";
  prices?: Prices;
};
