// What the API shows: workspaces, runs, what waits.
import { UserError } from "../core/errors.ts";
import { gateOf } from "../core/gates.ts";
import { featureId, isPlainName } from "../core/ids.ts";
import { progressIn } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import type { Engine } from "../engines/engine.ts";
import { everythingWaiting } from "../engines/waiting.ts";
import { readIfPossible } from "../engines/watch.ts";
import { whoDrives } from "../project/who-drives.ts";
import { type RunStatus, statusOf } from "../runtime/records/status.ts";
import type { Served } from "./workspaces.ts";

const runsShown = 100;

export async function runsOf(engine: Engine): Promise<readonly RunStatus[]> {
  const names = (await engine.runs()).slice(0, runsShown);
  const stories = await Promise.all(names.map((run) => readIfPossible(engine, run)));
  return stories.flatMap((story) => (story === null ? [] : [statusOf(story)]));
}

export const isDriven = async (root: string): Promise<boolean> => (await whoDrives(root)) !== null;

/** Null: a folder that is gone is still listed, with the reason. */
export async function workspaceAtGlance({ id, root, engine }: Served) {
  const about = { id, root };
  try {
    const [latest] = await engine.runs();
    const story = latest === undefined ? null : await readIfPossible(engine, latest);
    const waiting = latest === undefined ? 0 : (await everythingWaiting(engine, undefined)).length;
    return {
      ...about,
      driven: await isDriven(root),
      waiting,
      latest: story === null ? null : statusOf(story),
      problem: null,
    };
  } catch (error) {
    const problem = error instanceof UserError ? `${error.what} ${error.why}` : "It cannot be read.";
    return { ...about, driven: false, waiting: 0, latest: null, problem };
  }
}

/** With what an answer has to name. */
export async function waitingIn(engine: Engine) {
  if ((await engine.runs()).length === 0) return [];
  const all = await everythingWaiting(engine, undefined);
  return all.map(({ runId, run, isLatest: _, ...words }) => ({
    run: runId,
    ...words,
    gate: words.kind === "gate" ? shownGate(run) : null,
    tree: heldTree(run, words.about),
  }));
}

function shownGate(run: Run) {
  const gate = gateOf(run);
  return gate === null ? null : { name: gate.name, number: gate.number, tree: gate.tree, feature: gate.feature };
}

const heldTree = (run: Run, about: string): string | null =>
  isPlainName(about) ? (progressIn(run.progress, featureId(about))?.held?.tree ?? null) : null;
