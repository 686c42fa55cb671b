// What an ACP agent used. The protocol leaves much open, so unknown numbers stay unknown and are never guessed.
import { noUsage, type Usage } from "../../core/session.ts";
import { count, isObject, type Json, object, string } from "../cli/json.ts";
import { costOf, type Prices, priceOf } from "../prices.ts";

/** `isWhole`: the conversation started with this process, so its total cost is the cost of this process. */
export function usageOf(said: Json, isWhole: boolean, model: string, prices: Prices | undefined): Usage {
  if (!isObject(said["usage"])) return { ...noUsage, costUsd: isWhole ? reported(said["cost"]) : null };
  const tokens = tokensOf(object(said["usage"]));
  const priced = () => costOf(tokens, priceOf(model || string(said["model"]), prices));
  return { ...tokens, costUsd: (isWhole ? reported(said["cost"]) : null) ?? priced() };
}

const reported = (cost: unknown): number | null =>
  typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? cost : null;

/** Some count cached tokens as input too: then the total is only input plus output. We count each token once. */
function tokensOf(usage: Json): Omit<Usage, "costUsd"> {
  const [input, output, total] = [usage["inputTokens"], usage["outputTokens"], usage["totalTokens"]].map(count) as [
    number,
    number,
    number,
  ];
  const cacheReadTokens = count(usage["cachedReadTokens"]);
  const cacheWriteTokens = count(usage["cachedWriteTokens"]);
  const cached = cacheReadTokens + cacheWriteTokens;
  const inputTokens = total === input + output ? Math.max(0, input - cached) : input;
  return { inputTokens, outputTokens: output, cacheReadTokens, cacheWriteTokens };
}
