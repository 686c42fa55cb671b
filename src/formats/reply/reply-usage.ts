// The usage that an agent may put into its reply.
import { z } from "zod";
import type { Usage } from "../../core/session.ts";

const count = z.int().min(0).catch(0);
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  // An invalid price is unknown: the ledger then charges the reserved amount, never nothing.
  cost_usd: z.number().min(0).nullable().catch(null),
});

/** The usage in the reply, or null when there is none. */
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
