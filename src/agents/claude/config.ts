// What a person can say about the claude agent.
import type { Prices } from "../prices.ts";

export type ClaudeConfig = {
  kind?: "claude";
  /** The program; by default `claude` on PATH. */
  path?: string;
  model?: string;
  effort?: string;
  /** More arguments, put last. */
  args?: readonly string[];
  /** Names of environment variables of ours that it gets, besides what it needs anyway. */
  env?: readonly string[];
  /** inherit: the user's own settings decide; core: its file and shell tools are allowed; bypass: nothing is asked. */
  permissions?: "inherit" | "core" | "bypass";
  /** Its own working instructions, or short ones of ours. Default: its own for makers, ours for verifiers. */
  prompt?: "full" | "short";
  /** More of its own tools for makers, beside reading, editing and running. */
  tools?: readonly string[];
  /** May sessions that must not write run commands? They work in a scratch checkout. Default: yes. */
  verifiersRun?: boolean;
  /**
   * The hash of the repository's own agent settings (`repositorySettings`) that a person has read. As long as they are
   * still those, they are loaded; otherwise hooks, servers and settings that a repository brings along are not.
   */
  trust?: string;
  prices?: Prices;
};
