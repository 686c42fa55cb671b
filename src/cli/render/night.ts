// What runs have done unattended: what is done and why that is believed, what was refused, what it waited for.

import { shortened } from "../../formats/text/shortened.ts";
import type { Overview } from "../../report/overview.ts";
import type { FeatureOverview } from "../../report/overview-feature.ts";
import { problemLines } from "../../report/overview-iteration.ts";
import { supposedLines } from "../../report/words/decision-words.ts";
import { count, duration, money, timeSpent } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";

const featuresShown = 8;
const refusedShown = 5;
const supposedShown = 8;
const runsShown = 8;

/** Of several runs, the newest first. Empty while they run, and where nothing was tried. */
export function nightText(all: readonly Overview[], paint: Paint): string {
  const runs = all.filter(({ state, iterations }) => state !== "running" && iterations.length > 0);
  // The sum at the top counts every run, so this one does.
  if (runs.length === 0) return "";
  const committedIn = (some: readonly Overview[]): FeatureOverview[] =>
    some.flatMap(({ features }) => features.filter(({ commit }) => commit !== null));
  const undone = committedIn(runs).filter((feature) => !isStanding(feature));
  const standingIn = (isAhead: boolean): FeatureOverview[] =>
    committedIn(runs.filter(({ worktree }) => (worktree?.isAhead ?? false) === isAhead)).filter(isStanding);
  const more = runs.length > 1 ? "loop list" : null;
  const parts = [
    section("Done", standingIn(false).map(doneText), featuresShown, more ?? "loop show", paint),
    section("Done, and not landed", standingIn(true).map(doneText), featuresShown, more ?? "loop show", paint),
    section("Taken back", undone.map(doneText), featuresShown, more ?? "loop status", paint),
    section("Refused", runs.flatMap(refused), refusedShown, more ?? "loop report", paint),
    section("Answered for you", runs.flatMap(supposed), supposedShown, more ?? "loop report", paint),
    section("Waited", waits(runs), 1, "loop report", paint),
    section("Cost", [spentText(all)], 1, "loop report", paint),
    section(
      "To read",
      runs.length === 1 ? runs.flatMap(toRead) : runs.flatMap(toReadOf),
      runsShown,
      "loop list",
      paint,
    ),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const isStanding = ({ takenBack }: { readonly takenBack: string | null }): boolean => takenBack === null;

/** `F001 Add f001(): proved; 212 old tests pass, 6 new ones fail without it` */
function doneText({ id, name, standing, restsOn }: FeatureOverview): string {
  const basis = restsOn.replace(/ [█░]+/g, "");
  return `${id}  ${shortened(oneLine(name), 60)}: ${standing}${basis === "" ? "" : `; ${basis}`}`;
}

/** Failed attempts, the newest first: what went wrong last matters most. */
const refused = ({ iterations }: Overview): string[] =>
  problemLines(iterations, [], 160)
    .map((line) => shortened(oneLine(line), 160))
    .toReversed();

const supposed = ({ decisions }: Overview): string[] => supposedLines(decisions).map((line) => shortened(line, 200));

function waits(runs: readonly Overview[]): string[] {
  const spans = runs.flatMap(({ timeline }) => timeline.spans.filter(({ is }) => is === "waiting"));
  if (spans.length === 0) return [];
  const ms = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return [`${count(spans.length, "usage limit")} waited out, ${duration(ms)} in all`];
}

function spentText(runs: readonly Overview[]): string {
  const sum = (of: (spent: Overview["spent"]) => number): number => runs.reduce((all, { spent }) => all + of(spent), 0);
  const estimated = runs.some(({ spent }) => spent.estimated);
  const time = { activeMs: sum(({ activeMs }) => activeMs), checkMs: sum(({ checkMs }) => checkMs) };
  const parts = [
    count(
      sum(({ sessions }) => sessions),
      "session",
    ),
    costOfAll(runs),
    timeSpent(time),
  ];
  return `${parts.join(", ")}${estimated ? ", partly estimated" : ""}`;
}

export const costOfAll = (runs: readonly Overview[]): string =>
  money(
    runs.reduce((sum, { spent }) => sum + spent.costUsd, 0),
    runs.some(({ spent }) => spent.estimated),
  );

function toRead({ readFirst }: Overview): string[] {
  const standing = readFirst.filter(isStanding);
  const [first] = standing;
  if (first === undefined) return [];
  return [`${count(standing.length, "commit")}, riskiest first: loop read   (${first.feature}: ${first.why})`];
}

const toReadOf = (run: Overview): string[] =>
  toRead(run).map((line) => line.replace("loop read", `loop read ${run.run}`));

function section(title: string, lines: readonly string[], max: number, more: string, paint: Paint): string {
  if (lines.length === 0) return "";
  const left = lines.length - max;
  const shown = lines.slice(0, max).map((line) => `  ${line}`);
  return [paint.bold(title), ...shown, ...(left > 0 ? [`  … and ${left} more: ${more}`] : [])].join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
