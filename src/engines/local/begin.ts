// Begins a run: everything is checked before anything is written, so that a refusal leaves no trace.
import { createHash, randomBytes } from "node:crypto";
import type { Contract } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import { type RunId, runId, type TaskId, taskId } from "../../core/ids.ts";
import { parseFeaturesJson } from "../../formats/features-json.ts";
import { appendFeatures, draftFeaturesJson, nextNumber } from "../../formats/features-render.ts";
import { ensureDir } from "../../host/disk.ts";
import type { Lock } from "../../host/lock/lock.ts";
import { makeAgent } from "../../project/agents.ts";
import { configuredBy, keepConfigured } from "../../project/configured.ts";
import { readInputs, withDraft } from "../../project/contract-inputs.ts";
import { runDir, runFiles, runHome } from "../../project/home.ts";
import { ignoreOurOwn } from "../../project/ignore-own.ts";
import { lockWorkspace } from "../../project/lock.ts";
import { type BeginOrder, type PlannedRun, planRun, refusal } from "../../project/plan-run.ts";
import { workspaceDisk } from "../../project/workspace-disk.ts";
import { featuresInScope, featuresSource } from "../../runtime/inputs.ts";
import { obstacle } from "../../runtime/preflight.ts";
import { rememberAll } from "../../runtime/records/guard.ts";
import { featuresPath, shapeSource } from "../../runtime/records/paths.ts";
import { draftOf } from "../../runtime/records/write.ts";
import { version } from "../../version.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { handOn, noFollowUp } from "./follow-up.ts";
import { LocalRun } from "./local-run.ts";
import { type Plan, readPlan, writePlan } from "./plan.ts";
import { readStory } from "./read-story.ts";

export type Held = { readonly run: LocalRun; readonly lock: Lock; close(): Promise<void> };

export async function beginRun(order: BeginOrder): Promise<Held> {
  return start(planRun(order), order);
}

/** Begins a run that follows up on the gaps found by the audit of another run. */
export async function beginFollowUp(root: string, of: string): Promise<Held> {
  const { plan } = readPlan(runFiles(runDir(vaultDirFor(root), of)));
  const { run } = readStory(root, of);
  if (run.now.is !== "stopped" || run.now.outcome.kind !== "followup") throw noFollowUp(of);
  const path = featuresPath(plan.contract.recordsDir);
  const disk = workspaceDisk(root);
  const raw = disk.read(path) ?? draftFeaturesJson([]);
  const { contract, features } = handOn(runId(of), run, nextNumber(parseFeaturesJson(raw, path)));
  const text = appendFeatures(raw, features);
  const planned: Startable = {
    ...plan,
    isDrafted: false,
    prd: null,
    inputs: readInputs(root, disk, {}),
    contract: { ...contract, features: featuresInScope(parseFeaturesJson(text, path), everything(contract)) },
    features: text,
  };
  return start(planned, { root, kind: plan.kind, task: plan.task });
}

/** A scope that named features by number did not mean to exclude these: they belong to the same request. */
const everything = ({ scope }: Contract): Contract["scope"] => ({ ...scope, include: null });

type Startable = Omit<PlannedRun, "from" | "notices" | "waiting" | "warnings">;

async function start(
  planned: Startable,
  order: Pick<BeginOrder, "root" | "kind" | "task" | "stealLock">,
): Promise<Held> {
  const { root, kind } = order;
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
    if (planned.inputs.shape !== null) files.write(shapeSource, planned.inputs.shape.text);
    keepConfigured(
      files,
      configuredBy(
        root,
        withDraft(planned.inputs, () => draftOf(planned.contract)),
      ),
    );
    rememberAll({ disk: workspaceDisk(root), files }, planned.contract.recordsDir);
    const plan: Plan = {
      version: 2,
      task: ids.task,
      contract: planned.contract,
      agents: planned.agents,
      env: planned.env,
      kind,
      stopAtLimit: planned.stopAtLimit,
      isDrafted: planned.isDrafted,
      ...(planned.prd === null ? {} : { prd: planned.prd }),
    };
    const contract = writePlan(files, plan);
    ignoreOurOwn(workspaceDisk(root));
    const run = new LocalRun(home, workspace, { fresh: true });
    await run.record({ type: "begun", task: ids.task, run: ids.run, contract, version });
    for (const notice of lock.notices) run.send({ type: "noted", about: notice.kind, text: notice.text });
    if (planned.prd !== null)
      run.send({ type: "noted", about: "prd", text: `From ${planned.prd.path} (sha256 ${planned.prd.sha256}).` });
    return held(run, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A missing agent, or one that is not logged in, is detected before anything is written. */
export async function refuseMissing(
  { agents, env }: Pick<PlannedRun, "agents" | "env">,
  root: string,
  what = "The run did not start.",
): Promise<void> {
  const named = new Map([agents.maker, agents.checker].map((settings) => [JSON.stringify(settings), settings]));
  for (const settings of named.values()) {
    if (settings === null) continue;
    const probe = await makeAgent(settings, root, env).probe();
    if (!probe.found) throw refusal("no-agent", probe.why, probe.next, what);
    if (probe.login === "no")
      throw refusal(
        "not-logged-in",
        `${settings.kind} is not logged in.${probe.note === undefined ? "" : ` ${probe.note}`}`,
        `Log in to ${settings.kind}, then run the same command again.`,
        what,
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

function newIds(request: string, task?: string): { task: TaskId; run: RunId } {
  const slug =
    request
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 32)
      .replace(/-+$/, "") || "task";
  const hash = createHash("sha256").update(request).digest("hex").slice(0, 8);
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 19);
  return { task: taskId(task ?? `${slug}-${hash}`), run: runId(`${stamp}-${randomBytes(3).toString("hex")}`) };
}
