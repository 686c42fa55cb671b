// The configuration of the codex agent.
import type { Prices } from "../prices.ts";

export type CodexConfig = {
  kind?: "codex";
  /** The program; by default `codex` on PATH. */
  path?: string;
  model?: string;
  effort?: string;
  /** Additional arguments, before the prompt. */
  args?: readonly string[];
  /** Names of additional environment variables to pass on. */
  env?: readonly string[];
  /** inherit: the user's configuration decides; core: its sandbox, with the workspace writable; bypass: no sandbox. */
  permissions?: "inherit" | "core" | "bypass";
  /** There are walls around it: its own sandbox is off, and could not start inside them. */
  confined?: boolean;
  /** Its own system prompt, or our short one. Default: its own. */
  prompt?: "full" | "short";
  /** A provider other than the one it is logged in to; `keyEnv` names the variable with the key. */
  provider?: { name: string; baseUrl: string; keyEnv: string };
  prices?: Prices;
};
