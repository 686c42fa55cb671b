// Codex' own folder, for sessions inside walls.
import { object, objectIn } from "../cli/json.ts";
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
    account: [["tokens", "account_id"], ["auth_mode"], ["OPENAI_API_KEY"]],
    expiresAt: (file) => claimedExpiry(object(file["tokens"])["access_token"]) ?? refreshDue(file["last_refresh"]),
  },
};

/** The time in a token that states one. */
function claimedExpiry(token: unknown): number | null {
  const claims = objectIn(
    Buffer.from(typeof token === "string" ? (token.split(".")[1] ?? "") : "", "base64url").toString(),
  );
  const at = claims?.["exp"];
  return typeof at === "number" ? at * 1000 : null;
}

/** Codex refreshes tokens of this age. */
const refreshMs = 8 * 24 * 3_600_000;
const refreshDue = (at: unknown): number | null => {
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? null : time + refreshMs;
};
