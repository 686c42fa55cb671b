// When codex compacts its conversation. It takes a number of tokens, so the window size must be known.
import type { SessionRequest } from "../agent.ts";

/** The usable window of codex's own models, as it records it. */
const window = 258_400;
const ownModels = /^gpt-5/;

/**
 * For unknown models codex decides: it compacts at 90 % of the window, and never later. A larger window than assumed
 * only means that it compacts earlier.
 */
export function compactionArgs(
  { compactPercent = 100, handoverPercent }: SessionRequest,
  model: string | undefined,
): readonly string[] {
  if (compactPercent >= handoverPercent || (model !== undefined && !ownModels.test(model))) return [];
  return ["-c", `model_auto_compact_token_limit=${Math.floor((window * compactPercent) / 100)}`];
}
