// Makes codex call the guard before each shell command, by a hook trusted only for this process.
import { createHash } from "node:crypto";
import type { SessionRequest } from "../agent.ts";
import { guardHook } from "../cli/guard.ts";
import { toml } from "./toml.ts";

/** The source and index that codex gives a hook from its command line. */
const place = "/<session-flags>/config.toml:pre_tool_use:0:0";

/**
 * Codex silently skips an untrusted hook. The flag that trusts all of them would include hooks that an agent left for a
 * later session, so trust only this one, by its hash.
 */
export function hookArgs({ folder, cwd }: SessionRequest): readonly string[] {
  const { matcher, hooks } = guardHook(folder, cwd);
  const [{ type, command, timeout }] = hooks;
  // As codex serializes it for the hash: keys sorted, defaults filled in.
  const known = { event_name: "pre_tool_use", hooks: [{ async: false, command, timeout, type }], matcher };
  const hash = createHash("sha256").update(JSON.stringify(known)).digest("hex");
  const hook = `{type=${toml(type)},command=${toml(command)},timeout=${timeout}}`;
  const state = `{${toml(place)}={trusted_hash="sha256:${hash}"}}`;
  return ["-c", `hooks={PreToolUse=[{matcher=${toml(matcher)},hooks=[${hook}]}],state=${state}}`];
}
