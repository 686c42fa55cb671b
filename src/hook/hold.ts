// A hold: keeps a person's own session from ending before its contract is met. Its type and its file format.
import { z } from "zod";
import { type CheckSpec, defaultProofTerms, type ProofTerms } from "../core/contract.ts";
import { withoutRequired } from "../core/verification.ts";
import { parseJsonText } from "../formats/text/json-text.ts";
import { statusOf } from "./criteria.ts";

const stop = z.object({
  at: z.number(),
  iteration: z.number(),
  tree: z.string().nullable(),
  /** Their first lines, for people. */
  unmet: z.array(z.string()),
  /** The criteria that the session had not ticked. */
  unticked: z.array(z.string()).default([]),
});

const schema = z.object({
  version: z.literal(1),
  root: z.string().min(1),
  kind: z.enum(["git", "plain"]),
  /** The request, word for word. */
  request: z.string().min(1),
  /** Criteria that the agent itself has to tick, one by one. */
  criteria: z.array(z.string()),
  /** What the rules found in the request and its workspace when the hold began. */
  intake: z.object({
    shape: z.enum(["tool", "colleague", "intent-needed"]),
    score: z.number(),
    workflow: z.enum(["build", "debug", "refactor"]),
    reversibility: z.enum(["2A", "2B", "1"]),
  }),
  /** It is hard to undo, and the session has not yet put to its person what speaks against it. */
  owesObjections: z.boolean(),
  checks: z
    .array(z.looseObject({ name: z.string(), run: z.string(), timeoutMs: z.number() }))
    .min(1)
    .transform((checks) => checks as unknown as readonly CheckSpec[]),
  scope: z.object({
    mayTouch: z.array(z.string()).default([]),
    mayChange: z.array(z.string()),
    mustNot: z.array(z.string()),
  }),
  /** How it is proved; holds of the first version do not have this. */
  proof: z
    .looseObject({ depth: z.enum(["quick", "standard", "deep"]), strength: z.number() })
    .transform((terms) => terms as unknown as ProofTerms)
    .default(defaultProofTerms),
  recordsDir: z.string().default("docs"),
  iterationsMax: z.number().int().positive(),
  begunAt: z.number(),
  /** The base: the folder as it was when the hold began. */
  origin: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** How often the session tried to end and was blocked. */
  progress: z.object({
    iteration: z.number().int().nonnegative(),
    key: z.string().nullable(),
    /** How often the same stayed unmet. */
    times: z.number().int().nonnegative(),
    tree: z.string().nullable(),
    unchanged: z.number().int().nonnegative(),
    blocks: z.number().int().nonnegative(),
  }),
  stops: z.array(stop),
  /** What a person may now accept, and the work that was proved but for it; null: something else is unmet. */
  assumes: z
    .object({ criteria: z.array(z.string()), tree: z.string() })
    .nullable()
    .default(null),
  /** The last answer, for a second hook that is asked about the same stop. */
  answer: z.object({ at: z.number(), text: z.string() }).nullable(),
});

export type Hold = z.infer<typeof schema>;
export type Progress = Hold["progress"];
export type HoldText = { ok: true; hold: Hold } | { ok: false; why: string };

const most = { bytes: 4 << 20, depth: 64 };
/** Older stops are dropped: a hold of fifty iterations needs no more. */
const stopsKept = 100;

export function parseHold(text: string): HoldText {
  const json = parseJsonText(text, most);
  if (!json.ok) return { ok: false, why: `${json.line === null ? "" : `line ${json.line}: `}${json.says}` };
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { ok: true, hold: parsed.data };
  const version = (json.value as { version?: unknown } | null)?.version;
  if (typeof version === "number" && version > 1)
    return { ok: false, why: `it is of version ${version}, and this Loopwright knows version 1` };
  const [issue] = parsed.error.issues;
  return { ok: false, why: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not a hold"}` };
}

export const holdText = (hold: Hold): string =>
  `${JSON.stringify({ ...hold, stops: hold.stops.slice(-stopsKept) }, null, 2)}\n`;

/** The copy in the workspace, for the agent and for people. It is never read back. */
export function mirrorText(
  { request, criteria, checks, progress, stops, iterationsMax }: Hold,
  session: string | null,
): string {
  const { unmet, unticked } = stops.at(-1) ?? { unmet: [], unticked: criteria };
  const lastUnmet = stops.length === 0 ? null : (unticked[0] ?? unmet[0] ?? null);
  const state = {
    version: 1,
    session,
    spec: request,
    criteria: criteria.map(withoutRequired),
    criteriaStatus: statusOf(criteria, (criterion) => !unticked.includes(criterion)),
    checks: checks.map(({ name, run }) => ({ name, run })),
    exit_signal: false,
    iteration: progress.iteration,
    iterations_max: iterationsMax,
    status: "in_progress",
    unmet,
    circuitBreaker: { stuckCount: progress.times, lastUnmet: lastUnmet === null ? null : withoutRequired(lastUnmet) },
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}
