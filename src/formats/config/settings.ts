// Settings: loop.yaml with every default filled in. The defaults and the ceilings are in the two tables here.
import {
  type BrowserSteps,
  type CheckNetwork,
  defaultProofTerms,
  type GateName,
  type ProofTerms,
  type Setup,
} from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { type Limits, limitNames, limitRow, limitsFrom, written } from "../../core/limits.ts";
import type { AgentYaml, CheckYaml, LoopYaml } from "./loop-schema.ts";

export type AgentSettings = {
  kind: "claude" | "codex" | "acp" | "command" | "rehearsal" | "library";
  command: readonly string[] | null;
  script: string | null;
  /** The name of an agent that a program has registered. Plans of earlier versions have none. */
  name?: string;
  model: string | null;
  effort: string | null;
  args: readonly string[];
  env: readonly string[];
  costUsd: number | null;
  permissions: "inherit" | "core" | "bypass";
  /** Null: the adapter's default. */
  prompt: "full" | "short" | null;
  tools: readonly string[];
  path: string | null;
  /** US dollars per million tokens, by model. */
  prices: Readonly<Record<string, ModelPrice>>;
  trust: string | null;
  /** Not given: the run's. Plans of earlier versions have none, and their agents no walls. */
  sandbox?: Sandbox;
  /** Not given: the run's; and if that is not given either, only the model where that is enough. */
  network?: Network;
  /** Paths below the person's home that it may read inside its walls. */
  home?: readonly string[];
  /** More hosts that it reaches with network: registry. */
  registryHosts?: readonly string[];
  /** Gigabytes that one of its sessions may write. Plans of earlier versions have none. */
  diskGb?: number;
};
/** auto: where the machine can; require: or do not start. */
export type Sandbox = "auto" | "require" | "off";
export type Network = "model" | "registry" | "open";
export type ModelPrice = { input: number; output: number; cacheRead: number; cacheWrite: number };
export type CheckSettings = {
  name: string;
  run: string;
  must: "stay-green" | "turn-green";
  timeoutS: number;
  tests: readonly string[];
  before: string | null;
  after: string | null;
  report?: string;
  /** Steps in a browser, instead of the command; `run` is then their title. */
  browser?: BrowserSteps;
  /** A check that a program has registered under this name, instead of the command. */
  library?: string;
  /** The repository's own git hook: `project/checks/hook-check.ts` finds it and fills in the commands. */
  hook?: "pre-commit";
  /** Not given: open, unless `loop check` has seen the check green without the network. */
  network?: CheckNetwork;
};
/** What begins a run by itself; one of cron, git and webhook. */
export type TriggerSettings = {
  name: string;
  cron: { at: string; timezone: string; jitterS: number; catchUp: "once" | "none" } | null;
  git: { branch: string } | null;
  webhook: {
    from: "github" | "json";
    event: "push" | "workflow_run" | "issues" | null;
    repository: string | null;
    branch: string | null;
    label: string | null;
    secretEnv: string;
  } | null;
  /** Null: the open features. */
  request: string | null;
  overlap: "skip" | "queue" | "replace";
  limits: NonNullable<LoopYaml["limits"]>;
  autonomy: Autonomy | null;
  perDayUsd: number | null;
};
export type Stage = "plan" | "implement" | "test" | "audit";
export type Autonomy = "L1" | "L2" | "L3";
/** Null for an agent: look on PATH. Null for the checks: detect them. Null in the scope: no bound. */
export type Settings = {
  agents: Record<"maker" | "checker" | "planner" | "tester" | "auditor", AgentSettings | null>;
  checks: readonly CheckSettings[] | null;
  limits: Limits;
  autonomy: Autonomy;
  /** Null: those that can change the result. */
  stages: readonly Stage[] | null;
  /** Null: by autonomy, and by how clear the request is. */
  gates: readonly GateName[] | null;
  continuation: "auto" | "manual" | "scheduled" | "event";
  followUpDepth: number;
  scope: {
    mayTouch: readonly string[] | null;
    mustNot: readonly string[];
    mayChange: readonly string[];
    onDestructive: "stop" | "note";
    features: { include: readonly string[] | null; exclude: readonly string[] };
  };
  place: "worktree" | "here";
  recordsDir: string;
  env: readonly string[];
  sandbox: Sandbox;
  /** Null: for each agent what it needs. */
  network: Network | null;
  onLimit: "wait" | "switch" | "stop";
  context: { compactPercent: number; handoverPercent: number };
  fullAutoAnswers: boolean;
  notify: NotifySettings;
  proof: ProofTerms;
  triggers: readonly TriggerSettings[];
  /** For the runs of all triggers in 24 hours. Null: no limit. */
  perDayUsd: number | null;
  diskGb: number;
};
/** Null: not this way. */
export type NotifySettings = {
  bell: boolean;
  title: boolean;
  desktop: boolean;
  command: readonly string[] | null;
  webhook: string | null;
  ntfy: { url: string; topic: string; tokenEnv: string | null; answers: boolean } | null;
};

export const defaults = {
  check: { must: "stay-green", timeoutS: 600 },
  permissions: "core",
  autonomy: "L2",
  continuation: "auto",
  followUpDepth: 3,
  place: "worktree",
  recordsDir: "docs",
  sandbox: "auto",
  diskGb: 20,
  onDestructive: "stop",
  onLimit: "wait",
  context: { compactPercent: 75, handoverPercent: 90 },
} as const satisfies Record<string, unknown>;

export function settle(yaml: LoopYaml): Settings {
  const { agents, scope, context } = yaml;
  return {
    agents: settleAgents(agents ?? {}),
    checks: yaml.checks?.map(settleCheck) ?? null,
    limits: limitsFrom(yaml.limits ?? {}),
    autonomy: yaml.autonomy ?? defaults.autonomy,
    stages: yaml.stages ?? null,
    gates: yaml.gates ?? null,
    continuation: yaml.continuation ?? defaults.continuation,
    followUpDepth: yaml.follow_up_depth ?? defaults.followUpDepth,
    scope: {
      mayTouch: scope?.may_touch ?? null,
      mustNot: scope?.must_not ?? [],
      mayChange: scope?.may_change ?? [],
      onDestructive: scope?.on_destructive ?? defaults.onDestructive,
      features: { include: scope?.features?.include ?? null, exclude: scope?.features?.exclude ?? [] },
    },
    place: yaml.place ?? defaults.place,
    recordsDir: yaml.records_dir ?? defaults.recordsDir,
    env: yaml.env ?? [],
    sandbox: yaml.sandbox ?? defaults.sandbox,
    network: yaml.network ?? null,
    onLimit: yaml.on_limit ?? defaults.onLimit,
    context: {
      compactPercent: context?.compact_percent ?? defaults.context.compactPercent,
      handoverPercent: context?.handover_percent ?? defaults.context.handoverPercent,
    },
    fullAutoAnswers: yaml.full_auto_answers ?? false,
    notify: settleNotify(yaml.notify ?? {}),
    proof: settleProof(yaml),
    triggers: (yaml.triggers ?? []).map(settleTrigger),
    perDayUsd: yaml.limits?.per_day_usd ?? null,
    diskGb: yaml.limits?.disk_gb ?? defaults.diskGb,
  };
}

function settleNotify({
  bell,
  title,
  desktop,
  command,
  webhook,
  ntfy,
}: NonNullable<LoopYaml["notify"]>): NotifySettings {
  return {
    bell: bell ?? true,
    title: title ?? true,
    desktop: desktop ?? false,
    command: command ?? null,
    webhook: webhook ?? null,
    ntfy:
      ntfy === undefined
        ? null
        : {
            url: ntfy.url ?? "https://ntfy.sh",
            topic: ntfy.topic,
            tokenEnv: ntfy.token_env ?? null,
            answers: ntfy.answers ?? false,
          },
  };
}

type TriggerYaml = NonNullable<LoopYaml["triggers"]>[number];

const settleTrigger = ({ name, cron, git, webhook, request, overlap, ...terms }: TriggerYaml): TriggerSettings => ({
  name,
  cron:
    cron === undefined
      ? null
      : {
          at: cron.at,
          timezone: cron.timezone ?? "UTC",
          jitterS: cron.jitter_s ?? 0,
          catchUp: cron.catch_up ?? "once",
        },
  git: git ?? null,
  webhook:
    webhook === undefined
      ? null
      : {
          from: webhook.from,
          event: webhook.event ?? null,
          repository: webhook.repository ?? null,
          branch: webhook.branch ?? null,
          label: webhook.label ?? null,
          secretEnv: webhook.secret_env,
        },
  request: request ?? null,
  overlap: overlap ?? (cron === undefined ? "queue" : "skip"),
  limits: terms.limits ?? {},
  autonomy: terms.autonomy ?? null,
  perDayUsd: terms.per_day_usd ?? null,
});

function settleProof({ proof, allow, product, setup, build, room }: LoopYaml): ProofTerms {
  const unsaid = defaultProofTerms;
  return {
    depth: proof?.depth ?? unsaid.depth,
    strength: proof?.strength ?? unsaid.strength,
    allow: allow ?? unsaid.allow,
    product: product ?? unsaid.product,
    setup: setup === undefined ? unsaid.setup : settleSetup(setup),
    build: build ?? unsaid.build,
    room: {
      files: room?.files ?? unsaid.room.files,
      env: room?.env ?? unsaid.room.env,
      home: room?.home ?? unsaid.room.home,
      outside: room?.outside ?? unsaid.room.outside,
    },
  };
}

const settleSetup = (given: NonNullable<LoopYaml["setup"]>): Setup =>
  typeof given === "string"
    ? { run: given, env: [], home: [] }
    : { run: given.run, env: given.env ?? [], home: given.home ?? [] };

/** Defaults for unnamed agents: the maker plans, tests and checks; the checker audits. */
function settleAgents(named: NonNullable<LoopYaml["agents"]>): Settings["agents"] {
  const maker = settleAgent(named.maker);
  const checker = settleAgent(named.checker) ?? maker;
  return {
    maker,
    checker,
    planner: settleAgent(named.planner) ?? maker,
    tester: settleAgent(named.tester) ?? maker,
    auditor: settleAgent(named.auditor) ?? checker,
  };
}

function settleAgent(agent: AgentYaml | undefined): AgentSettings | null {
  if (agent === undefined) return null;
  const given = typeof agent === "string" ? { kind: agent } : agent;
  return {
    kind: given.kind,
    command: given.command ?? null,
    script: given.script ?? null,
    ...(given.name === undefined ? {} : { name: given.name }),
    model: given.model ?? null,
    effort: given.effort ?? null,
    args: given.args ?? [],
    env: given.env ?? [],
    costUsd: given.cost_usd ?? null,
    permissions: given.permissions ?? defaults.permissions,
    prompt: given.prompt ?? null,
    tools: given.tools ?? [],
    path: given.path ?? null,
    prices: Object.fromEntries(
      Object.entries(given.prices ?? {}).map(([model, { input, output, cache_read, cache_write }]) => [
        model,
        { input, output, cacheRead: cache_read, cacheWrite: cache_write },
      ]),
    ),
    trust: given.trust ?? null,
    ...(given.sandbox === undefined ? {} : { sandbox: given.sandbox }),
    ...(given.network === undefined ? {} : { network: given.network }),
    ...(given.home === undefined ? {} : { home: given.home }),
    ...(given.registry_hosts === undefined ? {} : { registryHosts: given.registry_hosts }),
  };
}

const settleCheck = (check: CheckYaml): CheckSettings =>
  typeof check === "string"
    ? { ...settleKeys({ name: check, run: `git hook run ${check}` }), hook: check }
    : settleKeys(check);

type CheckKeys = Exclude<CheckYaml, string>;

const settleKeys = (check: CheckKeys): CheckSettings => ({
  name: check.name,
  run: check.run ?? (check.library === undefined ? browserTitle(check.browser) : `library: ${check.library}`),
  must: check.must ?? defaults.check.must,
  timeoutS: check.timeout_s ?? defaults.check.timeoutS,
  tests: check.tests ?? [],
  before: check.before ?? null,
  after: check.after ?? null,
  ...(check.report === undefined ? {} : { report: check.report }),
  ...(check.browser === undefined ? {} : { browser: settleBrowser(check.browser) }),
  ...(check.library === undefined ? {} : { library: check.library }),
  ...(check.network === undefined ? {} : { network: check.network }),
});

type BrowserYaml = NonNullable<CheckKeys["browser"]>;

const settleBrowser = ({ url, server, steps, allow_hosts: hosts }: BrowserYaml): BrowserSteps => ({
  url: url ?? null,
  server:
    server === undefined
      ? null
      : { run: server.run, ready: String(server.ready), timeoutMs: (server.timeout_s ?? 60) * 1000 },
  steps,
  allowHosts: hosts ?? [],
});

/** Shown in place of a command. It names no file: files in a command are sealed. */
const browserTitle = (browser: BrowserYaml | undefined): string =>
  `browser: ${browser?.steps.length ?? 0} steps${browser?.url === undefined ? "" : ` on ${browser.url}`}`;

/** Refuses limits over the ceilings, unless the person confirmed them. */
export function checkCeilings(limits: Limits, yesReally: boolean): void {
  if (yesReally) return;
  const over = limitNames.flatMap((name) => {
    const { key, ceiling } = limitRow(name);
    const value = written(name, limits[name]) ?? Number.POSITIVE_INFINITY;
    // Refuse anything that is not at most the ceiling, including NaN.
    return ceiling === undefined || value <= ceiling ? [] : [`${key} is ${value}, and the most is ${ceiling}.`];
  });
  if (over.length === 0) return;
  throw new UserError("limit-too-high", {
    what: "The run did not start.",
    why: over.join("\n"),
    next: "Lower the limit, or pass --yes-really if you mean it.",
  });
}
