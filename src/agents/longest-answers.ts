// How long an answer each model gives at most, in tokens, as its provider says it.
import { namesOf } from "./prices.ts";

// As of 2026-11-15, with the longest that a beta header allows.
const table: ReadonlyMap<string, number> = new Map([
  ["claude-3-5-haiku", 8192],
  ...["claude-opus-4", "claude-opus-4-0", "claude-opus-4-1"].map((name) => [name, 32_000] as const),
  ...["claude-sonnet-4", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-5"].map(
    (name) => [name, 64_000] as const,
  ),
  ...["gpt-4o", "gpt-4o-mini"].map((name) => [name, 16_384] as const),
  ...["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano"].map((name) => [name, 32_768] as const),
  ...["o1", "o1-pro", "o3", "o3-mini", "o3-pro", "o4-mini"].map((name) => [name, 100_000] as const),
  ["gpt-5-pro", 272_000],
]);
/** Of the later models of both. */
const ofLater = /^(?:claude-(?:3-7|[a-z]+-[4-9])|gpt-[5-9])/;

/** Null: it is not known. */
export function longestAnswer(model: string): number | null {
  const known = namesOf(model)
    .map((name) => table.get(name))
    .find((tokens) => tokens !== undefined);
  return known ?? (ofLater.test(model) ? 128_000 : null);
}
