// When claude compacts its own conversation: cheaper than a fresh session, and it stays the same one.
import type { SessionRequest } from "../agent.ts";
import { contextSize } from "./usage.ts";

/** Of the window it keeps this much free for the summary, and takes its percentage of the rest. */
const keptFree = 20_000;
/** Larger than any model's window, of which it takes the smaller. Unless one is named it compacts only when it has to. */
const anyWindow = 1_000_000;

/** Its own settings, in the environment: the version with a flag for it is not the only one about. */
export function compactionEnv(
  { compactPercent = 100, handoverPercent }: SessionRequest,
  model: string | undefined,
): Record<string, string> {
  // A session that is handed over before has nothing to compact.
  if (compactPercent >= handoverPercent) return {};
  const size = contextSize(model ?? "");
  const percent = Math.min(100, (compactPercent * size) / (size - keptFree));
  return {
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(anyWindow),
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent.toFixed(2),
  };
}
