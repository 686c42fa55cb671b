// Where things stand, on one screen: the runs since the last look, what waits for a person, and the next command.
import type { Waiting } from "../../engines/waiting.ts";
import { shortened } from "../../formats/text/shortened.ts";
import type { OpenFeatures } from "../../project/queue/open-features.ts";
import type { Overview } from "../../report/overview.ts";
import { stateWords } from "../../report/state.ts";
import { cost, count, isoTime, money } from "../../report/words/words.ts";
import { costOfAll, nightText } from "./night.ts";
import type { Paint } from "./paint.ts";

export type Where = {
  /** The latest run, and others with something new since then; newest first. */
  readonly runs: readonly Overview[];
  readonly since: number;
  readonly waiting: readonly (Pick<Waiting, "about" | "what" | "next" | "isLatest" | "kind"> & {
    readonly request: string;
  })[];
  /** Firings of triggers that began no run, since then. */
  readonly unbegun: readonly Unbegun[];
  readonly open: OpenFeatures;
  /** What is said if there is no run. */
  readonly none: string;
  /** Null: nothing was ever begun. */
  readonly next: string | null;
};
export type Unbegun = { readonly at: number; readonly trigger: string; readonly why: string };

const waitingShown = 8;
const runsShown = 12;
const unbegunShown = 5;

export function whereText({ runs, since, waiting, unbegun, open, next, none }: Where, paint: Paint): string {
  const [latest] = runs;
  const isAlone = runs.length === 1;
  // What is said of the only run at the top is not repeated.
  const listed = waiting.filter(({ kind, isLatest }) => !(isAlone && isLatest && kind === "rest"));
  const parts = [
    latest === undefined ? none : isAlone ? runText(latest, paint) : runsText(runs, since, paint),
    nightText(runs, paint),
    unbegunText(unbegun, paint),
    waitingText(listed, isAlone, paint),
    open.problem === null ? "" : `${open.path} cannot be read:\n  ${open.problem}`,
    nextText(next, open, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The night, at a glance. */
function runsText(runs: readonly Overview[], since: number, paint: Paint): string {
  const rows = runs.slice(0, runsShown).flatMap((run) => {
    const colour = run.state === "running" ? paint.green : run.state === "over" ? paint.dim : paint.yellow;
    const { spent, title, waitingUntil } = run;
    const waits = waitingUntil === null ? "" : `, waits until ${isoTime(waitingUntil)} for a usage limit`;
    return [`  ${requestOf(run.request)}`, `      ${colour(title)}${waits}, ${cost(spent)}, run ${run.run}`];
  });
  const more = runs.length > runsShown ? [`  … and ${runs.length - runsShown} more: loop list`] : [];
  return [
    paint.bold(`${count(runs.length, "run")} since ${isoTime(since)}, ${costOfAll(runs)} in all`),
    ...rows,
    ...more,
  ].join("\n");
}

const requestOf = (request: string): string => shortened((request.split("\n")[0] ?? "").trim(), 90);

function unbegunText(unbegun: readonly Unbegun[], paint: Paint): string {
  if (unbegun.length === 0) return "";
  const rows = unbegun
    .slice(0, unbegunShown)
    .map(({ at, trigger, why }) => `  ${trigger}, ${isoTime(at)}: ${shortened(why.replace(/\s+/g, " "), 200)}`);
  const left = unbegun.length - unbegunShown;
  return [
    paint.bold("Triggers that began no run"),
    ...rows,
    ...(left > 0 ? [`  … and ${left} more: loop serve shows them`] : []),
  ].join("\n");
}

function runText(run: Overview, paint: Paint): string {
  const { state, doing, current, why, left } = run;
  const colour = state === "running" ? paint.green : state === "over" ? paint.dim : paint.yellow;
  const on = doing === null || current === null ? "" : ` on ${current.feature}, attempt ${current.attempt}`;
  const lines = [
    paint.bold(shortened((run.request.split("\n")[0] ?? "").trim(), 100)),
    `  ${colour(stateWords[state])}: ${(doing === null ? why : `${doing.what}${on}`).replace(/\n/g, "\n  ")}`,
    `  ${progress(run)}, run ${run.run}, last event ${isoTime(run.lastAt)}`,
    ...(left === null ? [] : [`  ${left}`]),
  ];
  return lines.join("\n");
}

function progress({ done, total, spent, caps }: Overview): string {
  const { used = spent.costUsd, allowed = null } = caps.find(({ cap }) => cap === "cost") ?? {};
  return `${done} of ${count(total, "feature")} done, ${money(used, spent.estimated)}${allowed === null ? "" : ` of ${money(allowed)}`}`;
}

/** Of an earlier run, with its request: ids alone say little about it. */
function waitingText(waiting: Where["waiting"], isAlone: boolean, paint: Paint): string {
  if (waiting.length === 0) return "";
  const items = waiting
    .slice(0, waitingShown)
    .flatMap(({ about, what, next, isLatest, request }) => [
      `  ${about}  ${shortened(what.replace(/\s+/g, " "), 120)}`,
      ...(isLatest && isAlone ? [] : [`      of: ${requestOf(request)}`]),
      `      ${paint.dim(next)}`,
    ]);
  const more = waiting.length > waitingShown ? [`  … and ${waiting.length - waitingShown} more: loop inbox`] : [];
  return [paint.bold("Waits for you"), ...items, ...more].join("\n");
}

function nextText(next: string | null, { features, path, goalIn }: OpenFeatures, paint: Paint): string {
  const goal = goalIn === null ? [] : [`loop run   (the goal in ${goalIn})`];
  const queue = features.length === 0 ? goal : [`loop run   (${count(features.length, "open feature")} in ${path})`];
  const fresh = ['loop "what should be done"', "loop doctor   (what is here, and what is wrong)"];
  const lines = next === null ? [...queue, ...fresh] : [next];
  return `${paint.bold("Next:")} ${lines.join("\n      ")}`;
}
