// When claude compacts its conversation: cheaper than a fresh session, and the conversation continues.
import type { SessionRequest } from "../agent.ts";
import { contextSize } from "./usage.ts";

/** It keeps this much of the window free for the summary, and applies its percentage to the rest. */
const keptFree = 20_000;
/** Larger than any model's window; claude uses the smaller one. Without a value it compacts only when it must. */
const anyWindow = 1_000_000;

/** As environment variables: not every version in use has a flag for it. */
export function compactionEnv(
  { compactPercent = 100, handoverPercent }: SessionRequest,
  model: string | undefined,
): Record<string, string> {
  // A session that is handed over first never compacts.
  if (compactPercent >= handoverPercent) return {};
  const size = contextSize(model ?? "");
  const percent = Math.min(100, (compactPercent * size) / (size - keptFree));
  return {
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(anyWindow),
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent.toFixed(2),
  };
}
