// One session with one agent. On retry: the session's folder has its result, or the point where it was cut, so that
// nothing is paid for twice.

import type { SessionResult } from "../../agents/session/session-result.ts";
import type { Effect } from "../../core/effect.ts";
import { Bug } from "../../core/errors.ts";
import type { SessionEnding } from "../../core/event.ts";
import { allowedFeature } from "../../core/held.ts";
import { type TreeId, treeId } from "../../core/ids.ts";
import { boundedByTime } from "../../core/ledger.ts";
import { leftRunning } from "../../core/left-running.ts";
import { closedWindow, windowUsed } from "../../core/limited.ts";
import type { Run } from "../../core/run.ts";
import { noUsage } from "../../core/session.ts";
import type { Checkout } from "../../proof/prover.ts";
import type { Ports, Result } from "../ports.ts";
import { writeHandoff } from "../roles/handoff.ts";
import { roles } from "../roles/index.ts";
import type { RoleSpec, RoleTask } from "../roles/role.ts";
import { keepFolder } from "./folder.ts";

type RunSession = Extract<Effect, { do: "run-session" }>;

export async function runSession(effect: RunSession, run: Run, ports: Ports, cut: AbortSignal): Promise<Result> {
  const { work, candidate, pair, role } = effect;
  const spec = roles[role];
  const feature = work === null ? null : allowedFeature(run, work.feature);
  const found = spec.mayWrite ? null : await folderBefore(effect, ports);
  const place = await placeOf(spec, { run, work, candidate, ports }, cut);
  try {
    return await inPlace(effect, { role, run, work, feature, candidate, pair, ports, cwd: place.dir }, cut);
  } finally {
    await place.close();
    // Also when it was cut short: if the run rests next, the folder's content counts as a person's.
    if (found !== null) await keepFolder(run, found, `while the ${role} session ran`, ports);
  }
}

async function inPlace(effect: RunSession, task: RoleTask, cut: AbortSignal): Promise<Result> {
  const { run, work, pair, role, ports, cwd } = task;
  const { session } = effect;
  const spec = roles[role];
  const closed = closedWindow(run, effect.by, ports.clock.now());
  if (closed !== null) {
    const ending = { how: "failed", failure: windowUsed(closed, closed.percentMax) } as const;
    return { type: "session-ended", session, ending, usage: noUsage, editsMax: null };
  }
  const { windowPercentMax = null } = run.contract.limits;
  const result = await ports.sessions.run(
    {
      session,
      role,
      by: effect.by,
      feature: work?.feature ?? null,
      attempt: work?.attempt ?? pair?.round ?? 1,
      prompt: await spec.prompt(task),
      ...(effect.resumes === undefined || spec.again === undefined
        ? {}
        : { resumes: { session: effect.resumes, prompt: spec.again(task) } }),
      replySchema: spec.replySchema,
      cwd,
      mayWrite: spec.mayWrite,
      costUsdMax: effect.costUsdMax,
      ...(effect.tokensMax === null ? {} : { tokensMax: effect.tokensMax }),
      ...(windowPercentMax === null ? {} : { windowPercentMax }),
      timeoutMs: effect.timeoutMs,
      silenceMs: effect.silenceMs,
      ...(run.contract.compactPercent === undefined ? {} : { compactPercent: run.contract.compactPercent }),
      handoverPercent: run.contract.handoverPercent,
    },
    cut,
  );
  if (result.how === "interrupted") return { type: "cut", usage: boundedByTime(result.usage, result.ms) };
  if (result.strays > 0) ports.note("strays", `The ${role} session ${leftRunning(result.strays)}`);
  if (result.compactions !== undefined)
    ports.note("compacted", `The ${role} session's context was compacted ${times(result.compactions)}.`);
  const ending = await endingOf(spec, task, result);
  if (ending.how === "failed" && ending.failure.class === "context-full" && work !== null)
    await writeHandoff({ ...task, work });
  if (ending.how === "replied") keep(task, ending.reply);
  const { editsMax, refused, window } = result;
  const usage = boundedByTime(result.usage, result.ms);
  return {
    type: "session-ended",
    session,
    ending,
    usage,
    editsMax,
    ...(refused.length === 0 ? {} : { refused }),
    ...(window === undefined ? {} : { window }),
  };
}

/** A read-only session must not change the folder; its state is recorded before the session begins. */
async function folderBefore({ session, work, candidate }: RunSession, ports: Ports): Promise<TreeId> {
  if (candidate !== null) return candidate.tree;
  if (work !== null) return work.mark.tree;
  const place = `folders/${session}`;
  const known = ports.files.read(place);
  if (known !== null) return treeId(known);
  const tree = await ports.workspace.tree();
  ports.files.write(place, tree);
  return tree;
}

const times = (number: number): string => (number === 1 ? "once" : `${number} times`);

/** A maker works in the workspace; a verifier in a clean checkout of the candidate, where it can do no harm. */
async function placeOf(
  spec: RoleSpec,
  { ports, work, run, candidate }: Pick<RoleTask, "ports" | "work" | "run" | "candidate">,
  cut: AbortSignal,
): Promise<Checkout> {
  if (spec.mayWrite) return { dir: ports.workspace.root, close: async () => {} };
  const tree = candidate?.tree ?? work?.base.tree ?? run.head?.tree;
  if (tree === undefined) throw new Bug("a session needs a tree to look at");
  return ports.prover.checkout({ contract: run.contract, tree }, cut);
}

async function endingOf(
  spec: RoleSpec,
  task: RoleTask,
  result: Exclude<SessionResult, { how: "interrupted" }>,
): Promise<SessionEnding> {
  if (result.how === "failed")
    return { how: "failed", failure: { ...result.failure, text: result.failure.text.slice(0, 2000) } };
  const reply = await spec.read(result.reply, task);
  if (!("problem" in reply)) return { how: "replied", reply };
  return { how: "failed", failure: { class: "no-result", text: reply.problem.slice(0, 2000), retryAt: null } };
}

/** A verdict is bound to the tree that it judged, and becomes part of the proof. */
function keep({ ports, role, work, candidate, pair }: RoleTask, reply: unknown): void {
  if (work === null) {
    const stage = role === "auditor" || role === "audit-verifier" ? "audit" : "plan";
    ports.files.write(`artifacts/${stage}/${pair?.round ?? 1}-${role}.json`, `${JSON.stringify(reply, null, 2)}\n`);
  }
  if (work !== null && role !== "examiner") {
    const phase = `artifacts/${work.stage}/phases/${work.feature}`;
    ports.files.write(`${phase}/i${work.iteration}-${role}.json`, `${JSON.stringify(reply, null, 2)}\n`);
  }
  if (candidate === null || work === null) return;
  const verdict = { tree: candidate.tree, evidence: candidate.proof, reply };
  ports.files.write(`verdicts/${work.feature}-i${work.iteration}.json`, `${JSON.stringify(verdict, null, 2)}\n`);
}
