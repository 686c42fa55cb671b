// Begins a run: everything is looked at before anything is written, so that a refusal leaves no trace.
import { createHash, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Contract } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { type RunId, runId, type TaskId, taskId } from "../../core/ids.ts";
import type { LoopYaml } from "../../formats/loop-yaml.ts";
import type { CheckSettings, Settings } from "../../formats/settings.ts";
import { ensureDir } from "../../host/disk.ts";
import { acquireLock, type Lock } from "../../host/lock/lock.ts";
import { featuresInScope, featuresSource } from "../../runtime/inputs.ts";
import { limitsOf } from "../../runtime/limits.ts";
import { obstacle } from "../../runtime/preflight.ts";
import { rememberAll } from "../../runtime/records/guard.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import { stagesBuilt } from "../../runtime/roles/index.ts";
import { version } from "../../version.ts";
import { lockKey, openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { makeAgent } from "./agents.ts";
import { detectAgent, detectChecks } from "./detect.ts";
import { runFiles, runHome } from "./home.ts";
import { LocalRun } from "./local-run.ts";
import { ignoreOurOwn } from "./mirror.ts";
import { type Plan, writePlan } from "./plan.ts";
import { loadSettings } from "./settings.ts";
import { workQueue } from "./work-queue.ts";
import { workspaceDisk } from "./workspace-disk.ts";

export type BeginOrder = {
  readonly root: string;
  readonly request: string | null;
  readonly flags: LoopYaml;
  readonly kind: "git" | "plain";
  readonly task?: string;
  readonly yesReally?: boolean;
  readonly stealLock?: boolean;
};
export type Held = { readonly run: LocalRun; readonly lock: Lock; close(): Promise<void> };

export async function beginRun(order: BeginOrder): Promise<Held> {
  const { root, kind } = order;
  const planned = planRun(order);
  const lock = await lockWorkspace(root, `run for: ${planned.contract.request.slice(0, 80)}`, order.stealLock);
  try {
    const vault = vaultDirFor(root);
    const workspace = await openWorkspace({ root, vaultDir: vault, kind });
    const stop = obstacle(await workspace.inspect(), planned.contract.recordsDir);
    if (stop !== null)
      throw new UserError(stop.code, { what: "The run did not start.", why: stop.why, next: stop.next });
    await refuseMissing(planned, root);
    const ids = newIds(planned.contract.request, order.task);
    const home = runHome(root, vault, ids.task, ids.run);
    const files = runFiles(home.dir);
    ensureDir(home.dir);
    files.write("request.md", `${planned.contract.request}\n`);
    files.write(featuresSource, planned.features);
    rememberAll({ disk: workspaceDisk(root), files }, planned.contract.recordsDir);
    const plan: Plan = {
      version: 1,
      task: ids.task,
      contract: planned.contract,
      agents: planned.agents,
      env: planned.env,
      kind,
      stopAtLimit: planned.stopAtLimit,
    };
    const contract = writePlan(files, plan);
    ignoreOurOwn(workspaceDisk(root));
    const run = new LocalRun(home, workspace, { fresh: true });
    await run.record({ type: "begun", task: ids.task, run: ids.run, contract, version });
    for (const notice of lock.notices) run.send({ type: "noted", about: notice.kind, text: notice.text });
    return held(run, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** An agent that is not there, or not logged in, is found out before anything is written. */
async function refuseMissing({ agents, env }: PlannedRun, root: string): Promise<void> {
  const named = new Map([agents.maker, agents.checker].map((settings) => [JSON.stringify(settings), settings]));
  for (const settings of named.values()) {
    if (settings === null) continue;
    const probe = await makeAgent(settings, root, env).probe();
    if (!probe.found) throw refusal("no-agent", probe.why, probe.next);
    if (probe.login === "no")
      throw refusal(
        "not-logged-in",
        `${settings.kind} is not logged in.${probe.note === undefined ? "" : ` ${probe.note}`}`,
        `Log in to ${settings.kind}, then run the same command again.`,
      );
  }
}

export const held = (run: LocalRun, lock: Lock): Held => ({
  run,
  lock,
  async close() {
    await run.close();
    await lock.release();
  },
});

export function lockWorkspace(root: string, about: string, steal = false): Promise<Lock> {
  return acquireLock({ dir: locksDir(root), key: lockKey(root), about, steal });
}
export const locksDir = (root: string): string => join(dirname(vaultDirFor(root)), "locks");

export type PlannedRun = {
  stopAtLimit: boolean;
  contract: Contract;
  features: string;
  agents: Settings["agents"];
  env: readonly string[];
};

/** What would be done: reads, and writes nothing. */
export function planRun({
  root,
  request,
  flags,
  yesReally = false,
}: Pick<BeginOrder, "root" | "request" | "flags" | "yesReally">): PlannedRun {
  const settings = loadSettings(root, flags, yesReally);
  const path = featuresPath(settings.recordsDir);
  const queue = workQueue(workspaceDisk(root).read(path), path, request);
  const scope = {
    mayTouch: settings.scope.mayTouch ?? [],
    mustNot: settings.scope.mustNot,
    mayChange: settings.scope.mayChange,
    onDestructive: settings.scope.onDestructive,
    include: settings.scope.features.include,
    exclude: settings.scope.features.exclude,
  };
  const features = featuresInScope(queue.file, scope);
  const agents = agentsFor(settings);
  const contract: Contract = {
    version: 1,
    request: queue.request,
    features,
    checks: checksFor(root, settings).map(({ timeoutS, ...check }) => ({ ...check, timeoutMs: timeoutS * 1000 })),
    limits: limitsOf(settings.limits),
    autonomy: settings.autonomy,
    stages: settings.stages,
    scope,
    recordsDir: settings.recordsDir,
    onLimit: settings.onLimit === "switch" && hasTwo(agents) ? "switch" : "wait",
    compactPercent: settings.context.compactPercent,
    handoverPercent: settings.context.handoverPercent,
  };
  refuseUnbuilt(settings);
  refuseStrangers(
    contract,
    queue.file.features.filter(({ status }) => status === "complete" || status === "existing").map(({ id }) => id),
  );
  return { contract, features: queue.file.raw, agents, env: settings.env, stopAtLimit: settings.onLimit === "stop" };
}

function checksFor(root: string, settings: Settings): readonly CheckSettings[] {
  const checks = settings.checks ?? detectChecks(root);
  if (checks.length > 0) return checks;
  throw refusal(
    "no-checks",
    "No check is configured and none was detected, so nothing could be proved.",
    'Name one in loop.yaml: checks: [{ name: test, run: "npm test" }]',
  );
}

function agentsFor({ agents }: Settings): Settings["agents"] {
  const found = agents.maker ?? detectAgent();
  if (found === null) {
    throw refusal(
      "no-agent",
      "No agent is configured, and neither claude nor codex is on PATH.",
      "Install one, or name one in loop.yaml: agents: { maker: … }. To see how it works without one: loop demo",
    );
  }
  const fill = (agent: Settings["agents"]["maker"]) => agent ?? found;
  return {
    maker: found,
    checker: fill(agents.checker),
    planner: fill(agents.planner),
    tester: fill(agents.tester),
    auditor: fill(agents.auditor),
  };
}

/** Standing in for oneself would help nobody. */
const hasTwo = ({ maker, checker }: Settings["agents"]): boolean => JSON.stringify(maker) !== JSON.stringify(checker);

function refuseUnbuilt({ stages }: Settings): void {
  const missing = stages.filter((stage) => !stagesBuilt.includes(stage));
  if (missing.length > 0)
    throw refusal(
      "stage-not-available",
      `This version has no ${missing.join(", ")} stage yet.`,
      "Leave it out of stages in loop.yaml.",
    );
}

/** Names that lead nowhere: checks a feature asks for, and dependencies that are out of scope and not done. */
function refuseStrangers({ features, checks }: Contract, done: readonly string[]): void {
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
    throw refusal("bad-features", problems.slice(0, 20).join("\n"), "Correct the features, or the scope in loop.yaml.");
  if (features.length === 0)
    throw refusal("nothing-in-scope", "The scope leaves no feature to work on.", "Widen scope.features in loop.yaml.");
}

const refusal = (code: string, why: string, next: string): UserError =>
  new UserError(code, { what: "The run did not start.", why, next });

function newIds(request: string, task?: string): { task: TaskId; run: RunId } {
  const slug =
    request
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 32)
      .replace(/-+$/, "") || "task";
  const hash = createHash("sha256").update(request).digest("hex").slice(0, 8);
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return { task: taskId(task ?? `${slug}-${hash}`), run: runId(`${stamp}-${randomBytes(3).toString("hex")}`) };
}
