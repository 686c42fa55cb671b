// Values that several kept files have in common.
import { z } from "zod";

/** Unknown keys stay: a later release may have added them. */
export const object = z.looseObject;
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const texts = list(z.string());

export const hash = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be a git hash");

export const usage = object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number().nullable(),
  atMostUsd: z.number().optional(),
  isEstimate: z.literal(true).optional(),
});
export const refused = list(object({ command: z.string(), why: z.string(), mild: z.boolean().optional() }));
export const grade = z.enum(["strong", "reviewed", "weak"]);
export const share = object({ count: z.number(), of: z.number() });
export const contradiction = object({ files: texts, tests: texts });
export const decided = object({ how: z.enum(["accept", "allow"]), by: z.string() });
/** The frame has its own kinds, which only add words. */
export const cause = object({ kind: z.string(), key: z.string(), text: z.string() });

export const runShown = object({
  run: z.string(),
  check: z.string(),
  how: z.string(),
  outcome: z.enum(["green", "red", "flaky"]).optional(),
  seen: share.optional(),
});

const feature = object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["not-started", "in-progress", "needs-rework", "complete", "blocked", "existing"]),
  criteria: texts,
  dependencies: texts,
});
export const check = object({ name: z.string(), run: z.string(), timeoutMs: z.number() });
export const contract = object({
  request: z.string(),
  features: list(feature),
  checks: list(check),
  limits: z.record(z.string(), z.number().nullable()),
  autonomy: z.enum(["L1", "L2", "L3"]),
  stages: texts,
  scope: object({ mayTouch: texts, mustNot: texts }),
  recordsDir: z.string(),
});

/** Null: no agent for this side; it is looked for on PATH. */
const agent = object({ kind: z.string() }).nullable();
export const crew = { agents: object({ maker: agent, checker: agent }), env: texts };
