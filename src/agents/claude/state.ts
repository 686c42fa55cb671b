// Claude's own folder, for sessions inside walls.
import { join } from "node:path";
import { object } from "../cli/json.ts";
import type { PrivateState } from "../session/private-state.ts";

export const claudeState: PrivateState = {
  variable: "CLAUDE_CONFIG_DIR",
  persons: (env) => env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? "/", ".claude"),
  keeps: ["projects"],
  copies: ["settings.json", "CLAUDE.md"],
  login: {
    file: ".credentials.json",
    tokens: ["accessToken", "refreshToken", "expiresAt"].map((name) => ["claudeAiOauth", name]),
    account: ["scopes", "subscriptionType"].map((name) => ["claudeAiOauth", name]),
    expiresAt(file) {
      const at = object(file["claudeAiOauth"])["expiresAt"];
      return typeof at === "number" ? at : null;
    },
  },
};
