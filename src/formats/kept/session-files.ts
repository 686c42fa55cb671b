// What a session keeps in its folder, by which it is found again after a crash.
import { z } from "zod";
import { keptFile } from "./kept-file.ts";
import { object, refused, texts, usage } from "./parts.ts";

const totals = {
  usage,
  nativeId: z.string().nullable(),
  ms: z.number(),
  parts: z.number(),
  strays: z.number(),
  editsMax: object({ path: z.string(), times: z.number() }).nullable(),
  /** Releases before the list of refusals wrote none. */
  refused: refused.optional(),
};
const failure = object({
  class: z.string(),
  text: z.string(),
  retryAt: z.number().nullable(),
  isGuess: z.literal(true).optional(),
});

export const resultFile = keptFile(
  "result.json",
  1,
  object({
    version: z.literal(1),
    result: z.discriminatedUnion("how", [
      object({ how: z.literal("replied"), reply: z.unknown(), text: z.string(), ...totals }),
      object({ how: z.literal("failed"), failure, ...totals }),
      object({ how: z.literal("interrupted"), ...totals }),
    ]),
  }),
);

const process = { pid: z.int().positive(), startTicks: z.number() };

export const launchFile = keptFile(
  "launch-*.json",
  1,
  object({
    version: z.literal(1),
    part: z.number(),
    at: z.number(),
    boot: z.string(),
    process: object(process).nullable(),
    /** For people. The rest is needed to find the process again. */
    file: z.string().optional(),
    args: texts.optional(),
    cwd: z.string().optional(),
    envNames: texts.optional(),
  }),
);

/** The process that runs the session now. */
export const ownerFile = keptFile("owner.json", null, object({ ...process, boot: z.string() }));

/** A request that passed through the session's gateway: one line when it begins, and more as its answer passes. */
export const meteredLine = keptFile(
  "metered.jsonl",
  null,
  object({
    id: z.string().min(1),
    model: z.string(),
    how: z.enum(["begun", "passing", "answered", "cut", "refused"]),
    tokens: object({
      inputTokens: z.number().nonnegative(),
      outputTokens: z.number().nonnegative(),
      cacheReadTokens: z.number().nonnegative(),
      cacheWriteTokens: z.number().nonnegative(),
      cacheWriteHourTokens: z.number().nonnegative().optional(),
      webSearches: z.number().nonnegative().optional(),
      isRegional: z.literal(true).optional(),
    }),
    costUsd: z.number().nonnegative().nullable(),
    isEstimate: z.literal(true).optional(),
    isUnpriced: z.literal(true).optional(),
  }),
);
