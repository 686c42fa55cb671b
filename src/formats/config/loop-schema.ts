// The schema of loop.yaml: every key, its type, and its description for editors.

import { z } from "zod";
import { isPlainName } from "../../core/ids.ts";
import { type LimitKey, type LimitName, limitRow } from "../../core/limits.ts";
import { isSelector } from "../queue/feature-selector.ts";
import { isOwnFolder } from "../text/safe-names.ts";
import { browserSchema } from "./browser-schema.ts";
import { notifySchema } from "./notify-schema.ts";
import { proofKeys } from "./proof-schema.ts";
import { perDay, triggerSchema } from "./trigger-schema.ts";
import { command, count, envNames, homePaths, line, path, paths, positive } from "./yaml-values.ts";

const agentNames = ["claude", "codex", "acp", "rehearsal"] as const;
const agentKinds = ["claude", "codex", "acp", "command", "rehearsal", "library"] as const;

const percent = z.number().min(1).max(100);

const price = z.number().min(0);

const sandbox = z.enum(["auto", "require", "off"]);
const network = z.enum(["model", "registry", "open"]);
const hosts = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::[1-9]\d{0,4})?$/, "must be a host, or host:port"),
  )
  .max(50);

const agentObject = z
  .strictObject({
    kind: z.enum(agentKinds).describe("Which adapter drives it."),
    command: z.array(z.string().min(1).max(10_000)).min(1).max(200).optional().describe("Program and arguments."),
    script: line().optional().describe("The file that a rehearsal agent plays."),
    name: line(100).optional().describe("With kind library: the name under which a program has registered the agent."),
    model: line(200).optional().describe("The model to ask for."),
    effort: line(100).optional().describe("How hard the model should think, in the agent's own words."),
    args: z.array(z.string().max(10_000)).max(200).optional().describe("More arguments for the agent's program."),
    env: envNames.optional().describe("Names of environment variables that this agent gets."),
    cost_usd: z.number().min(0).optional().describe("What one session costs, where the agent does not say."),
    permissions: z
      .enum(["inherit", "core", "bypass"])
      .optional()
      .describe("inherit: as you set the agent up. core: read, edit, run. bypass: everything."),
    prompt: z
      .enum(["full", "short"])
      .optional()
      .describe(
        "Working instructions: full, the agent's own; short, a few lines. By default short for claude as a checker.",
      ),
    tools: z
      .array(z.string().regex(/^[A-Za-z][\w-]{0,99}$/, "must be the name of a tool"))
      .max(50)
      .optional()
      .describe("More of claude's own tools for a maker, such as Task, Skill or NotebookEdit."),
    path: line().optional().describe("Where the agent's program is, when it is not on PATH."),
    prices: z
      .record(
        z.string().max(200),
        z.strictObject({ input: price, output: price, cache_read: price, cache_write: price }),
      )
      .optional()
      .describe("US dollars for a million tokens, by model, over the built-in list."),
    sandbox: sandbox.optional().describe("Walls around this agent, instead of the run's."),
    home: homePaths.optional().describe("Paths below your home that this agent may read inside its walls."),
    network: network.optional().describe("What this agent reaches from inside its walls, instead of the run's."),
    registry_hosts: hosts
      .optional()
      .describe("More hosts that this agent reaches with network: registry, such as a registry of your own."),
    trust: line(200)
      .optional()
      .describe("The hash of the repository's own agent settings that you have read; only those are then loaded."),
  })
  .refine(({ kind, command: given }) => kind !== "command" || given !== undefined, {
    path: ["command"],
    message: 'is needed with kind "command"',
  })
  .refine(({ kind, name }) => kind !== "library" || name !== undefined, {
    path: ["name"],
    message: 'is needed with kind "library"',
  });
const agent = z.union([z.enum(agentNames), agentObject]);

const checkObject = z.strictObject({
  name: z
    .string()
    .refine(isPlainName, "must be a plain name: letters, digits, - and _, at most 64")
    .describe("What the check is called."),
  run: command.optional().describe("The command line; exit code 0 is green."),
  browser: browserSchema.optional().describe("Steps in a browser, instead of a command line."),
  library: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "A check that a program registers under this name with openProject(dir, { checks }), instead of a command line.",
    ),
  must: z
    .enum(["stay-green", "turn-green"])
    .optional()
    .describe("stay-green: green before and after. turn-green: red before, green at the end."),
  timeout_s: positive.max(86_400).optional().describe("Seconds until the check counts as failed."),
  tests: paths.optional().describe("Globs of the test files that are sealed for this check."),
  before: command
    .optional()
    .describe("A command line before every run of the check, such as one that starts a database."),
  after: command.optional().describe("A command line after every run of the check, whatever its result."),
  report: path
    .optional()
    .describe("The test report that the command writes (JUnit XML, TAP, JSON), or a folder of them; else its output."),
  network: z
    .enum(["none", "open"])
    .optional()
    .describe(
      "What the command reaches. none: only itself, on a loopback interface. open: everything. When not given, none once loop check has seen the check green that way, and open before.",
    ),
});
const checkKeys = checkObject
  .refine(({ run, browser, library }) => [run, browser, library].filter((each) => each !== undefined).length === 1, {
    path: ["run"],
    message: "is needed, or browser or library, and never both",
  })
  .refine(({ library, before, after, report }) => library === undefined || (before ?? after ?? report) === undefined, {
    path: ["library"],
    message: "is a function: leave out before, after and report",
  })
  .refine(({ run, network }) => run !== undefined || network === undefined, {
    path: ["network"],
    message: "is for checks with run: leave it out",
  });
/** The repository's own hook as a check. */
const check = z.union([z.literal("pre-commit"), checkKeys]);
const nameOf = (given: z.infer<typeof check>): string => (typeof given === "string" ? given : given.name);

const aLimit = (name: LimitName): z.ZodNumber => {
  const { unit, key } = limitRow(name);
  if (unit === "percent") return positive.max(100);
  return unit !== "count" ? positive : key === "rework" ? z.int().min(0) : count;
};
const most = (name: LimitName) => aLimit(name).optional().describe(limitRow(name).says);
const mostOrNone = (name: LimitName) => aLimit(name).nullable().optional().describe(limitRow(name).says);
const runLimits = {
  cost_usd: most("costUsdMax"),
  session_cost_usd: most("sessionCostUsdMax"),
  iterations: most("iterationsMax"),
  commits: most("commitsMax"),
  rework: most("reworkMax"),
  rounds: most("roundsMax"),
  minutes: most("activeMsMax"),
  check_minutes: mostOrNone("checkMsMax"),
  sessions: mostOrNone("sessionsMax"),
  tokens: mostOrNone("tokensMax"),
  window_percent: mostOrNone("windowPercentMax"),
  session_minutes: most("sessionMsMax"),
  silence_minutes: most("silenceMsMax"),
} satisfies Record<LimitKey, unknown>;
export const limits = z.strictObject(runLimits);
const diskGb = positive
  .optional()
  .describe("Gigabytes that one session may write to the disk; it is ended there, and earlier where less is free.");
export const autonomy = z
  .enum(["L1", "L2", "L3"])
  .optional()
  .describe("L1: stop for approval after each iteration. L2: go on within the scope. L3: unattended.");

const selectors = z
  .array(z.string().refine(isSelector, 'must be a feature id, a range such as F001-F006, or "all F"'))
  .max(1000);
const scope = z.strictObject({
  may_touch: paths.optional().describe("Globs of the files that may change; all, when not given."),
  must_not: z
    .array(line())
    .max(100)
    .optional()
    .describe("What must never become true. docs/PROOF.md lists what a rule tests; the evaluator judges the rest."),
  may_change: paths.optional().describe("Globs of sealed files that may change."),
  on_destructive: z
    .enum(["stop", "note"])
    .optional()
    .describe(
      "When an agent tried to push, publish, rewrite history or delete outside: pause the run, or only note it.",
    ),
  features: z
    .strictObject({
      include: selectors.optional().describe("Features to work on; all, when not given."),
      exclude: selectors.optional().describe("Features to leave alone."),
    })
    .optional()
    .describe("Which features of FEATURES.json are in scope."),
});

const stage = z.enum(["plan", "implement", "test", "audit"]);
const stages = z
  .array(stage)
  .min(1)
  .refine((list) => list.includes("implement"), "must contain implement")
  .refine((list) => new Set(list).size === list.length, "must name each stage once");

export const loopSchema = z
  .strictObject({
    version: z.literal(1).optional().describe("The version of this format."),
    agents: z
      .strictObject({
        maker: agent.optional().describe("Builds. Also plans and writes tests, unless others are named."),
        checker: agent.optional().describe("Judges what the maker built."),
        planner: agent.optional().describe("Plans, instead of the maker."),
        tester: agent.optional().describe("Writes tests, instead of the maker."),
        auditor: agent.optional().describe("Audits the whole at the end, instead of the checker."),
      })
      .optional()
      .describe("Which coding agents do what; looked for on PATH when not given."),
    checks: z
      .array(check)
      .max(50)
      .refine((list) => unique(list.map(nameOf)), "must have different names")
      .optional()
      .describe("What the loop itself runs to judge work; pre-commit is your own git hook. Detected when not given."),
    ...proofKeys,
    limits: z
      .strictObject({ ...runLimits, per_day_usd: perDay, disk_gb: diskGb })
      .optional()
      .describe("Caps of a run."),
    autonomy,
    triggers: z
      .array(triggerSchema(limits.optional().describe("Caps of its runs, over those of the workspace."), autonomy))
      .max(50)
      .refine((list) => unique(list.map(({ name }) => name)), "must have different names")
      .optional()
      .describe("What begins runs by itself, while loop serve or a timer of loop schedule is there."),
    continuation: z
      .enum(["auto", "manual", "scheduled", "event"])
      .optional()
      .describe(
        "What lets work go on. auto: the loop and all triggers. manual: you, after each iteration. scheduled, event: only triggers of that kind.",
      ),
    stages: stages
      .optional()
      .describe("Which pairs of producer and verifier run; when not given, those that can change the result."),
    gates: z
      .array(z.enum(["G1", "G2", "G3"]))
      .refine((list) => new Set(list).size === list.length, "must name each gate once")
      .optional()
      .describe(
        "Where the run waits for you: G1 before building, G2 after each iteration, G3 before it is called done.",
      ),
    follow_up_depth: z
      .int()
      .min(0)
      .max(3)
      .optional()
      .describe("How many follow-up runs in a row may go on with what the audit found missing; 0: none."),
    scope: scope.optional().describe("What a run may and must not touch."),
    place: z
      .enum(["worktree", "here"])
      .optional()
      .describe("Where a run works: in a separate git worktree and branch, or in the folder, on its branch."),
    records_dir: z
      .string()
      .refine(isOwnFolder, "must be a folder inside the workspace, outside .git and .loop")
      .optional()
      .describe("Where the contract, the features and the written records are."),
    env: envNames.optional().describe("Names of environment variables that agents get; for checks, see room.env."),
    sandbox: sandbox
      .optional()
      .describe("Walls around agents. auto: where this machine can. require: refuse to start without. off: none."),
    network: network
      .optional()
      .describe(
        "What agents reach from inside their walls. model: only their model, which counts every token. registry: also registries of packages, and git hosts over https. open: all.",
      ),
    on_limit: z
      .enum(["wait", "switch", "stop"])
      .optional()
      .describe("What to do at an agent's usage limit: wait for its end, go on with another agent, or stop."),
    context: z
      .strictObject({
        compact_percent: percent.optional().describe("How full a session's context may get before it is compacted."),
        handover_percent: percent.optional().describe("How full before a fresh session takes over."),
      })
      .optional()
      .describe("What to do when a session's context fills up."),
    notify: notifySchema
      .optional()
      .describe(
        "How you are told: when a run waits for you, ends, has used 80 % of a cap, or reaches a usage limit and its end.",
      ),
    full_auto_answers: z.boolean().optional().describe("Answer an agent's questions with its own best supposition."),
  })
  .meta({ title: "loop.yaml", description: "Configuration of a workspace for Loopwright. Every key is optional." });

/** loop.yaml as written: snake_case, without defaults. */
export type LoopYaml = z.infer<typeof loopSchema>;
export type AgentYaml = z.infer<typeof agent>;
export type CheckYaml = z.infer<typeof check>;

export type JsonSchema = { readonly [key: string]: unknown };

// Editors support draft 7 best.
export const loopJsonSchema = (): JsonSchema =>
  z.toJSONSchema(loopSchema, { target: "draft-7", io: "input" }) as JsonSchema;

// On case-insensitive file systems two checks would share one output file.
const unique = (names: readonly string[]): boolean => new Set(names.map((n) => n.toLowerCase())).size === names.length;
