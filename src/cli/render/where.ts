// Where things stand, on one screen: the latest run, what waits for a person, and the next command.
import type { Waiting } from "../../engines/waiting.ts";
import type { OpenFeatures } from "../../project/open-features.ts";
import type { Overview } from "../../report/overview.ts";
import { stateWords } from "../../report/state.ts";
import { cost, count, isoTime, money } from "../../report/words/words.ts";
import { nightText } from "./night.ts";
import type { Paint } from "./paint.ts";
import { shortened } from "./shortened.ts";

export type Where = {
  readonly run: Overview | null;
  readonly waiting: readonly Pick<Waiting, "about" | "what" | "next">[];
  readonly open: OpenFeatures;
  /** What is said if there is no run. */
  readonly none: string;
};

const waitingShown = 8;

export function whereText({ run, waiting, open, none }: Where, paint: Paint): string {
  const parts = [
    run === null ? none : runText(run, paint),
    run === null ? "" : nightText(run, paint),
    waitingText(waiting, paint),
    open.problem === null ? "" : `${open.path} cannot be read:\n  ${open.problem}`,
    nextText(run?.next ?? null, open, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
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

function progress({ done, total, spent, limits: { costUsdMax } }: Overview): string {
  return `${done} of ${count(total, "feature")} done, ${cost(spent)}${costUsdMax === null ? "" : ` of ${money(costUsdMax)}`}`;
}

function waitingText(waiting: Where["waiting"], paint: Paint): string {
  if (waiting.length === 0) return "";
  const items = waiting
    .slice(0, waitingShown)
    .flatMap(({ about, what, next }) => [
      `  ${about}  ${shortened(what.replace(/\s+/g, " "), 120)}`,
      `      ${paint.dim(next)}`,
    ]);
  const more = waiting.length > waitingShown ? [`  … and ${waiting.length - waitingShown} more: loop inbox`] : [];
  return [paint.bold("Waits for you"), ...items, ...more].join("\n");
}

function nextText(next: string | null, { features, path }: OpenFeatures, paint: Paint): string {
  const queue = features.length === 0 ? [] : [`loop run   (${count(features.length, "open feature")} in ${path})`];
  const fresh = ['loop "what should be done"', "loop doctor   (what is here, and what is wrong)"];
  const lines = next === null ? [...queue, ...fresh] : [next];
  return `${paint.bold("Next:")} ${lines.join("\n      ")}`;
}
