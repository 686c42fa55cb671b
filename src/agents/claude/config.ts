// The configuration of the claude agent.
import type { Prices } from "../prices.ts";

export type ClaudeConfig = {
  kind?: "claude";
  /** The program; by default `claude` on PATH. */
  path?: string;
  model?: string;
  effort?: string;
  /** Additional arguments, at the end. */
  args?: readonly string[];
  /** Names of additional environment variables to pass on. */
  env?: readonly string[];
  /** inherit: the user's own settings decide; core: its file and shell tools are allowed; bypass: it never asks. */
  permissions?: "inherit" | "core" | "bypass";
  /** Its own system prompt, or our short one. Default: its own for makers, ours for verifiers. */
  prompt?: "full" | "short";
  /** Additional claude tools for makers, apart from reading, editing and running. */
  tools?: readonly string[];
  /** May read-only sessions run commands? They work in a scratch checkout. Default: yes. */
  verifiersRun?: boolean;
  /**
   * The hash of the repository's agent settings (`repositorySettings`) that a person has reviewed. While it matches,
   * they are loaded; otherwise the repository's hooks, servers and settings are not.
   */
  trust?: string;
  prices?: Prices;
};
