// When codex compacts its own conversation. It takes a number of tokens, so the window has to be known beforehand.
import type { SessionRequest } from "../agent.ts";

/** What codex makes of the window of its own models, as it writes it down itself. */
const window = 258_400;
const ownModels = /^gpt-5/;

/**
 * For a model that we do not know it is left to codex, which compacts at nine tenths of the window; later than that it
 * never does. A window that is larger than we think only means that it compacts sooner.
 */
export function compactionArgs(
  { compactPercent = 100, handoverPercent }: SessionRequest,
  model: string | undefined,
): readonly string[] {
  if (compactPercent >= handoverPercent || (model !== undefined && !ownModels.test(model))) return [];
  return ["-c", `model_auto_compact_token_limit=${Math.floor((window * compactPercent) / 100)}`];
}
