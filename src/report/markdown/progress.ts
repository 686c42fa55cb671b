// docs/PROGRESS.md: a summary per run, for people.

import type { Run } from "../../core/run.ts";
import type { Chronicle } from "../chronicle.ts";
import { readFirst } from "../read-first.ts";
import { standingOf } from "../state.ts";
import { inboxLines } from "../words/inbox-words.ts";
import { cost, count, featureCount, isoDay, outcomeOf, outcomeSentence, timeSpent } from "../words/words.ts";

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
    ["Next", standingOf(run, true).next],
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
