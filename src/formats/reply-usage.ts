// The usage that an agent may put into its reply.
import { z } from "zod";
import type { Usage } from "../core/session.ts";

const count = z.int().min(0).catch(0);
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  // A price that is no price is not known: the ledger then charges what it reserved, never nothing.
  cost_usd: z.number().min(0).nullable().catch(null),
});

/** What the reply says it used, or null when it does not say. */
export function replyUsage(reply: unknown): Usage | null {
  try {
    const parsed = z.object({ usage }).safeParse(reply);
    if (!parsed.success) return null;
    const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd } = parsed.data.usage;
    return {
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      cacheReadTokens: cache_read_tokens,
      cacheWriteTokens: cache_write_tokens,
      costUsd: cost_usd,
    };
  } catch {
    return null;
  }
}
