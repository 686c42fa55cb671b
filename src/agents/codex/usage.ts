// Codex's usage numbers, converted to ours.
import type { Usage } from "../../core/session.ts";
import { count, object } from "../cli/json.ts";

type Tokens = Omit<Usage, "costUsd">;

/** Codex includes cached tokens in the input; we count each token once. */
export function tokensOf(usage: unknown): Tokens {
  const said = object(usage);
  const cacheReadTokens = count(said["cached_input_tokens"]);
  const cacheWriteTokens = count(said["cache_write_input_tokens"]);
  const inputTokens = Math.max(0, count(said["input_tokens"]) - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, outputTokens: count(said["output_tokens"]), cacheReadTokens, cacheWriteTokens };
}
