// report.md: what a person reads in the morning.
import { progressIn } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import { heldBranches } from "../../workspace/workspace.ts";
import type { Chronicle, Iteration } from "../chronicle.ts";
import { groupByFeature, readFirst } from "../read-first.ts";
import { causeText, firstLine } from "../words/cause-words.ts";
import { inboxWords } from "../words/inbox-words.ts";
import { gradeWords, restsOn } from "../words/shown.ts";
import { wholeLines } from "../words/whole.ts";
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
} from "../words/words.ts";

export function reportText(run: Run, chronicle: Chronicle, hint: string | null = null): string {
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  return [
    `# ${outcome === null ? "Under way" : headline(outcome.kind)}: ${done} of ${count(total, "feature")} complete`,
    outcome === null ? "The run is under way." : outcomeSentence(outcome),
    box(run),
    hint ?? "",
    `> ${run.contract.request.split("\n").join("\n> ")}`,
    `${count(run.spent.sessions, "session")}, ${count(run.spent.iterations, "iteration")}, ${count(run.spent.commits, "commit")}, ${cost(run.spent)}, ${timeSpent(run.spent)}. Run ${chronicle.run}, begun ${isoTime(chronicle.begunAt)}.`,
    `## Features\n\n${table(run, chronicle)}`,
    section("What it rests on", groundLines(run, chronicle)),
    section(
      "Problems along the way",
      caught(chronicle).map((line) => `- ${line}`),
    ),
    section(
      "The whole",
      wholeLines(run, chronicle).map((line) => `- ${oneLine(line)}`),
    ),
    section(
      "Read first",
      readFirst(run, chronicle).map((r) => `- \`git show ${r.commit?.slice(0, 10)}\` ${r.feature} ${r.name}: ${r.why}`),
    ),
    section(
      "Waits for you",
      inboxWords(run).map(
        (item) =>
          `- ${item.about}: ${oneLine(item.what)}\n  Root cause: ${oneLine(item.rootCause)}\n  Next: ${item.next}`,
      ),
    ),
    `## Next\n\n\`\`\`sh\n${outcome === null ? "loop status" : outcome.kind === "success" ? `git log --patch --max-count=${run.spent.commits + 1}` : nextCommand(outcome)}\n\`\`\``,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

export const headline = (kind: string): string =>
  ({
    success: "Done",
    cap: "Resting at a cap",
    breaker: "Stopped by a breaker",
    inbox: "Ended, with something for you",
    followup: "Handed on to a follow-up",
    cancelled: "Cancelled",
    paused: "Paused",
    "needs-person": "Waits for you",
    refused: "Could not go on",
  })[kind] ?? kind;

export const verdictMeaning = {
  SHIP: "every feature is proved by the loop's own runs and an independent verdict, or reviewed by the one it names",
  RESEARCH: "not everything that was asked for is there and proved",
} as const;

const box = (run: Run): string => `**${verdictOf(run)}**: ${verdictMeaning[verdictOf(run)]}.`;

function table(run: Run, { iterations }: Chronicle): string {
  const triesOf = groupByFeature(iterations);
  const rows = run.contract.features.map((feature) => {
    const progress = progressIn(run.progress, feature.id);
    const tries = triesOf.get(feature.id) ?? [];
    const proof = progress?.status !== "complete" ? "" : gradeWords(progress);
    const spent = tries.flatMap((it) => it.sessions);
    const paid = money(
      spent.reduce((sum, s) => sum + s.costUsd, 0),
      spent.some((s) => s.estimated),
    );
    return `| ${feature.id} | ${feature.name.replace(/\|/g, "\\|")} | ${progress?.status ?? "?"} | ${proof} | ${progress?.commit?.slice(0, 10) ?? ""} | ${tries.length} | ${paid} |`;
  });
  return [
    "| id | feature | status | proof | commit | attempts | cost |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** One line for each feature of this run: the basis of its grade, or what it waits for. */
function groundLines(run: Run, { iterations }: Chronicle): string[] {
  return run.contract.features.flatMap(({ id }) => {
    const progress = progressIn(run.progress, id);
    const made = iterations.findLast((it) => it.feature === id && it.commit !== null);
    if (progress === undefined) return [];
    if (progress.held !== null) return [`- ${id}: unproved, held as ${heldBranches}/${id}`];
    if (made === undefined || progress.status !== "complete") return [];
    const ground = restsOn(made.checks);
    return [`- ${id}: ${gradeWords(progress)}${ground === "" ? "" : `: ${ground}`}`];
  });
}

/** Everything that was rejected, undone or set aside, in one line each. */
export function caught({ iterations, notes }: Chronicle): string[] {
  const lines = iterations.flatMap((it) => [
    ...it.violations.map(({ what }) => `${it.feature}, attempt ${it.attempt}: ${what}`),
    ...(it.cause === null
      ? []
      : [
          `${it.feature}, attempt ${it.attempt} did not count: ${firstLine(causeText(it.cause)).slice(0, 300)}${undone(it)}`,
        ]),
  ]);
  return [...lines, ...notes.filter(({ about }) => !ordinary.has(about)).map(({ about, text }) => `${about}: ${text}`)];
}

/** Notes about normal events: the run log has them. */
const ordinary: ReadonlySet<string> = new Set(["folded", "compacted"]);

const undone = (it: Iteration): string =>
  it.rolledBack === null
    ? ""
    : ` (rolled back${it.rolledBack === "nothing" ? "" : `; to bring it back: loop recover ${it.rolledBack}`})`;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 500);
const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
