// loop alone: what is new, where things stand and what waits for you. Starts nothing.
import { overviewOf } from "../../engines/overview.ts";
import { everythingWaiting, type Waiting, withoutRests } from "../../engines/waiting.ts";
import { readIfPossible } from "../../engines/watch.ts";
import { openFeatures } from "../../project/queue/open-features.ts";
import { newSince, rememberLook } from "../../project/runs/last-look.ts";
import { noRunsText } from "../../project/runs/no-runs.ts";
import type { Overview } from "../../report/overview.ts";
import { isoTime } from "../../report/words/words.ts";
import { unbegunIn } from "../../serve/triggers/unbegun.ts";
import { canAnswer } from "../ask-gate.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { decideHeld } from "../decide-held.ts";
import { heldText } from "../held-text.ts";
import { answers } from "../json/answer-shapes.ts";
import { inboxFacts } from "../json/inbox-facts.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";
import { columnsOf } from "../render/columns.ts";
import { whereText } from "../render/where.ts";
import { wrapped } from "../render/wrap.ts";

export async function where(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine, root, paint } = context;
  const now = Date.now();
  const since = newSince(root, now);
  const open = openFeatures(root);
  const runs = await newRuns(context, since);
  const [latest] = runs;
  const waiting = latest === undefined ? [] : withoutRests(await everythingWaiting(engine, undefined));
  const next = latest === undefined ? null : nextOf(latest, waiting);
  if (context.json) {
    const openFeatures = open.features.map(({ id }) => id);
    const [run = null, ...others] = runs.map(runFacts);
    const first = open.features.length > 0 || open.goalIn !== null ? "loop run" : null;
    printAnswer(
      answers.where,
      { run, others, since: isoTime(since), inbox: waiting.map(inboxFacts), openFeatures, next: next ?? first },
      0,
    );
    return 0;
  }
  const items = waiting.map((item) => ({ ...item, request: item.run.contract.request }));
  const unbegun = unbegunIn(root, since);
  const text = whereText({ runs, since, waiting: items, unbegun, open, next, none: noRunsText(root) }, paint);
  context.answer(`${wrapped(text, columnsOf(process.stdout))}${heldText(root)}`);
  if (process.stdout.isTTY !== true) return 0;
  if (latest !== undefined) rememberLook(root, now);
  if (canAnswer(context)) await decideHeld(waiting, context, flags);
  return 0;
}

/** Older runs are too long ago to be news. */
const runsMax = 50;

/** The latest run, and those that have gone on since. */
async function newRuns(context: Context, since: number): Promise<readonly Overview[]> {
  const found: Overview[] = [];
  for (const [at, id] of (await context.engine.runs()).slice(0, runsMax).entries()) {
    const story = at === 0 ? null : await readIfPossible(context.engine, id);
    if (at === 0 || (story !== null && story.chronicle.lastAt > since))
      found.push(await overviewOf(context.engine, id));
  }
  return found;
}

/** One command. What earlier runs wait for comes before a run that is over or needs no answer. */
function nextOf({ state, next }: Overview, waiting: readonly Waiting[]): string {
  const [first] = waiting;
  const isElsewhere = waiting.some(({ isLatest }) => !isLatest);
  if (first === undefined || !isElsewhere || !["over", "running"].includes(state)) return next;
  return waiting.length === 1 && /^loop /.test(first.next) ? first.next : "loop inbox";
}
