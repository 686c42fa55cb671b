// What a run would do, without doing it: the request or the features, the agents, the checks, the gates.

import type { Contract, Feature, FeatureNote, IntakeNote } from "../../core/contract.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { UserError } from "../../core/errors.ts";
import type { FeatureId } from "../../core/ids.ts";
import { unknownUsdPerSecond } from "../../core/ledger.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import type { AgentSettings, CheckSettings, NotifySettings, Settings } from "../../formats/config/settings.ts";
import { ownWords } from "../../formats/contract/others-words.ts";
import { nextNumber } from "../../formats/queue/features-render.ts";
import { vagueWarnings } from "../../formats/queue/vague-criteria.ts";
import { type Intake, intake, missing } from "../../intake/intake.ts";
import { isOthersState } from "../../report/state-json.ts";
import { featuresInScope } from "../../runtime/inputs.ts";
import { featuresPath, statePath } from "../../runtime/records/paths.ts";
import { type Unpriced, unasked, unpriced, withPrices } from "../agents/agent-prices.ts";
import { howToGetOne } from "../agents/agents-here.ts";
import { withModel } from "../agents/chosen-agents.ts";
import { withNetworks } from "../checks/check-networks.ts";
import { checkSpec } from "../checks/check-spec.ts";
import { detectAgent } from "../checks/detect.ts";
import { checksIn } from "../checks/hook-check.ts";
import { nameACheck } from "../checks/name-a-check.ts";
import {
  agree,
  goalAsContext,
  type Inputs,
  type Origins,
  readInputs,
  shapeCriteria,
} from "../config/contract-inputs.ts";
import { type ReadOnce, readOnce, type Texts } from "../config/read-once.ts";
import { saidUnconfined } from "../config/settings.ts";
import { type Prd, type PrdOrder, prdQueue } from "../queue/prd.ts";
import { nothingToDo, unplanned, type WorkQueue, workQueue } from "../queue/work-queue.ts";
import { lookAround } from "./known.ts";
import { asksForGreen, gatesFor, type Occasion, partsOf, stagesFor } from "./procedure.ts";

export type BeginOrder = {
  readonly root: string;
  readonly request: string | null;
  readonly flags: LoopYaml;
  readonly kind: "git" | "plain";
  readonly task?: string;
  readonly yesReally?: boolean;
  readonly stealLock?: boolean;
  /** Skips the review before building (gate G1). */
  readonly yes?: boolean;
  /** A PRD whose features are the work. */
  readonly prd?: PrdOrder;
  /** Allows an unattended run (L3) without walls. */
  readonly unconfined?: boolean;
};
export type PlannedRun = {
  /** Where it would work, if the repository allows it. */
  place: Settings["place"];
  stopAtLimit: boolean;
  isDrafted: boolean;
  /** What the request says; null: the work is the features of a file. */
  intake: Intake | null;
  contract: Contract;
  features: string;
  agents: Settings["agents"];
  env: readonly string[];
  notify: NotifySettings;
  inputs: Inputs;
  /** The loop's own files as they were when this was planned. */
  texts: Texts;
  /** Where each value came from, and text that could not be used. */
  from: Origins & { readonly request: WorkQueue["asked"] };
  notices: readonly string[];
  /** Command agents whose price is not known, and was not asked for yet. */
  unpriced: readonly Unpriced[];
  prd: Prd | null;
  /** The person has allowed an unattended run without walls. */
  unconfined?: boolean;
  /** Open features that are left for another run, since this one is about a request. */
  waiting: readonly FeatureId[];
  /** What a person should know about the features, but that does not stop the run. */
  warnings: readonly string[];
};

export type PlanOrder = Pick<BeginOrder, "root" | "request" | "flags" | "yesReally" | "yes" | "prd" | "unconfined"> & {
  /** Plans a request that is too vague, so that a person can be asked. Such a plan must not begin. */
  readonly evenVague?: boolean;
  /** The agents of this machine, for roles that are not configured. */
  readonly here?: AgentPair;
  /** The maker's model, instead of the configured one. */
  readonly model?: string;
  /** The loop's own files, as far as they were read already. */
  readonly disk?: ReadOnce;
  /** A new feature gets a higher number than this. From `used-numbers.ts`. */
  readonly highestUsed: number;
};
/** A run of the features in the queue numbers none. */
type QueueOrder = Omit<PlanOrder, "request" | "highestUsed"> & {
  readonly request: null;
  readonly highestUsed?: number;
};
export type AgentPair = { readonly maker: AgentSettings; readonly checker: AgentSettings };

/** Plans the run: reads, and writes nothing. */
export function planRun({
  root,
  request,
  flags,
  yesReally = false,
  yes = false,
  prd,
  evenVague = false,
  unconfined = false,
  here,
  model,
  disk = readOnce(root),
  highestUsed = 0,
}: PlanOrder | QueueOrder): PlannedRun {
  const inputs = readInputs(root, disk, flags);
  const path = featuresPath(inputs.recordsDir);
  const before = disk.read(path);
  const fromPrd = prd === undefined ? null : prdQueue(prd, before, path, request);
  const asked =
    fromPrd ??
    workQueue(before, path, {
      request,
      goal: inputs.loopMd?.says.goal ?? null,
      criteria: shapeCriteria(inputs),
      context: goalAsContext(root, inputs, request),
      highestUsed,
    });
  const ids = asked.drafted === null ? asked.file.features.map(({ id }) => id) : null;
  const { settings, from, notices } = agree(inputs, ids, yesReally);
  // Without a check no work could be judged, however clear the request is: that is said first.
  const words = ownWords(asked.request);
  const wanted = checksFor(root, settings, asksForGreen(words)).map(checkSpec);
  const checks = withNetworks(root, settings.sandbox, wanted);
  const found =
    asked.asked === "features"
      ? null
      : intake(asked.request, lookAround(root, asked.drafted === null ? null : asked.request, flags, disk).known);
  // Features have criteria of their own, and are as clear as they are.
  const isVague = found?.shape === "intent-needed" && asked.drafted !== null;
  const goalIn = asked.asked === "goal" ? (inputs.loopMd?.path ?? null) : null;
  if (isVague && (!evenVague || goalIn !== null)) throw tooVague(found, goalIn);
  const occasion: Occasion = {
    isDrafted: asked.drafted !== null,
    parts: partsOf(words),
    intake: found === null ? null : noteOf(found),
    hasContract: asked.asked === "goal",
    isAutonomySaid: from.autonomy !== "default",
    yes,
  };
  const stages = stagesFor(settings, occasion);
  const queue = occasion.isDrafted && stages.includes("plan") ? unplanned(before, path, asked) : asked;
  const scope = {
    mayTouch: settings.scope.mayTouch ?? [],
    mustNot: settings.scope.mustNot,
    mayChange: settings.scope.mayChange,
    onDestructive: settings.scope.onDestructive,
    ...scopeOf(asked, settings.scope.features),
  };
  const features = featuresInScope(queue.file, scope);
  // Everything in scope is done: a run of it could do nothing, and would end without having done anything.
  if (asked.drafted === null && features.length > 0 && !features.some(isOpen)) throw nothingToDo(path, queue.file);
  const { agents, notices: priced } = withPrices(withModel(agentsFor(settings, here), model ?? null), root);
  const prices = unpriced(agents, settings.limits.sessionCostUsdMax);
  const contract: Contract = {
    version: 1,
    request: queue.request,
    features,
    checks,
    limits: settings.limits,
    autonomy: settings.autonomy,
    stages,
    scope,
    recordsDir: settings.recordsDir,
    onLimit: settings.onLimit === "switch" && hasTwo(agents) ? "switch" : "wait",
    compactPercent: settings.context.compactPercent,
    handoverPercent: settings.context.handoverPercent,
    gates: gatesFor(settings, occasion),
    fullAutoAnswers: settings.fullAutoAnswers,
    intake: occasion.intake,
    ...(occasion.isDrafted ? {} : { notes: features.filter(isOpen).map(featureNote) }),
    followUp: { of: null, depth: 0, depthMax: settings.followUpDepth },
    proof: settings.proof,
    ...(stages.includes("plan") && highestUsed >= nextNumber(queue.file) ? { highestUsed } : {}),
  };
  refuseStrangers(
    contract,
    queue.file.features.filter(({ status }) => status === "complete" || status === "existing").map(({ id }) => id),
    scopeFile(from),
    path,
  );
  return {
    contract,
    features: queue.file.raw,
    agents,
    env: settings.env,
    notify: settings.notify,
    place: settings.place,
    stopAtLimit: settings.onLimit === "stop",
    isDrafted: occasion.isDrafted,
    intake: found,
    inputs,
    texts: disk.texts,
    from: { ...from, request: queue.asked },
    notices: [...notices, ...gatesNotice(contract), ...othersStateNotice(disk), ...priced, ...unpricedNotice(prices)],
    unpriced: unasked(prices, root),
    prd: fromPrd?.prd ?? null,
    unconfined: unconfined || saidUnconfined(flags),
    waiting: queue.waiting,
    warnings: [...(fromPrd?.warnings ?? []), ...vagueWarnings(features)],
  };
}

/**
 * Features that were open before a request are not part of its run. The request's own feature is, regardless of the
 * scope's include list.
 */
function scopeOf({ drafted, waiting }: WorkQueue, { include, exclude }: Settings["scope"]["features"]) {
  if (drafted === null) return { include, exclude };
  return { include: null, exclude, ...(waiting.length === 0 ? {} : { waiting }) };
}

/** A request may be somebody else's text, such as an issue: its words open no gate. */
const gatesNotice = ({ request, gates }: Contract): string[] =>
  gates.length > 0 && /\bwithout (?:any |further )?(?:confirmation|asking)\b/i.test(request)
    ? [
        `The request says to go without confirmation, and words in it open no gate: ${gates.join(", ")} will ask. To skip them: --yes`,
      ]
    : [];

const othersStateNotice = (disk: ReadOnce): string[] =>
  isOthersState(disk.read(statePath))
    ? [
        `${statePath} is another loop's: it stays as it is, and this run writes none. Its features: loop import ${statePath}`,
      ]
    : [];

/** An unknown price is never taken for nothing, and that can end a run soon: the setting is named beforehand. */
function unpricedNotice([first, ...more]: readonly Unpriced[]): string[] {
  if (first === undefined) return [];
  const names = [first, ...more].map(({ key }) => key).join(" and ");
  return [
    `the price of a command agent is not known: a session counts as $${unknownUsdPerSecond} a second, at most $${first.countedUsd}, unless its reply says it. Set ${names}`,
  ];
}

/** A request that only names the features of a file is as clear as they are. */
const noteOf = ({ score, shape, workflow, rule, reversibility }: Intake): IntakeNote => ({
  score,
  shape: shape === "tool" ? "tool" : "colleague",
  workflow,
  rule,
  reversibility,
});

/** By its own words: a queue may have a fix next to a migration. */
function featureNote({ id, name, description }: Feature): FeatureNote {
  const { workflow, reversibility } = intake(`${name}\n\n${description}`);
  return { feature: id, workflow, reversibility };
}

const isOpen = ({ status }: Feature): boolean => status !== "complete" && status !== "existing";

/** `goalIn`: the file that has it as its goal; null: it was requested. */
function tooVague(found: Intake, goalIn: string | null): UserError {
  const asked = missing(found).map(({ name, question, example }) => `${name}: ${question} e.g. "${example}"`);
  return new UserError("too-vague", {
    what: `${goalIn === null ? "The request" : `The goal in ${goalIn}`} is too vague to spend anything on: two people could disagree about whether it is done.`,
    why: ["It does not say:", ...asked].join("\n"),
    next: `${goalIn === null ? "Say" : "Write there"} what will be different, and where. loop score "…" looks at it and costs nothing.`,
  });
}

/** A detected check has to turn green if that is what the request asks for. */
function checksFor(root: string, settings: Settings, asksGreen: boolean): readonly CheckSettings[] {
  const found = checksIn(root, settings);
  const isDetected = settings.checks === null;
  const checks = isDetected && asksGreen ? found.map((check) => ({ ...check, must: "turn-green" as const })) : found;
  if (checks.length > 0) return checks;
  throw refusal(
    "no-checks",
    "No check is configured and none was detected, so nothing could be proved.",
    nameACheck(root),
  );
}

/** Every agent that a run needs, each with its walls. */
export function agentsFor(
  { agents, sandbox, network, diskGb }: Pick<Settings, "agents" | "sandbox" | "network" | "diskGb">,
  here?: AgentPair,
): Settings["agents"] {
  const found = agents.maker ?? here?.maker ?? detectAgent();
  if (found === null) {
    throw refusal("no-agent", "No agent is configured, and neither claude nor codex is on PATH.", howToGetOne);
  }
  const fill = (agent: AgentSettings | null) => ({
    sandbox,
    diskGb,
    ...(network === null ? {} : { network }),
    ...(agent ?? found),
  });
  const checker = agents.checker ?? here?.checker ?? found;
  return {
    maker: fill(found),
    checker: fill(checker),
    planner: fill(agents.planner),
    tester: fill(agents.tester),
    auditor: fill(agents.auditor ?? checker),
  };
}

/** An agent cannot stand in for itself. */
const hasTwo = ({ maker, checker }: Settings["agents"]): boolean => JSON.stringify(maker) !== JSON.stringify(checker);

/** The file whose scope left features out. */
const scopeFile = ({ include, exclude }: Origins): string =>
  [include, exclude].find((from) => from !== "default") ?? "loop.yaml: scope.features";

/** Refuses unknown names: checks that a feature asks for, and dependencies that are out of scope and not done. */
function refuseStrangers(
  { features, checks, stages }: Contract,
  done: readonly string[],
  scopedIn: string,
  queue: string,
): void {
  const names = new Set(checks.map(({ name }) => name));
  const ids = new Set<string>([...features.map(({ id }) => id), ...done]);
  const problems = features.flatMap((feature) => [
    ...feature.checks
      .filter((name) => !names.has(name))
      .map((name) => `${feature.id} asks for a check ${name}, which is not configured.`),
    ...feature.dependencies
      .filter((id) => !ids.has(id))
      .map((id) => `${feature.id} needs ${id}, which is out of scope and not complete.`),
  ]);
  if (problems.length > 0)
    throw refusal("bad-features", problems.slice(0, 20).join("\n"), `Correct ${queue}, or the scope in ${scopedIn}.`);
  if (features.length === 0 && !stages.includes("plan"))
    throw refusal("nothing-in-scope", "The scope leaves no feature to work on.", `Widen the scope in ${scopedIn}.`);
}

export const refusal = (code: ErrorCode, why: string, next: string, what = "The run did not start."): UserError =>
  new UserError(code, { what, why, next });
