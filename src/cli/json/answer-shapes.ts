// The answers of all commands as JSON, with what each key means. docs/JSON.md is written from this.
import { z } from "zod";
import { answer, list, texts, time } from "./parts.ts";
import { briefRun, inboxItem, run, runAnswer } from "./run-shape.ts";

const id = z.string().nullable();
const evidence = list(
  z.object({
    text: z.string(),
    at: z.number().optional().describe("Where it is in the request."),
    file: z.string().optional(),
  }),
);
const finding = z.object({ why: texts, evidence });
const memoryEntry = z.object({
  key: z.string(),
  kind: z.enum(["check", "flaky", "cause", "together", "learned"]),
  text: z.string(),
  seen: z.number().describe("In how many runs."),
  lastAt: time,
  run: z.string(),
});
const shownFile = z.object({ path: z.string(), reason: z.string() });
const hold = {
  request: z.string(),
  criteria: texts,
  checks: list(z.object({ name: z.string(), run: z.string() })),
  iteration: z.number(),
  iterationsMax: z.number(),
  unmet: texts,
};

export const answers = {
  run: runAnswer(
    "loop run · continue · demo · approve · reject · answer · accept · allow",
    "The last line, when the run rests or is over. The lines before it are [events](#streams).",
    {
      type: z.literal("end"),
      changes: list(
        z.object({
          what: z.string(),
          from: z.string(),
          to: z.string(),
          applies: z.enum(["now", "next run"]),
          why: z.string(),
        }),
      )
        .optional()
        .describe("After `continue`: changed settings, and whether they apply."),
      follows: texts.optional().describe("Runs of the same task before it, in this command."),
    },
  ),
  dryRun: answer("loop run --dry-run", "What would be begun.", {
    request: z.string(),
    place: z.enum(["worktree", "here"]),
    agents: z.object({ maker: id, checker: id }),
    models: z.object({ maker: id, checker: id }).describe("Null: the agent's own default."),
    features: list(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        status: z.string(),
        criteria: texts,
        dependencies: texts,
        kind: z.string(),
      }),
    ),
    checks: list(
      z.object({
        name: z.string(),
        run: z.string(),
        must: z.string(),
        network: z.enum(["open", "none"]),
      }),
    ),
    limits: z.record(z.string(), z.number().nullable()),
    autonomy: z.enum(["L1", "L2", "L3"]),
    stages: texts,
    gates: list(z.enum(["G1", "G2", "G3"])).describe("Where you are asked."),
    scope: z.looseObject({ mustNot: texts }),
    recordsDir: z.string(),
    from: z.looseObject({}).describe("Where each value comes from."),
    waiting: texts.describe("Open features that are left for another run."),
    notices: texts,
    warnings: texts,
    refused: z
      .object({ code: z.string(), why: z.string(), next: z.string() })
      .nullable()
      .describe("What keeps it from starting: uncommitted files with `--here`, a repository without a commit."),
  }),
  where: answer("loop", "Where things stand.", {
    run: run.nullable().describe("The latest run."),
    others: list(run).describe("Earlier runs that have gone on since the person last looked."),
    since: z.string().describe("When that was; before the first look, a day ago."),
    inbox: list(inboxItem).describe("What waits for a person, of every run."),
    openFeatures: texts,
    next: id,
  }),
  status: runAnswer("loop status", "", { others: texts.describe("Other runs that are not over.") }),
  noRunYet: answer("loop status, before the first run", "", { run: z.null(), next: z.string() }),
  seal: answer("loop status --seal", "What a feature may change, and what it is judged by.", {
    product: list(shownFile),
    protected: list(shownFile),
    released: texts.describe("May change by `scope.may_change`."),
  }),
  show: runAnswer("loop show", "", {}),
  report: runAnswer("loop report", "", { reportHtml: z.string().describe("The report as a page.") }),
  pullRequest: answer("loop report --pr", "", {
    run: z.string(),
    script: z.string().describe("Opens it; you run it."),
  }),
  list: answer("loop list", "", {
    tasks: list(z.object({ task: z.string(), request: z.string(), runs: texts })),
    runs: list(z.union([briefRun, z.object({ run: z.string(), unreadable: z.string() })])),
  }),
  inbox: answer("loop inbox", "", { inbox: list(inboxItem) }),
  read: answer("loop read", "The commits of a run, the riskiest first.", {
    run: z.string(),
    commits: list(
      z.looseObject({
        commit: id,
        feature: z.string(),
        name: z.string(),
        why: z.string(),
        risk: z.number(),
        undo: id.describe("Null: it was taken back."),
        takenBack: id.describe("The revert commit of `loop undo`."),
      }),
    ),
  }),
  land: answer("loop land", "", {
    run: z.string(),
    commit: z.string(),
    onto: z.string(),
    how: z.enum(["forward", "merged", "before"]),
  }),
  undo: answer("loop undo", "", {
    undone: list(z.object({ feature: z.string(), commit: z.string(), revert: id })),
    files: texts,
    queue: id.describe("Where the features are open again."),
  }),
  recover: answer("loop recover", "", {
    quarantine: list(z.object({ id: z.string(), at: time, why: z.string(), files: z.number() })),
  }),
  recoverShow: answer("loop recover ID --show", "", { id: z.string(), files: texts }),
  check: answer("loop check", "", {
    fit: z.boolean().describe("A run would start now."),
    checkout: z.object({ kind: z.string(), why: id }),
    kept: z.object({ paths: texts, bytes: z.number(), ms: z.number() }),
    build: z.object({ run: z.string(), from: z.string() }),
    files: z.object({ product: z.number(), protected: z.number() }),
    obstacle: z.looseObject({}).nullable().describe("What else keeps a run from starting."),
    checksFrom: z.enum(["configured", "detected"]),
    checks: list(
      z.object({
        name: z.string(),
        run: z.string(),
        must: z.string(),
        looks: z.string(),
        fit: z.boolean(),
        tests: z.unknown().describe("How many were found, where they have names."),
        ms: z.number(),
        log: z.unknown().describe("Where its output is."),
        network: z.string(),
        withoutNetwork: id,
        firstLines: texts.describe("Of a red check's output."),
        diagnosis: z.looseObject({ is: z.string() }).nullable(),
      }),
    ),
    proofMs: z.record(z.string(), z.number()).nullable().describe("For one feature, by depth."),
    add: z.unknown().describe("What to add to loop.yaml."),
    wrote: z.boolean(),
    notes: texts,
    next: z.string(),
  }),
  doctor: answer("loop doctor", "", {
    findings: list(
      z.object({
        what: z.string(),
        is: z.enum(["good", "bad", "note"]),
        says: z.string(),
        next: z.string().optional(),
      }),
    ),
  }),
  score: answer("loop score", "See [intake](INTAKE.md).", {
    score: z.number().describe("0 to 10."),
    shape: z.enum(["tool", "colleague", "intent-needed"]),
    workflow: z.enum(["build", "debug", "refactor"]),
    reversibility: z.enum(["2A", "2B", "1"]),
    rule: z.string(),
    languageKnown: z.boolean(),
    dimensions: list(
      z.object({
        name: z.string(),
        score: z.number(),
        evidence,
        question: z.string(),
        example: z.string(),
        proposal: id,
      }),
    ),
    missing: texts,
    reasons: z.object({ shape: finding, workflow: finding, reversibility: finding }),
  }),
  memory: answer("loop memory", "", {
    memory: list(memoryEntry),
    forgotten: list(memoryEntry).optional().describe("With `--forget`."),
  }),
  init: answer("loop init", "", { wrote: texts, left: texts, kept: texts, next: z.string() }),
  import: answer("loop import", "", {
    format: z.string(),
    goal: id,
    path: z.string(),
    written: z.boolean(),
    backup: id,
    before: z.number(),
    already: z.number(),
    added: list(
      z.object({
        id: z.string(),
        name: z.string(),
        priority: z.unknown(),
        status: z.string(),
        criteria: texts,
        dependencies: texts,
      }),
    ),
    kept: z.unknown().describe("Keys of the file that are kept as they were."),
    warnings: texts,
  }),
  export: answer("loop export", "", {
    format: z.string(),
    features: z.number(),
    done: z.number(),
    out: id,
    text: z.string().optional().describe("Without `--out`."),
  }),
  prove: answer("loop prove", "", {
    matching: z.number(),
    total: z.number(),
    proofs: list(
      z.object({
        commit: z.string(),
        tree: z.string(),
        subject: z.string(),
        run: z.string(),
        feature: z.string(),
        iteration: z.number(),
        proof: z.string(),
        grade: z.string(),
        result: z.enum(["match", "mismatch", "altered", "missing", "old", "cut"]),
        differs: texts,
        notes: texts,
      }),
    ),
  }),
  proveRange: answer("loop prove --range", "", {
    range: z.string(),
    holding: z.number(),
    total: z.number(),
    commits: list(
      z.object({
        commit: z.string(),
        subject: z.string(),
        feature: id,
        result: z.enum(["proved", "review", "unproved", "refused", "skipped", "cut"]),
        why: texts,
        notes: texts,
      }),
    ),
  }),
  drill: answer("loop drill", "", {
    good: z.number(),
    tried: z.number(),
    notTried: z.number(),
    acts: list(
      z.object({
        act: z.string(),
        does: z.string(),
        result: z.enum(["caught", "missed", "accepted", "refused", "not-tried"]),
        named: z.string(),
        problems: texts,
        advice: id,
        ms: z.number(),
      }),
    ),
  }),
  notify: answer("loop notify --test", "", {
    terminal: z.object({ bell: z.boolean(), title: z.boolean() }),
    sent: list(z.object({ name: z.string(), problem: id.describe("`null`: it got through.") })),
  }),
  serve: answer("loop serve", "One line, when it listens.", {
    url: z.string(),
    open: z.string().describe("The address with its token."),
    workspaces: z.number(),
    hooks: z.string().optional(),
  }),
  workspaces: answer("loop serve --list · --add · --remove · --new-token", "", {
    workspaces: list(z.object({ id: z.string(), root: z.string(), triggers: id })),
    token: z.string().optional().describe("With `--new-token`. It is shown once."),
  }),
  schedule: answer("loop schedule list", "", {
    timers: texts,
    triggers: list(z.object({ root: z.string(), name: z.string(), on: z.string() })),
    problems: list(z.object({ root: z.string(), problem: z.string() })),
  }),
  hookStart: answer("loop hook start · continue", "", { session: id, ...hold }),
  hookStatus: answer("loop hook status", "", {
    held: list(z.union([z.object({ session: id, ...hold }), z.object({ session: id, broken: z.string() })])),
    lastEnded: z.object({ ending: z.string(), why: z.string(), session: id, ...hold }).nullable(),
  }),
  hookRelease: answer("loop hook release", "", {
    released: list(z.object({ request: id, session: id, kept: id })),
  }),
  skill: answer("loop skill install", "", {
    dryRun: z.boolean(),
    skills: list(z.object({ file: z.string(), does: z.enum(["write", "replace", "nothing"]) })),
  }),
  said: answer(
    "Every other command",
    "`pause`, `cancel`, `recover ID`, `hook install`, an answer that another process takes, and whatever else only does something and says so.",
    { text: z.string().describe("What a person would have read.") },
  ),
} as const;
