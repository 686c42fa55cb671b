// What a person can say about the codex agent.
import type { Prices } from "../prices.ts";

export type CodexConfig = {
  kind?: "codex";
  /** The program; by default `codex` on PATH. */
  path?: string;
  model?: string;
  effort?: string;
  /** More arguments, put before the prompt. */
  args?: readonly string[];
  /** Names of environment variables of ours that it gets, besides what it needs anyway. */
  env?: readonly string[];
  /** inherit: the user's configuration decides; core: its sandbox, open for the workspace; bypass: no sandbox. */
  permissions?: "inherit" | "core" | "bypass";
  /** Its own working instructions, or short ones of ours. Default: its own. */
  prompt?: "full" | "short";
  /** A provider other than the one it is logged in to; `keyEnv` names the variable that holds the key. */
  provider?: { name: string; baseUrl: string; keyEnv: string };
  prices?: Prices;
};
