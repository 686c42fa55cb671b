// How a run ended, on the screen: the answer first, then what to read, then the next command.
import { stripVTControlCharacters } from "node:util";
import { shortened } from "../../formats/text/shortened.ts";
import type { Overview } from "../../report/overview.ts";
import type { FeatureOverview } from "../../report/overview-feature.ts";
import { supposedLines } from "../../report/words/decision-words.ts";
import { installNotes } from "../../report/words/install-notes.ts";
import { cost, count, money, timeSpent } from "../../report/words/words.ts";
import { placedText } from "../../report/worktree.ts";
import type { Paint } from "./paint.ts";

/** After an answer, if no agent has worked since: what it changed, how the run stands, what has become of its commits. */
export function shortEnding(run: Overview, changed: readonly FeatureOverview[], paint: Paint): string {
  const { state, title, why, left, worktree, next, inbox } = run;
  const landing = state === "over" && worktree !== null ? placedText(worktree) : "";
  const waiting = inbox.length === 0 ? "" : `${count(inbox.length, "thing")} in the inbox: loop inbox`;
  const table = changed.length === 0 ? "" : featureTable(changed, paint);
  const lines = [state === "over" ? paint.bold(title) : "", table, why, left ?? "", landing, waiting];
  return `${lines.map((line) => (line === "" ? "" : `${line}\n`)).join("")}${paint.bold("Next:")} ${next}\n`;
}

export function endingText(run: Overview, paint: Paint): string {
  const parts = [
    box(run, paint),
    run.why,
    run.left ?? "",
    featureTable(run.features, paint),
    list("Problems along the way", run.problems, paint),
    list(
      "Read first",
      run.readFirst
        .slice(0, 5)
        .map(
          (r) =>
            `${run.hasGit ? `git show ${r.commit?.slice(0, 10)}` : "loop read"}  ${r.feature} ${r.name} (${r.why})`,
        ),
      paint,
    ),
    list(
      "Waits for you",
      run.inbox.flatMap(({ feature, text, next }) => [
        `${feature ?? "run"}: ${shortened(text.replace(/\s+/g, " "), 110)}`,
        `  Next: ${next}`,
      ]),
      paint,
    ),
    list("Answered for you", supposedLines(run.decisions), paint),
    list("Packages to install", installNotes(run), paint),
    run.worktree === null ? "" : placedText(run.worktree),
    run.hint ?? "",
    `${paint.bold("Next:")} ${run.next}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The answer is the title; the verdict's word is a label below, once there is a verdict: a run that waits has none yet. */
function box({ state, verdict, title, spent }: Overview, paint: Paint): string {
  const colour = verdict === "SHIP" ? paint.green : verdict === "MONITOR" ? paint.yellow : paint.red;
  const line = `${count(spent.sessions, "session")} · ${cost(spent)} · ${timeSpent(spent)}`;
  const width = Math.max(line.length, title.length + 2, verdict.length + 2) + 2;
  return [
    `╭─ ${colour(paint.bold(title))} ${"─".repeat(width - title.length - 2)}╮`,
    `│ ${line.padEnd(width)}│`,
    state === "over"
      ? `╰${"─".repeat(width - verdict.length - 2)} ${colour(verdict)} ─╯`
      : `╰${"─".repeat(width + 1)}╯`,
  ].join("\n");
}

function featureTable(features: readonly FeatureOverview[], paint: Paint): string {
  const shown = features.slice(0, 30);
  const width = Math.min(44, Math.max(...shown.map(({ name }) => name.length), 4));
  const rows = shown.map((feature) => {
    const { id, name, commit, attempts, costUsd, estimated } = feature;
    const title = shortened(stripVTControlCharacters(name), width).padEnd(width);
    const tries = attempts === 0 ? "" : count(attempts, "try", "tries");
    const [mark, standing] = looks(feature, paint);
    return `  ${mark} ${id} ${title}  ${(commit?.slice(0, 10) ?? "").padEnd(10)}  ${tries.padEnd(10)}${money(costUsd, estimated).padEnd(9)}${standing}`;
  });
  const more = features.length - shown.length;
  return [...rows, ...(more > 0 ? [`  … and ${more} more: loop show`] : [])].join("\n");
}

function looks({ status, isDone, grade, standing }: FeatureOverview, paint: Paint): [string, string] {
  if (isDone)
    return [paint.green("✓"), (grade === null ? paint.dim : grade === "strong" ? paint.green : paint.yellow)(standing)];
  if (standing === "waits for your answer") return [paint.yellow("?"), paint.yellow(standing)];
  return status === "blocked" ? [paint.red("✗"), paint.yellow(standing)] : [paint.dim("·"), standing];
}

function list(title: string, lines: readonly string[], paint: Paint): string {
  if (lines.length === 0) return "";
  const shown = lines.slice(0, linesMax).map((line) => `  ${shortened(stripVTControlCharacters(line), 240)}`);
  const more = lines.length - linesMax;
  return `${paint.bold(title)}\n${shown.join("\n")}${more > 0 ? `\n  … and ${more} more: loop report` : ""}`;
}

const linesMax = 12;
