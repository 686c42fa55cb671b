// Codex' own folder, for sessions inside walls.
import type { PrivateState } from "../session/private-state.ts";
import { codexHome } from "./home.ts";

export const codexState: PrivateState = {
  variable: "CODEX_HOME",
  persons: codexHome,
  keeps: ["sessions"],
  copies: ["config.toml", "AGENTS.md"],
  login: {
    file: "auth.json",
    tokens: [...["id_token", "access_token", "refresh_token"].map((name) => ["tokens", name]), ["last_refresh"]],
  },
};
