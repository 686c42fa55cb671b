// A run at a glance, on the screen.

import { shortened } from "../../formats/text/shortened.ts";
import type { CapOverview, Overview } from "../../report/overview.ts";
import type { FeatureOverview } from "../../report/overview-feature.ts";
import { stateWords } from "../../report/state.ts";
import { duration, isoTime, money } from "../../report/words/words.ts";
import { placeText } from "../../report/worktree.ts";
import type { Paint } from "./paint.ts";

/** Long lists are truncated: a status is for a glance. */
const featuresShown = 200;
const inboxShown = 50;

/** `others`: runs that are open too, in other places. */
export function statusText(run: Overview, paint: Paint, others: readonly string[] = []): string {
  const rows = [
    ["run", `${run.run} of ${run.task}`],
    ["request", run.request.split("\n")[0]?.slice(0, 500) ?? ""],
    ["now", nowWords(run)],
    ...(run.left === null ? [] : [["folder", run.left]]),
    ["features", `${run.done} of ${run.total} complete`],
    ["budget", budget(run)],
    ...(run.worktree === null ? [] : [["place", placeText(run.worktree)]]),
    ["since", `${isoTime(run.begunAt)}, last event ${isoTime(run.lastAt)}`],
    ...run.inbox
      .slice(0, inboxShown)
      .map(({ feature, text }) => ["inbox", `${feature ?? "run"}: ${shortened(text.replace(/\s+/g, " "), 160)}`]),
    ["next", run.next],
    ...others.map((other) => ["also", `${other} is open: loop status --run ${other}`]),
  ];
  const features = run.features.slice(0, featuresShown).map((feature) => featureLine(feature, paint));
  return `${rows.map(([name, text]) => `${paint.bold((name ?? "").padEnd(9))} ${text}`).join("\n")}\n${features.join("\n")}\n`;
}

function nowWords({ state, outcome, why, doing, current, exitCode }: Overview): string {
  const on = current === null ? "" : `, ${current.feature} attempt ${current.attempt}`;
  if (outcome !== null) return `${outcome.kind} (exit code ${exitCode}): ${why}`;
  return doing === null ? `${stateWords[state]}${on}: ${why}` : `${doing.what}${on}`;
}

const budgetNames = {
  cost: "",
  iterations: "iterations ",
  commits: "commits ",
  minutes: "work ",
  "check-minutes": "checks ",
};

function budget({ caps, spent }: Overview): string {
  return Object.entries(budgetNames)
    .flatMap(([name, label]) =>
      caps
        .filter(({ cap }) => cap === name)
        .map(({ used, allowed, unit }) => {
          const shown = amount(unit, used, spent.estimated);
          return `${label}${allowed === null ? shown : `${shown} of ${amount(unit, allowed, false)}`}`;
        }),
    )
    .join(", ");
}

function amount(unit: CapOverview["unit"], value: number, estimated: boolean): string {
  if (unit === "usd") return money(value, estimated);
  return unit === "ms" ? duration(value) : String(value);
}

function featureLine({ id, name, status, isDone, grade, standing, takenBack }: FeatureOverview, paint: Paint): string {
  const mark = isDone
    ? paint.green("✓")
    : status === "blocked"
      ? paint.red("✗")
      : status === "in-progress"
        ? paint.yellow("▸")
        : paint.dim("·");
  const isPlain = isDone ? grade === "strong" || grade === null : status === "not-started" || status === "in-progress";
  return `  ${mark} ${id} ${shortened(name, 60)}${isPlain && takenBack === null ? "" : paint.yellow(`  ${standing}`)}`;
}
