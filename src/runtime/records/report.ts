// report.md: what a person reads in the morning.
import type { Run } from "../../core/run.ts";
import type { Chronicle, Iteration } from "./chronicle.ts";
import { groupByFeature, readFirst } from "./progress.ts";
import {
  cost,
  count,
  duration,
  featureCount,
  isoTime,
  money,
  nextCommand,
  outcomeOf,
  outcomeSentence,
  verdictOf,
} from "./words.ts";

export function reportText(run: Run, chronicle: Chronicle): string {
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  return [
    `# ${outcome === null ? "Under way" : headline(outcome.kind)}: ${done} of ${count(total, "feature")} complete`,
    outcome === null ? "The run is under way." : outcomeSentence(outcome),
    box(run),
    `> ${run.contract.request.split("\n").join("\n> ")}`,
    `${count(run.spent.sessions, "session")}, ${count(run.spent.iterations, "iteration")}, ${count(run.spent.commits, "commit")}, ${cost(run.spent)}, ${duration(run.spent.activeMs)} of work. Run ${chronicle.run}, begun ${isoTime(chronicle.begunAt)}.`,
    `## Features\n\n${table(run, chronicle)}`,
    section(
      "What did not go smoothly",
      caught(chronicle).map((line) => `- ${line}`),
    ),
    section(
      "Read first",
      readFirst(run, chronicle).map((r) => `- \`git show ${r.commit?.slice(0, 10)}\` ${r.feature} ${r.name}: ${r.why}`),
    ),
    section(
      "Waits for you",
      run.inbox.map(
        (i) => `- ${i.feature ?? "The run"}: ${i.text.replace(/\s+/g, " ").slice(0, 500)}\n  Next: ${i.next}`,
      ),
    ),
    `## Next\n\n\`\`\`sh\n${outcome === null ? "loop status" : outcome.kind === "success" ? `git log --patch --max-count=${run.spent.commits + 1}` : nextCommand(outcome)}\n\`\`\``,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const headline = (kind: string): string =>
  ({
    success: "Done",
    cap: "Resting at a cap",
    breaker: "Stopped by a breaker",
    inbox: "Ended, with something for you",
    cancelled: "Cancelled",
    paused: "Paused",
    "needs-person": "Waits for you",
    refused: "Could not go on",
  })[kind] ?? kind;

function box(run: Run): string {
  const verdict = verdictOf(run);
  const meaning = {
    SHIP: "every feature has a proof: checks green on the committed tree, red before it, and an independent verdict",
    MONITOR: "every feature passed, and at least one proof is weak: look at it before you rely on it",
    RESEARCH: "not everything is proved",
  };
  return `**${verdict}**: ${meaning[verdict]}.`;
}

function table(run: Run, { iterations }: Chronicle): string {
  const triesOf = groupByFeature(iterations);
  const rows = run.contract.features.map((feature) => {
    const progress = run.progress[feature.id];
    const tries = triesOf.get(feature.id) ?? [];
    const proof = progress?.status !== "complete" ? "" : progress.grade === "weak" ? "weak" : "strong";
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

/** Everything that was not believed, undone or set aside, in one line each. */
export function caught({ iterations, notes }: Chronicle): string[] {
  const lines = iterations.flatMap((it) => [
    ...it.violations.map(({ what }) => `${it.feature}, attempt ${it.attempt}: ${what}`),
    ...(it.cause === null
      ? []
      : [`${it.feature}, attempt ${it.attempt} did not count: ${firstLine(it.cause.text)}${undone(it)}`]),
  ]);
  return [...lines, ...notes.filter(({ about }) => about !== "folded").map(({ about, text }) => `${about}: ${text}`)];
}

const undone = (it: Iteration): string =>
  it.rolledBack === null
    ? ""
    : ` (rolled back${it.rolledBack === "nothing" ? "" : `; kept as quarantine ${it.rolledBack}`})`;

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 300) ?? "";
const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
