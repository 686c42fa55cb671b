// The configuration of the codex agent.
import type { CliConfig } from "../cli/cli-config.ts";

export type CodexConfig = CliConfig & {
  kind?: "codex";
  /** inherit: the user's configuration decides; core: its sandbox, with the workspace writable; bypass: no sandbox. */
  permissions?: "inherit" | "core" | "bypass";
  /** There are walls around it: its own sandbox is off, and could not start inside them. */
  confined?: boolean;
  /** Its own system prompt, or our short one. Default: its own. */
  prompt?: "full" | "short";
  /** A provider other than the one it is logged in to; `keyEnv` names the variable with the key. */
  provider?: { name: string; baseUrl: string; keyEnv: string };
};
