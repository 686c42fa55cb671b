// What the API shows: workspaces, runs, what waits.
import { UserError } from "../core/errors.ts";
import { gateOf } from "../core/gates.ts";
import type { Run } from "../core/run.ts";
import type { Engine } from "../engines/engine.ts";
import { heldIn } from "../engines/held-work.ts";
import { undoneIn } from "../engines/overview.ts";
import { everythingWaiting, subjectIn, withoutRests } from "../engines/waiting.ts";
import { overview } from "../report/overview.ts";
import { addressedTo } from "../report/words/left.ts";
import { type Brief, briefOf } from "./brief.ts";
import { problemOf } from "./problem.ts";
import type { Served } from "./workspaces.ts";

const runsShown = 100;

/** Null: it can no longer be read. */
async function briefIn(engine: Engine, run: string): Promise<{ brief: Brief; isDriven: boolean } | null> {
  try {
    const { story, isDriven } = await engine.read(run);
    return { brief: briefOf(overview(story, { isDriven, undone: await undoneIn(engine, story) })), isDriven };
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

export async function runsOf(engine: Engine): Promise<readonly Brief[]> {
  const names = (await engine.runs()).slice(0, runsShown);
  const found = await Promise.all(names.map((run) => briefIn(engine, run)));
  return found.flatMap((each) => (each === null ? [] : [each.brief]));
}

/** A folder that is gone is still listed, with the reason. */
export async function workspaceAtGlance({ id, root, engine }: Served) {
  const about = { id, root };
  try {
    const [latest] = await engine.runs();
    const found = latest === undefined ? null : await briefIn(engine, latest);
    const waiting = latest === undefined ? 0 : (await waitingHere(engine)).length;
    return { ...about, driven: found?.isDriven ?? false, waiting, latest: found?.brief ?? null, problem: null };
  } catch (error) {
    return { ...about, driven: false, waiting: 0, latest: null, problem: problemOf(error) };
  }
}

const waitingHere = async (engine: Engine) => withoutRests(await everythingWaiting(engine, undefined));

/** With what an answer has to name. */
export async function waitingIn(engine: Engine) {
  if ((await engine.runs()).length === 0) return [];
  const all = await waitingHere(engine);
  return all.map(({ runId, run, isLatest: _, uncommitted: _tree, ...words }) => ({
    run: runId,
    ...words,
    next: addressedTo(runId, words.next),
    gate: words.kind === "gate" ? shownGate(run) : null,
    tree: heldIn(run, words.about)?.tree ?? null,
    subject: subjectIn(run, words),
    question: words.kind === "question" ? subjectIn(run, words) : null,
  }));
}

function shownGate(run: Run) {
  const gate = gateOf(run);
  return gate === null ? null : { name: gate.name, number: gate.number, tree: gate.tree, feature: gate.feature };
}
