// What beginning a run is in every engine: everything is checked before anything is written, so that a refusal leaves
// no trace.
import { createHash } from "node:crypto";
import { refuseUnregistered } from "../checks/library/library-check.ts";
import type { Contract } from "../core/contract.ts";
import { UserError } from "../core/errors.ts";
import { type RunId, runId, type TaskId, taskId } from "../core/ids.ts";
import type { Limits } from "../core/limits.ts";
import type { NoteKind } from "../core/note-kinds.ts";
import type { Run } from "../core/run.ts";
import { settle } from "../formats/config/settings.ts";
import { type FeatureFile, parseFeaturesJson } from "../formats/queue/features-json.ts";
import { appendFeatures, draftFeaturesJson, nextNumber } from "../formats/queue/features-render.ts";
import { ensureDir } from "../host/disk.ts";
import { agentToProbe } from "../project/agents/agent-to-probe.ts";
import type { RegisteredAgents } from "../project/agents/agents.ts";
import { withAgents, withModel } from "../project/agents/chosen-agents.ts";
import { configuredBy, keepConfigured, readConfigured } from "../project/config/configured.ts";
import { readInputs, withDraft } from "../project/config/contract-inputs.ts";
import { readerOf, readOnce } from "../project/config/read-once.ts";
import type { Registered } from "../project/config/registered.ts";
import { ignoreOurOwn } from "../project/place/ignore-own.ts";
import { workspaceDisk } from "../project/place/workspace-disk.ts";
import { type PlannedRun, refusal } from "../project/plan/plan-run.ts";
import type { RunHome } from "../project/runs/home.ts";
import { refuseUnattended, refuseWithoutWalls, sayWalls } from "../project/walls/walls.ts";
import { isOthersState } from "../report/state-json.ts";
import { featuresInScope, featuresSource } from "../runtime/inputs.ts";
import type { RunFiles } from "../runtime/ports.ts";
import { obstacle } from "../runtime/preflight.ts";
import { rememberAll } from "../runtime/records/guard.ts";
import { featuresPath, othersState, shapeSource, statePath } from "../runtime/records/paths.ts";
import { draftOf } from "../runtime/records/write.ts";
import { version } from "../version.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { changedLimits, editedLimits } from "./changed-limits.ts";
import { readAgents } from "./current-agents.ts";
import type { Changes } from "./engine.ts";
import { handOn, noFollowUp } from "./follow-up.ts";
import { newRunId } from "./new-run-id.ts";
import { type Plan, writePlan } from "./plan.ts";
import type { Running } from "./running.ts";

/** What is begun: the plan as it was shown, without what only the person needed. */
export type Start = {
  readonly planned: Omit<PlannedRun, "from" | "intake" | "notices" | "unpriced" | "waiting" | "warnings">;
  readonly kind: "git" | "plain";
  readonly task?: string;
  readonly run?: string;
  readonly stealLock?: boolean;
  /** Its commits stay on its branch, and land by a pull request. */
  readonly pullRequest?: boolean;
  /** The worktree of an earlier run, where this one goes on. */
  readonly worktree?: string;
};

/** The run that another one follows up on. */
export type Followed = { readonly id: string; readonly plan: Plan; readonly files: RunFiles; readonly run: Run };

/**
 * The start of a run that follows up on the gaps found by the audit of another run, with the agents that worked on it last,
 * unless the person names others. `highestUsed`: its features get higher numbers than this.
 */
export function followUpOf(
  root: string,
  { id: of, plan, files, run: ended }: Followed,
  { highestUsed = 0, changes }: { readonly highestUsed?: number; readonly changes?: Changes | undefined } = {},
): Start {
  if (ended.now.is !== "stopped" || ended.now.outcome.kind !== "followup") throw noFollowUp(of);
  const path = featuresPath(plan.contract.recordsDir);
  const disk = readOnce(root);
  const inputs = readInputs(root, disk, {});
  const now = configuredBy(root, inputs);
  const run = withLimits(ended, editedLimits(readConfigured(files) ?? now, now), changes);
  const raw = disk.read(path) ?? draftFeaturesJson([]);
  const before = parseFeaturesJson(raw, path);
  const { contract, features } = handOn(runId(of), run, Math.max(highestUsed + 1, nextNumber(before)));
  const scope = onlyGaps(contract.scope, before);
  const text = appendFeatures(raw, features);
  // Its texts are what the run is begun with, and another loop's state is to be put back when it ends.
  disk.read(statePath);
  const current = readAgents(files, plan);
  const agents = withModel(withAgents(current.agents, changes?.flags.agents ?? {}), changes?.model ?? null);
  const planned = {
    ...plan,
    agents,
    env: current.env,
    notify: plan.notify ?? settle({}).notify,
    place: plan.worktree === undefined ? ("here" as const) : ("worktree" as const),
    isDrafted: false,
    // The run that it follows was allowed to begin.
    unconfined: true,
    prd: null,
    inputs,
    texts: disk.texts,
    contract: { ...contract, scope, features: featuresInScope(parseFeaturesJson(text, path), scope) },
    features: text,
  };
  const { kind, task, worktree } = plan;
  return {
    planned,
    kind,
    task,
    ...(worktree === undefined ? {} : { worktree }),
    ...(changes?.stealLock === true ? { stealLock: true } : {}),
  };
}

/** The budget is the task's: a cap that is changed includes what the run before has used, as in a run that is resumed. */
function withLimits(run: Run, edited: Partial<Limits>, changes: Changes | undefined): Run {
  const { intent, flags = {}, yesReally = false }: Partial<Changes> = changes ?? {};
  if (intent !== undefined && intent.mode !== "preserve") throw gapsDecide();
  const limits = { ...run.contract.limits, ...changedLimits(run, edited, flags.limits ?? {}, yesReally) };
  return { ...run, contract: { ...run.contract, limits } };
}

const gapsDecide = (): UserError =>
  new UserError("queue-decides", {
    what: "The run was not continued.",
    why: "A follow-up run works on what the audit found missing, and not on a new request.",
    next: "loop continue, without a request. Once it has ended, begin a run for the new request.",
  });

/**
 * A follow-up works on its gaps, whatever numbers the scope named: they belong to the same request. What else is open
 * is left for another run, as it is by a run for a request.
 */
const onlyGaps = (scope: Contract["scope"], { features }: FeatureFile): Contract["scope"] => ({
  ...scope,
  include: null,
  exclude: [],
  waiting: features.filter(({ status }) => status !== "complete" && status !== "existing").map(({ id }) => id),
});

export async function refuseObstacles(
  { planned }: Start,
  root: string,
  workspace: Workspace,
  registered: Registered = {},
): Promise<readonly string[]> {
  const stop = obstacle(await workspace.inspect(), planned.contract.recordsDir);
  if (stop !== null) throw new UserError(stop.code, { what: "The run did not start.", why: stop.why, next: stop.next });
  refuseUnregistered(planned.contract.checks, registered.checks ?? {});
  await refuseWithoutWalls(planned.agents);
  const subscriptions = await refuseMissing(planned, root, registered.agents ?? {});
  await refuseUnattended(planned);
  return subscriptions;
}

/**
 * A missing agent, or one that is not logged in, is detected before anything is written. Returns those that run on a
 * subscription.
 */
export async function refuseMissing(
  { agents, env }: Pick<PlannedRun, "agents" | "env">,
  root: string,
  registered: RegisteredAgents,
  what = "The run did not start.",
): Promise<readonly string[]> {
  const subscriptions = new Set<string>();
  const named = new Map([agents.maker, agents.checker].map((settings) => [JSON.stringify(settings), settings]));
  for (const settings of named.values()) {
    if (settings === null) continue;
    const probe = await (await agentToProbe(settings, root, env, registered)).probe();
    if (!probe.found) throw refusal("no-agent", probe.why, probe.next, what);
    if (probe.login === "no")
      throw refusal(
        "not-logged-in",
        `${settings.kind} is not logged in.${probe.note === undefined ? "" : ` ${probe.note}`}`,
        probe.next ?? `Log in to ${settings.kind}, then run the same command again.`,
        what,
      );
    if (probe.isSubscription === true) subscriptions.add(settings.kind);
  }
  return [...subscriptions];
}

/** Writes what the run is begun with into its files. Returns the plan, with the hash for the journal. */
export function layOut(
  { planned, kind, worktree }: Start,
  home: RunHome,
  files: RunFiles,
): { plan: Plan; hash: string } {
  const { root, task } = home;
  ensureDir(home.dir);
  files.write("request.md", `${planned.contract.request}\n`);
  files.write(featuresSource, planned.features);
  // A worktree has it only where it is committed, and then the folder has it as well.
  const state = planned.texts[statePath] ?? null;
  if (state !== null && isOthersState(state)) files.write(othersState, state);
  if (planned.inputs.shape !== null) files.write(shapeSource, planned.inputs.shape.text);
  const inputs = withDraft(planned.inputs, () => draftOf(planned.contract));
  keepConfigured(files, configuredBy(root, inputs));
  rememberAll({ disk: readerOf(planned.texts), files }, planned.contract.recordsDir);
  const plan: Plan = {
    version: 2,
    task,
    contract: planned.contract,
    agents: planned.agents,
    env: planned.env,
    notify: planned.notify,
    kind,
    stopAtLimit: planned.stopAtLimit,
    isDrafted: planned.isDrafted,
    ...(planned.prd === null ? {} : { prd: planned.prd }),
    ...(worktree === undefined ? {} : { worktree }),
  };
  const hash = writePlan(files, plan);
  ignoreOurOwn(workspaceDisk(root));
  return { plan, hash };
}

/** Where an agent runs on a subscription, every sum is an estimate. */
export function withEstimate<Begins extends Pick<Start, "planned">>(
  start: Begins,
  subscriptions: readonly string[],
): { readonly start: Begins; readonly notes: readonly BeginningNote[] } {
  if (subscriptions.length === 0) return { start, notes: [] };
  const { planned } = start;
  const who = `${subscriptions.join(" and ")} ${subscriptions.length === 1 ? "runs on a subscription" : "run on subscriptions"}`;
  const cap =
    planned.contract.limits.windowPercentMax === null ? " To cap its window: limits.window_percent in loop.yaml." : "";
  const text = `${who}: sums of money are estimates, at the prices of the API.${cap}`;
  const estimated = { ...start, planned: { ...planned, contract: { ...planned.contract, isEstimate: true as const } } };
  return { start: estimated, notes: [{ kind: "money", text }] };
}

export type BeginningNote = { readonly kind: NoteKind; readonly text: string };

/** The first event, and what a person should find in the run log. */
export async function recordBeginning(run: Running, hash: string, notices: readonly BeginningNote[]): Promise<void> {
  const { home, plan } = run;
  // Whatever can fail comes before the first event.
  const { text, isOff } = await sayWalls(
    plan.agents,
    home.root === home.project.root ? home.root : null,
    plan.contract.checks,
  );
  await run.record({ type: "begun", task: home.task, run: home.run, contract: hash, version });
  for (const notice of notices) run.note(notice.kind, notice.text);
  if (!isOff) run.note("walls", `Walls around agents: ${text}.`);
  if (plan.prd !== undefined) run.note("prd", `From ${plan.prd.path} (sha256 ${plan.prd.sha256}).`);
}

/** `isKept`: whether a run of this id has begun. */
export function newIds(
  { planned, task, run }: Start,
  isKept: (run: RunId) => boolean,
): { readonly task: TaskId; readonly run: RunId } {
  const { request } = planned.contract;
  const hash = createHash("sha256").update(request).digest("hex").slice(0, 8);
  const ids = { task: taskId(task ?? `${slugOf(request, 32)}-${hash}`), run: runId(run ?? newRunId(new Date())) };
  if (isKept(ids.run)) throw runExists(ids.run);
  return ids;
}

export const runExists = (run: RunId): UserError =>
  refusal("run-exists", `There is a run ${run} already.`, `loop show ${run}`);

/** A request as a short name. */
export const slugOf = (request: string, lengthMax: number): string =>
  request
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, lengthMax)
    .replace(/-+$/, "") || "task";
