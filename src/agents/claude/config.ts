// The configuration of the claude agent.
import type { CliConfig } from "../cli/cli-config.ts";

export type ClaudeConfig = CliConfig & {
  kind?: "claude";
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
};
