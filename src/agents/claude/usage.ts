// Claude's usage, from its results and from single messages.
import { noUsage, type Usage } from "../../core/session.ts";
import { count, isObject, type Json, object, string } from "../cli/json.ts";
import { costOfRequest, type Prices, priceOf } from "../prices.ts";
import { addUsage } from "../session/session-result.ts";

/**
 * The usage of one result. `model_usage_since_last_result` is what each turn added. `modelUsage` became the sum over
 * the whole conversation at some version, so it is used only if the other is missing: in versions where it was the sum
 * over the run. Both include subagents and compaction, which `usage` omits.
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
  // The agent prices an unknown model like another one: that is a guess, and unknown is better.
  const known = typeof cost === "number" && Number.isFinite(cost) && cost >= 0 && model["costBasis"] !== "unknown";
  return {
    inputTokens: count(model["inputTokens"]),
    outputTokens: count(model["outputTokens"]),
    cacheReadTokens: count(model["cacheReadInputTokens"]),
    cacheWriteTokens: count(model["cacheCreationInputTokens"]),
    costUsd: known ? cost : null,
  };
}

/** One answer of the model: the stream only has its start, the transcript all of it. */
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

/** The same message seen twice: take the larger numbers, since counts only grow while an answer is written. */
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
    total = addUsage(total, { ...tokens, costUsd: costOfRequest(tokens, priceOf(model, prices)) });
  }
  return total;
}

/** How much of the context the last answer filled. */
export const contextUsed = ({ tokens }: MessageUsage): number =>
  tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;

/** The size of a model's context, until the agent reports it. */
export const contextSize = (model: string): number =>
  /\[1m\]$|^claude-(?:opus-4-[78]|(?:opus|sonnet|haiku|fable)-5)/.test(model) ? 1_000_000 : 200_000;
