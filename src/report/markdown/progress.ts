// docs/PROGRESS.md: a summary per run, for people.

import { recordEdited } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import { findFeature } from "../../core/select.ts";
import type { Chronicle, Iteration } from "../chronicle.ts";
import { inboxLines } from "../words/inbox-words.ts";
import {
  cost,
  count,
  featureCount,
  isoDay,
  nextCommand,
  outcomeOf,
  outcomeSentence,
  timeSpent,
} from "../words/words.ts";

export const progressHeader = "# Progress\n";
const lastShown = 20;

export function progressText(run: Run, chronicle: Chronicle): string {
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  // In progress, the last steps are enough; the whole list would be rewritten with each of them.
  const told = outcome === null ? { ...chronicle, iterations: chronicle.iterations.slice(-lastShown) } : chronicle;
  const earlier = chronicle.iterations.length - told.iterations.length;
  const completed = told.iterations.filter(({ commit }) => commit !== null);
  const lines = [
    ["Outcome", outcome === null ? "under way" : outcomeSentence(outcome)],
    ["Features", `${done} of ${total} complete`],
    ["Iterations", `${run.spent.iterations}, sessions ${run.spent.sessions}, commits ${run.spent.commits}`],
    ["Cost", `${cost(run.spent)}, ${timeSpent(run.spent)}`],
    [
      earlier > 0 ? `Completed in the last ${lastShown} iterations` : "Completed in this run",
      completed.map(({ feature }) => feature).join(", ") || "none",
    ],
    ["Comprehension debt", debt(completed)],
    [
      "Read these first",
      readFirst(run, told)
        .map(({ commit, feature, why }) => `${commit?.slice(0, 10)} ${feature} (${why})`)
        .join("; ") || "nothing",
    ],
    ...inboxLines(run).map((line) => ["Waits for you", line]),
    ["Next", outcome === null ? "loop status" : nextCommand(outcome)],
  ];
  const title = `## Run ${chronicle.run}, ${isoDay(chronicle.begunAt)}`;
  return `${title}\n\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}`;
}

/** Changes made by agents in this run that no person has reviewed. */
function debt(completed: Chronicle["iterations"]): string {
  if (completed.length === 0) return "none";
  const files = completed.reduce((sum, { changed }) => sum + changed, 0);
  return `${count(completed.length, "commit")} with ${count(files, "changed file")} that nobody has read`;
}

export type ToRead = { commit: string | null; feature: string; name: string; why: string; risk: number };

/** Commits to review, riskiest first. */
export function readFirst({ contract }: Run, { iterations }: Chronicle): ToRead[] {
  const triesOf = groupByFeature(iterations);
  const read = iterations
    .filter((it) => it.commit !== null)
    .map((it): ToRead => {
      const tries = triesOf.get(it.feature) ?? [];
      const violations = tries.flatMap((other) => other.violations).filter(({ kind }) => kind !== recordEdited).length;
      const reasons = [
        ...(it.grade === "weak" ? ["unproved"] : it.grade === "reviewed" ? ["reviewed, not proved"] : []),
        ...(tries.length > 1 ? [`${tries.length} attempts`] : []),
        ...(violations > 0 ? ["the agent overstepped"] : []),
        `${count(it.changed, "file")} changed`,
      ];
      const risk = (it.grade === "strong" ? 0 : 100) + violations * 50 + (tries.length - 1) * 20 + it.changed;
      const name = findFeature(contract, it.feature)?.name ?? it.feature;
      return { commit: it.commit, feature: it.feature, name, why: reasons.join(", "), risk };
    });
  return read.sort((a, b) => b.risk - a.risk);
}

/** All attempts at each feature, in one pass. */
export function groupByFeature(iterations: readonly Iteration[]): Map<string, Iteration[]> {
  const tries = new Map<string, Iteration[]>();
  for (const iteration of iterations) {
    const those = tries.get(iteration.feature);
    if (those === undefined) tries.set(iteration.feature, [iteration]);
    else those.push(iteration);
  }
  return tries;
}
