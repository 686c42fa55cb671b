// What the API takes and gives. The OpenAPI document is made from these.
import { z } from "zod";
import { isPlainName } from "../core/ids.ts";
import { autonomy, limits as limitsOfRun } from "../formats/config/loop-schema.ts";

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.trim() !== "", "must not be empty");
const tree = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  .describe("The tree that was shown.");
const feature = z.string().refine(isPlainName, "must be the id of a feature");
const limits = limitsOfRun.optional().describe("Caps of the run.");

const atGate = {
  gate: z.enum(["G1", "G2", "G3"]),
  number: z.int().min(0).describe("Tells two showings of a gate apart; 0: before the first session."),
  tree,
};

export const nothing = z.strictObject({});
export const cancel = z.strictObject({
  keep: z.boolean().optional().describe("Leaves unproved work in the folder."),
});
export const session = z.strictObject({ token: z.string().min(1).max(200) });
export const begin = z.strictObject({
  request: text(100_000).optional().describe("What should be done. Omitted: the open features."),
  limits,
  autonomy,
  yes: z.boolean().optional().describe("Skip the review before building."),
});
export const approve = z.strictObject(atGate);
export const reject = z.union([
  z.strictObject({ ...atGate, reason: text(20_000) }).describe("Rejects the open gate."),
  z.strictObject({ feature, tree, reason: text(20_000) }).describe("Rejects held work."),
]);
export const answer = z.strictObject({
  feature: feature.nullable().describe("Null: the question is about the whole run."),
  question: z.string().optional().describe("The id of the question that was shown. Omitted: the one that is open."),
  answer: text(20_000),
});
export const decide = z.strictObject({ feature, tree });
export const goOn = z.strictObject({ limits });

// Answers have more fields than these; the named ones stay.
const outcome = z.looseObject({ kind: z.string() }).nullable();
export const status = z.looseObject({
  run: z.string(),
  task: z.string(),
  request: z.string(),
  state: z.string().describe("running, waits-for-you, paused, interrupted or over."),
  title: z.string(),
  why: z.string(),
  next: z.string(),
  outcome,
  done: z.int(),
  total: z.int(),
  spent: z.looseObject({ costUsd: z.number(), sessions: z.int() }),
});
export const runs = z.strictObject({ runs: z.array(status) });
export const oneRun = z.strictObject({
  seq: z.int().describe("The number of the last event; subscribe from it."),
  driven: z.boolean().describe("Whether a process drives it now."),
  status,
});
export const workspaces = z.strictObject({
  workspaces: z.array(
    z.strictObject({
      id: z.string(),
      root: z.string(),
      driven: z.boolean(),
      waiting: z.int().describe("How many items wait for a person."),
      latest: status.nullable(),
      problem: z.string().nullable().describe("Why it cannot be read."),
    }),
  ),
});
export const waiting = z.strictObject({
  waiting: z.array(
    z.looseObject({
      run: z.string(),
      about: z.string(),
      kind: z.string(),
      what: z.string(),
      next: z.string(),
      gate: z.looseObject({ name: z.string(), number: z.int(), tree: z.string() }).nullable(),
      tree: z.string().nullable().describe("The tree of held work."),
      subject: z.string().nullable().describe("The id of what is asked, to see later what was answered."),
      question: z.string().nullable().describe("The id of the question, by which an answer names it."),
    }),
  ),
});
export const answered = z.strictObject({ said: z.string().nullable().describe("Null: no answer is on record.") });
export const done = z.strictObject({
  run: z.string(),
  taken: z.boolean().describe("False: it is left for the process that drives the run, which has not taken it yet."),
  resumed: z.boolean().describe("Whether this has started a process that drives the run."),
  note: z.string().nullable(),
});
export const failure = z.strictObject({
  error: z.strictObject({ code: z.string(), what: z.string(), why: z.string(), next: z.string() }),
});
