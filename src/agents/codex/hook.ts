// Makes codex ask the guard before each shell command, by a hook that is trusted for this one process.
import { createHash } from "node:crypto";
import type { SessionRequest } from "../agent.ts";
import { guardHook } from "../guard.ts";
import { toml } from "./toml.ts";

/** Where codex says a hook is from that came on its command line, and which one it is. */
const place = "/<session-flags>/config.toml:pre_tool_use:0:0";

/**
 * A hook that nobody has trusted is skipped without a word. The flag that trusts all of them would also let in what an
 * agent left behind for a later session, so this one alone is trusted, by its hash.
 */
export function hookArgs({ folder, cwd }: SessionRequest): readonly string[] {
  const { matcher, hooks } = guardHook(folder, cwd);
  const [{ type, command, timeout }] = hooks;
  // As codex writes it before it hashes it: keys in order, with what is left out filled in.
  const known = { event_name: "pre_tool_use", hooks: [{ async: false, command, timeout, type }], matcher };
  const hash = createHash("sha256").update(JSON.stringify(known)).digest("hex");
  const hook = `{type=${toml(type)},command=${toml(command)},timeout=${timeout}}`;
  const state = `{${toml(place)}={trusted_hash="sha256:${hash}"}}`;
  return ["-c", `hooks={PreToolUse=[{matcher=${toml(matcher)},hooks=[${hook}]}],state=${state}}`];
}
