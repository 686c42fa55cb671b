// What a run has done unattended: what is done and why that is believed, what was refused, what it waited for.
import type { Overview } from "../../report/overview.ts";
import type { FeatureOverview } from "../../report/overview-feature.ts";
import { problemLines } from "../../report/overview-iteration.ts";
import { cost, count, duration, timeSpent } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";
import { shortened } from "./shortened.ts";

const featuresShown = 8;
const refusedShown = 5;

/** Empty while it runs, and where nothing was tried. */
export function nightText(run: Overview, paint: Paint): string {
  if (run.state === "running" || run.iterations.length === 0) return "";
  const committed = run.features.filter(({ commit }) => commit !== null);
  const parts = [
    section(
      "Done",
      committed.filter(({ takenBack }) => takenBack === undefined).map(doneText),
      featuresShown,
      "loop show",
      paint,
    ),
    section(
      "Taken back",
      committed.filter(({ takenBack }) => takenBack !== undefined).map(doneText),
      featuresShown,
      "loop status",
      paint,
    ),
    section("Refused", refused(run), refusedShown, "loop report", paint),
    section("Waited", waits(run), 1, "loop report", paint),
    section("Cost", [spentText(run)], 1, "loop report", paint),
    section("To read", toRead(run), 1, "loop read", paint),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** `F001 Add f001(): proved; 212 old tests pass, 6 new ones fail without it` */
function doneText({ id, name, standing, restsOn }: FeatureOverview): string {
  const basis = restsOn.replace(/ [█░]+/g, "");
  return `${id}  ${shortened(oneLine(name), 60)}: ${standing}${basis === "" ? "" : `; ${basis}`}`;
}

/** Attempts that did not count, the newest first: what went wrong last matters most. */
const refused = ({ iterations }: Overview): string[] =>
  problemLines(iterations, [])
    .map((line) => shortened(oneLine(line), 160))
    .toReversed();

function waits({ timeline }: Overview): string[] {
  const spans = timeline.spans.filter(({ is }) => is === "waiting");
  if (spans.length === 0) return [];
  const ms = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return [`${count(spans.length, "usage limit")} waited out, ${duration(ms)} in all`];
}

const spentText = ({ spent }: Overview): string =>
  `${count(spent.sessions, "session")}, ${cost(spent)}, ${timeSpent(spent)}${spent.estimated ? ", partly estimated" : ""}`;

function toRead({ readFirst }: Overview): string[] {
  const standing = readFirst.filter(({ takenBack }) => takenBack === undefined);
  const [first] = standing;
  if (first === undefined) return [];
  return [`${count(standing.length, "commit")}, riskiest first: loop read   (${first.feature}: ${first.why})`];
}

function section(title: string, lines: readonly string[], max: number, more: string, paint: Paint): string {
  if (lines.length === 0) return "";
  const left = lines.length - max;
  const shown = lines.slice(0, max).map((line) => `  ${line}`);
  return [paint.bold(title), ...shown, ...(left > 0 ? [`  … and ${left} more: ${more}`] : [])].join("\n");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
