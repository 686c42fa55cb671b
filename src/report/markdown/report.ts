// report.md: what a person reads in the morning.

import type { Overview } from "../overview.ts";
import type { FeatureOverview } from "../overview-feature.ts";
import { decisionLine } from "../words/decision-words.ts";
import { installNotes } from "../words/install-notes.ts";
import { gradeWords } from "../words/shown.ts";
import { cost, count, isoTime, money, timeSpent, verdictMeaning } from "../words/words.ts";
import { placedText } from "../worktree.ts";

export function reportText(run: Overview): string {
  const { spent, verdict } = run;
  return [
    `# ${run.title}`,
    run.why,
    `**${verdict}**: ${verdictMeaning[verdict]}.`,
    run.hint ?? "",
    `> ${run.request.split("\n").join("\n> ")}`,
    `${count(spent.sessions, "session")}, ${count(spent.iterations, "iteration")}, ${count(spent.commits, "commit")}, ${cost(spent)}, ${timeSpent(spent)}. Run ${run.run}, begun ${isoTime(run.begunAt)}.`,
    `## Features\n\n${table(run.features)}`,
    section("What it rests on", [...run.features.flatMap(groundLine), ...wallsLines(run)]),
    section(
      "Problems along the way",
      run.problems.map((line) => `- ${line}`),
    ),
    section(
      "The whole",
      run.whole.map((line) => `- ${oneLine(line)}`),
    ),
    section(
      "Read first",
      run.readFirst
        .filter(({ takenBack }) => takenBack === null)
        .map(
          (r) =>
            `- \`${run.hasGit ? `git show ${r.commit?.slice(0, 10)}` : "loop read"}\` ${r.feature} ${r.name}: ${r.why}`,
        ),
    ),
    section(
      "Waits for you",
      run.inbox.map(
        ({ feature, text, rootCause, next }) =>
          `- ${feature ?? "run"}: ${oneLine(text)}\n  Root cause: ${oneLine(rootCause)}\n  Next: ${next}`,
      ),
    ),
    section(
      "Decisions",
      run.decisions.map((decision) => `- ${decisionLine(decision)}`),
    ),
    section(
      "Packages to install",
      installNotes(run).map((text) => `- ${text}`),
    ),
    run.worktree === null ? "" : placedText(run.worktree),
    `## Next\n\n\`\`\`sh\n${run.worktree?.isAhead === true ? run.next : (run.review ?? run.next)}\n\`\`\``,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function table(features: readonly FeatureOverview[]): string {
  const rows = features.map((feature) => {
    const { id, name, status, commit, attempts, costUsd, estimated } = feature;
    const proof = feature.takenBack !== null ? feature.standing : status === "complete" ? gradeWords(feature) : "";
    return `| ${id} | ${name.replace(/\|/g, "\\|")} | ${status} | ${proof} | ${commit?.slice(0, 10) ?? ""} | ${attempts} | ${money(costUsd, estimated)} |`;
  });
  return [
    "| id | feature | status | proof | commit | attempts | cost |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** One line for each feature of this run: the basis of its grade, or what it waits for. */
function groundLine({ id, status, commit, standing, held, restsOn }: FeatureOverview): string[] {
  if (held !== null) return [`- ${id}: ${held.why === "unproved" ? "unproved" : standing}, held as ${held.branch}`];
  if (commit === null || status !== "complete") return [];
  return [`- ${id}: ${standing}${restsOn === "" ? "" : `: ${restsOn}`}`];
}

const wallsLines = ({ notes }: Overview): string[] =>
  notes.filter(({ about }) => about === "walls").map(({ text }) => `- ${text}`);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 500);
const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
