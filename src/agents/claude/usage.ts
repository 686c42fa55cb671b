// What claude used, from its results and from single messages.
import { noUsage, type Usage } from "../../core/session.ts";
import { count, isObject, type Json, object, string } from "../json.ts";
import { costOf, type Prices, priceOf } from "../prices.ts";
import { addUsage } from "../session-result.ts";

/**
 * The usage of one result. `model_usage_since_last_result` counts once what each turn added. `modelUsage` is, since some
 * version, the sum over the whole conversation, so it counts only where the other is missing: in versions in which it
 * was still the sum over the run. Both contain subagents and compaction, which `usage` leaves out.
 */
export function usageOfResult(result: Json): Usage {
  const models = result["model_usage_since_last_result"] ?? result["modelUsage"];
  if (!isObject(models)) return { ...noUsage, costUsd: null };
  return Object.values(models)
    .map((model) => usageOfModel(object(model)))
    .reduce(addUsage, noUsage);
}

function usageOfModel(model: Json): Usage {
  const cost = model["costUSD"];
  // A model that the agent has no price for is priced like another one: that is a guess, and unknown is better.
  const known = typeof cost === "number" && Number.isFinite(cost) && cost >= 0 && model["costBasis"] !== "unknown";
  return {
    inputTokens: count(model["inputTokens"]),
    outputTokens: count(model["outputTokens"]),
    cacheReadTokens: count(model["cacheReadInputTokens"]),
    cacheWriteTokens: count(model["cacheCreationInputTokens"]),
    costUsd: known ? cost : null,
  };
}

/** One answer of the model, as far as it is known: by the stream only its start, by the transcript all of it. */
export type MessageUsage = { model: string; tokens: Omit<Usage, "costUsd"> };

export function usageOfMessage(message: Json): MessageUsage {
  const usage = object(message["usage"]);
  const tokens = {
    inputTokens: count(usage["input_tokens"]),
    outputTokens: count(usage["output_tokens"]),
    cacheReadTokens: count(usage["cache_read_input_tokens"]),
    cacheWriteTokens: count(usage["cache_creation_input_tokens"]),
  };
  return { model: string(message["model"]), tokens };
}

/** The same message seen twice: each number is the larger one, since counts only grow while an answer is written. */
export function merge(known: MessageUsage | undefined, seen: MessageUsage): MessageUsage {
  if (known === undefined) return seen;
  const [a, b] = [known.tokens, seen.tokens];
  const tokens = {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    cacheReadTokens: Math.max(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: Math.max(a.cacheWriteTokens, b.cacheWriteTokens),
  };
  return { model: seen.model || known.model, tokens };
}

export function usageOfMessages(messages: Iterable<MessageUsage>, prices: Prices | undefined): Usage {
  let total: Usage = noUsage;
  for (const { model, tokens } of messages) {
    total = addUsage(total, { ...tokens, costUsd: costOf(tokens, priceOf(model, prices)) });
  }
  return total;
}

/** How much context the last answer filled. */
export const contextUsed = ({ tokens }: MessageUsage): number =>
  tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;

/** The size of a model's context, for as long as the agent has not said it itself. */
export const contextSize = (model: string): number =>
  /\[1m\]$|^claude-(?:opus-4-[78]|(?:opus|sonnet|haiku|fable)-5)/.test(model) ? 1_000_000 : 200_000;
