// How a run ended, on the screen: the answer first, then what to read, then the next command.
import { stripVTControlCharacters } from "node:util";
import { progressIn } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import { caught } from "../../report/markdown/report.ts";
import { groupByFeature, readFirst } from "../../report/read-first.ts";
import type { Story } from "../../report/story.ts";
import { inboxWords } from "../../report/words/inbox-words.ts";
import { gradeWords } from "../../report/words/shown.ts";
import {
  cost,
  count,
  featureCount,
  isoTime,
  money,
  nextCommand,
  outcomeOf,
  outcomeSentence,
  timeSpent,
  verdictOf,
} from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";
import { shortened } from "./shortened.ts";

export function endingText(story: Story, paint: Paint, hint: string | null = null): string {
  const { run, chronicle } = story;
  const outcome = outcomeOf(run);
  const smooth = caught(chronicle);
  const read = readFirst(run, chronicle);
  const parts = [
    box(run, paint),
    outcome === null ? waiting(run) : outcomeSentence(outcome),
    featureTable(story, paint),
    list("Problems along the way", smooth, paint),
    list(
      "Read first",
      read.slice(0, 5).map((r) => `git show ${r.commit?.slice(0, 10)}  ${r.feature} ${r.name} (${r.why})`),
      paint,
    ),
    list(
      "Waits for you",
      inboxWords(run).flatMap(({ about, what, next }) => [
        `${about}: ${shortened(what.replace(/\s+/g, " "), 110)}`,
        `  Next: ${next}`,
      ]),
      paint,
    ),
    hint ?? "",
    `${paint.bold("Next:")} ${outcome === null ? "loop continue" : nextCommand(outcome)}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const waiting = ({ now }: Run): string =>
  now.is === "waiting" ? `Waits until ${isoTime(now.until)}: ${now.because}` : "The run is not over.";

function box(run: Run, paint: Paint): string {
  const verdict = verdictOf(run);
  const { done, total } = featureCount(run);
  const outcome = outcomeOf(run);
  const colour = verdict === "SHIP" ? paint.green : paint.red;
  const lines = [
    `${done} of ${count(total, "feature")} done`,
    `${count(run.spent.sessions, "session")} · ${cost(run.spent)} · ${timeSpent(run.spent)}`,
  ];
  const title = outcome?.kind === "success" ? verdict : `${verdict} · ${outcome?.kind ?? "under way"}`;
  const width = Math.max(...lines.map((line) => line.length), title.length + 2) + 2;
  return [
    `╭─ ${colour(paint.bold(title))} ${"─".repeat(width - title.length - 2)}╮`,
    ...lines.map((line) => `│ ${line.padEnd(width)}│`),
    `╰${"─".repeat(width + 1)}╯`,
  ].join("\n");
}

function featureTable({ run, chronicle }: Story, paint: Paint): string {
  const shown = run.contract.features.slice(0, 30);
  const width = Math.min(44, Math.max(...shown.map(({ name }) => name.length), 4));
  const triesOf = groupByFeature(chronicle.iterations);
  const rows = shown.map(({ id, name }) => {
    const progress = progressIn(run.progress, id);
    const tries = triesOf.get(id) ?? [];
    const sessions = tries.flatMap((it) => it.sessions);
    const paid = money(
      sessions.reduce((sum, s) => sum + s.costUsd, 0),
      sessions.some((s) => s.estimated),
    );
    const mark =
      progress?.status === "complete"
        ? paint.green("✓")
        : progress?.status === "blocked"
          ? paint.red("✗")
          : paint.dim("·");
    const proof =
      progress?.status !== "complete"
        ? progress?.held == null
          ? (progress?.status ?? "")
          : paint.yellow("unproved: waits for you")
        : progress.commit === null
          ? paint.dim("done before")
          : progress.grade === "strong"
            ? paint.green("proved")
            : paint.yellow(gradeWords(progress));
    const title = shortened(stripVTControlCharacters(name), width).padEnd(width);
    const commit = progress?.commit?.slice(0, 10) ?? "";
    return `  ${mark} ${id} ${title}  ${commit.padEnd(10)}  ${tries.length === 0 ? "".padEnd(10) : count(tries.length, "try", "tries").padEnd(10)}${paid.padEnd(9)}${proof}`;
  });
  const more = run.contract.features.length - shown.length;
  return [...rows, ...(more > 0 ? [`  … and ${more} more: loop show`] : [])].join("\n");
}

function list(title: string, lines: readonly string[], paint: Paint): string {
  if (lines.length === 0) return "";
  const shown = lines.slice(0, linesMax).map((line) => `  ${shortened(stripVTControlCharacters(line), 240)}`);
  const more = lines.length - linesMax;
  return `${paint.bold(title)}\n${shown.join("\n")}${more > 0 ? `\n  … and ${more} more: loop report` : ""}`;
}

const linesMax = 12;
