// A run as JSON: the overview that people are shown, with times as texts.
import { z } from "zod";
import type { Overview } from "../../report/overview.ts";
import { type Answer, list, named, texts, time } from "./parts.ts";

const id = z.string().nullable();
const roles = [
  "planner",
  "plan-verifier",
  "designer",
  "builder",
  "evaluator",
  "tester",
  "test-verifier",
  "auditor",
  "audit-verifier",
  "skeptic",
  "examiner",
] as const;
export const role = z.enum(roles);
const grade = z.enum(["strong", "reviewed", "weak"]).nullable();

const session = named("Session", {
  session: z.string(),
  role,
  endedAt: time,
  how: z.string().describe("How it ended."),
  failed: z.boolean(),
  says: z.string().describe("Its reply, in one line."),
  rootCause: id.describe("Why a verifier did not pass the work."),
  costUsd: z.number(),
  estimated: z.boolean().describe("The cost is an estimate."),
  tokens: z.number(),
  ms: z.number().describe("How long it took."),
});

const cause = named("Cause", {
  kind: z.string().describe("A word for programs."),
  label: z.string(),
  root: z.string().describe("In one line."),
  text: z.string().describe("In full."),
  errorClass: z.string(),
});

const feature = named("Feature", {
  id: z.string(),
  name: z.string(),
  subject: z.string().describe("The first line of its commit."),
  status: z.enum(["not-started", "in-progress", "needs-rework", "complete", "blocked", "existing"]),
  isDone: z.boolean(),
  standing: z.string().describe("How it stands, in a few words."),
  grade: grade.describe("What its proof is worth; `null`: this run has not completed it."),
  reviewedBy: id,
  commit: id,
  takenBack: id.describe("The revert commit of `loop undo`."),
  restsOn: z.string().describe("What its proof rests on, in words."),
  strength: z
    .looseObject({})
    .nullable()
    .describe("How many parts of the change the tests noticed when they were taken back."),
  criteria: list(z.object({ text: z.string(), isMet: z.boolean(), verification: id, evidence: texts })),
  dependencies: texts,
  kind: z.enum(["change", "keep", "docs", "judge"]),
  mayChange: texts.describe("Protected tests that it may change."),
  enough: z.enum(["proof", "review"]),
  attempts: z.number(),
  sessions: z.number(),
  costUsd: z.number(),
  estimated: z.boolean(),
  ms: z.number(),
  lastCause: cause.nullable().describe("Why the last attempt failed."),
  held: z
    .object({
      why: z.enum(["unproved", "contradiction", "permission"]),
      branch: z.string().describe("The branch that shows the work."),
      missing: texts,
      tests: texts,
      files: texts,
      decided: z.object({ how: z.enum(["accept", "allow"]), by: z.string() }).nullable(),
    })
    .nullable()
    .describe("Work that waits for a decision."),
  proof: z
    .looseObject({ is: z.enum(["read", "unreadable"]), file: z.string() })
    .nullable()
    .describe("What the loop ran itself."),
});

const iteration = named("Iteration", {
  number: z.number(),
  at: time,
  endedAt: time,
  feature: z.string(),
  attempt: z.number(),
  ending: z.enum(["open", "complete", "rework", "shelved"]),
  sessions: list(session),
  changed: z.number().describe("Files that it changed."),
  checks: texts,
  tests: z.string(),
  grade,
  commit: id,
  heldAs: id.describe("The branch that shows its held work."),
  cause: cause.nullable().describe("Why it failed."),
  violations: list(z.object({ kind: z.string(), what: z.string(), grave: z.boolean() })),
  isRolledBack: z.boolean(),
  recover: id.describe("What `loop recover` brings its work back by."),
});

/** Something that waits for a person. */
const waiting = {
  feature: id.describe("`null`: it is about the whole run."),
  kind: z.string(),
  text: z.string(),
  rootCause: z.string(),
  supposition: id.describe("What the agent would do without an answer."),
  next: z.string().describe("The command that answers it."),
};
export const inboxItem = named("InboxItem", { run: z.string(), ...waiting });

export const run = named("Run", {
  task: z.string(),
  run: z.string(),
  followUpOf: id.describe("The run that it follows up on."),
  followedBy: id.describe("The run that was begun for what its audit found missing, where one run is shown."),
  begunBy: z.string().describe("The release of Loopwright that began it."),
  begunAt: time,
  lastAt: time.describe("When something was last recorded."),
  request: z.string().describe("What was asked for, word for word."),
  agreed: z.object({
    autonomy: z.enum(["L1", "L2", "L3"]),
    stages: list(z.enum(["plan", "implement", "test", "audit"])),
    checks: list(z.object({ name: z.string(), run: z.string(), must: z.enum(["stay-green", "turn-green"]) })),
    mustNot: texts,
    recordsDir: z.string(),
  }),
  state: z.enum(["running", "waits-for-you", "paused", "interrupted", "over"]),
  outcome: z
    .looseObject({ kind: z.string() })
    .nullable()
    .describe("How it ended, or why it rests; `null` while it works. `kind`: see [endings](ENDINGS.md)."),
  title: z.string(),
  why: z.string().describe("One sentence: how it ended, why it rests, or what it does."),
  next: z.string().describe("The next command to run."),
  runExitCode: z.number().describe("The exit code of the command that drove it; 8 while it works."),
  verdict: z.enum(["SHIP", "MONITOR", "RESEARCH"]),
  review: id.describe("After success: the command that shows its commits."),
  left: id.describe("Unproved work, and what to do about it."),
  phase: z.string().describe("A word for programs, which may change between releases."),
  doing: z.object({ what: z.string(), since: time }).nullable(),
  current: z
    .object({ feature: z.string(), attempt: z.number(), role: role.nullable() })
    .nullable()
    .describe("The feature in work."),
  waitingUntil: time.nullable().describe("When the usage limit ends that it waits for."),
  gate: z
    .object({ name: z.enum(["G1", "G2", "G3"]), number: z.number(), tree: z.string(), feature: id })
    .nullable()
    .describe("The gate that waits for a yes or no. `why` is its question."),
  inbox: list(z.object(waiting)).describe("What waits for you besides the gate."),
  features: list(feature),
  done: z.number().describe("How many of the features that it is about are complete."),
  total: z.number().describe("How many features it is about: those that were complete before it do not count."),
  spent: z.object({
    costUsd: z.number(),
    estimated: z.boolean(),
    tokens: z.number(),
    sessions: z.number(),
    iterations: z.number(),
    commits: z.number(),
    activeMs: z.number(),
    checkMs: z.number(),
  }),
  limits: z
    .record(z.string(), z.number().nullable())
    .describe("`null`: no limit. Times are in milliseconds. Of a follow-up: what the runs before it left."),
  caps: list(
    z.object({
      cap: z.string(),
      unit: z.enum(["usd", "ms", "count"]),
      used: z.number(),
      allowed: z.number().nullable(),
    }),
  ).describe("The caps of the task, and what all its runs have used of them."),
  reworks: z.number(),
  iterations: list(iteration),
  sessions: list(session).describe("Plans, audits, and objections to them."),
  whole: texts.describe("What these sessions found, in one line each."),
  gaps: list(z.looseObject({ id: z.string(), blocking: z.boolean(), text: z.string(), evidence: texts })),
  problems: texts.describe("Everything that was rejected, undone or set aside."),
  readFirst: list(
    z.object({ commit: id, feature: z.string(), name: z.string(), why: z.string(), risk: z.number(), takenBack: id }),
  ),
  decisions: list(
    z.object({ feature: id, question: z.string(), answer: z.string(), source: z.enum(["person", "supposition"]) }),
  ),
  notes: list(z.object({ at: time, about: z.string(), text: z.string() })),
  timeline: z.object({
    lastAt: time,
    spans: list(z.object({ is: z.string(), role: role.nullable(), feature: id, from: time, to: time })),
    marks: list(z.object({ is: z.string(), feature: id, at: time })),
  }),
  worktree: z
    .object({
      dir: z.string(),
      exists: z.boolean(),
      branch: z.string(),
      onto: id,
      landed: id,
      kept: list(z.string()).describe("Uncommitted files in your folder that landing left as they are."),
      isAhead: z
        .boolean()
        .describe("It has commits that have not landed, its own or those of the run that it follows."),
      isDropped: z.boolean().describe("They never landed, and no branch has them any more."),
      left: id.describe("Why it has not landed by itself."),
      landsBy: z
        .enum(["land", "merge", "pull-request"])
        .describe("`merge`: landing met lines that both had changed. `pull-request`: it was begun with --pr."),
      inTheWay: texts.describe("Uncommitted files of yours that landing would overwrite, as of the last attempt."),
      records: z
        .object({
          written: texts.describe("Records that were written to your folder, uncommitted."),
          left: texts.describe("Records that changed in your folder meanwhile, and were left as they are."),
        })
        .nullable()
        .describe("Of a run that ended without landing, in a repository that keeps records."),
    })
    .nullable()
    .describe("`null`: it works in your folder."),
  hasGit: z.boolean().describe("`false`: its commits are in the vault alone."),
  alike: z.number().describe("How many similar requests this workspace has had."),
  hint: id,
});

/** Without what grows with the length of a run. */
export const briefRun = run
  .omit({ iterations: true, timeline: true, sessions: true, problems: true, notes: true })
  .meta({ id: "BriefRun" });

export const runKeys = run.shape;

/** In an answer, `exitCode` is the command's own. */
export const runFacts = ({ version, exitCode, ...facts }: Overview): z.input<typeof run> => ({
  ...facts,
  runExitCode: exitCode,
});

/** The keys of a run, and these. */
export const runAnswer = <Fields extends z.ZodRawShape>(
  title: string,
  says: string,
  fields: Fields,
): Answer<typeof run.shape & Fields> => ({
  title,
  says,
  isRun: true,
  shape: z.object({ ...run.shape, ...fields }),
});
