// Counts the tokens of each request as a provider with a prefix cache would.
import { estimateTokens, type ModelRequest, type Step, type StepUsage } from "./step.ts";

// Providers cache nothing shorter than about a thousand tokens.
const cacheableCharsMin = 4096;

/** A meter remembers the last request of each model: a common prefix with it counts as read from the cache. */
export function createMeter(): (request: ModelRequest, step: Step) => StepUsage {
  const last = new Map<string, string>();
  return (request, step) => {
    const key = `${request.api} ${request.model} ${request.side}`;
    const sent = prefixOf(request);
    const shared = sharedLength(last.get(key) ?? "", sent);
    last.set(key, sent);
    const total = estimateTokens(sent);
    const cacheRead = shared > cacheableCharsMin ? Math.floor(shared / 4) : 0;
    const fresh = Math.max(0, total - cacheRead);
    const input = Math.min(4, fresh);
    return { input, cacheWrite: fresh - input, cacheRead, output: outputOf(step), ...step.usage };
  };
}

function prefixOf({ raw }: ModelRequest): string {
  const parts = [raw["system"] ?? raw["instructions"], raw["tools"], raw["messages"] ?? raw["input"]];
  // Cache markers move from request to request and are not part of the cached content.
  return JSON.stringify(parts).replace(/"cache_control":\{[^}]*\},?/g, "");
}

function sharedLength(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  let at = 0;
  while (at < max && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function outputOf(step: Step): number {
  const calls = (step.tools ?? []).reduce((sum, tool) => sum + estimateTokens(tool.input) + 20, 0);
  return Math.max(1, estimateTokens(step.text ?? "") + estimateTokens(step.thinking ?? "") + calls);
}
