// docs/PROGRESS.md: a summary per run, for people.
import { written } from "../../core/limits.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import type { Chronicle } from "../chronicle.ts";
import { readFirst, type ToRead } from "../read-first.ts";
import { standingOf } from "../state.ts";
import { rootOf } from "../words/cause-words.ts";
import { inboxLines } from "../words/inbox-words.ts";
import {
  cost,
  count,
  featureCount,
  isoDay,
  outcomeOf,
  outcomeSentence,
  stopClass,
  timeSpent,
  wholeMinutes,
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
  const { limits } = run.contract;
  const of = (used: number, most: number | null): string => `${used}/${most ?? "off"}`;
  const working = `working time ${of(wholeMinutes(run.spent.activeMs), written("activeMsMax", limits.activeMsMax))}`;
  const lines = [
    ["Outcome", outcome === null ? "under way" : stopClass(outcome)],
    ["Iterations", `${run.spent.iterations}   **Commits**: ${run.spent.commits}`],
    [
      earlier > 0 ? `Completed in the last ${lastShown} iterations` : "Completed this run",
      completed.map(({ feature }) => feature).join(", ") || "none",
    ],
    ["Needs-rework / escalated", escalated(run)],
    [
      "Budget",
      `iterations ${of(run.spent.iterations, limits.iterationsMax)} · commits ${of(run.spent.commits, limits.commitsMax)} · wall-clock ${wholeMinutes(chronicle.lastAt - chronicle.begunAt)}/off · ${working}`,
    ],
    ["Comprehension debt", debt(readFirst(run, told), completed)],
    ["Next", outcome?.kind === "success" ? "done: loop report" : standingOf(run, true).next],
    ["Why", outcome === null ? "The run is under way." : outcomeSentence(outcome)],
    ["Features", `${done} of ${total} complete`],
    ["Cost", `${cost(run.spent)}, ${count(run.spent.sessions, "session")}, ${timeSpent(run.spent)}`],
    ...inboxLines(run).map((line) => ["Waits for you", line]),
  ];
  const title = `## Loop Run Summary — ${isoDay(chronicle.begunAt)}`;
  return `${title}\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}\nRun ${chronicle.run}.\n`;
}

/** Every feature that the run leaves unfinished after an attempt, with its root cause. */
function escalated({ contract, progress }: Run): string {
  const open = contract.features.flatMap(({ id }) => {
    const of = progressIn(progress, id);
    if (of?.status !== "needs-rework" && of?.status !== "blocked") return [];
    const why = of.lastCause === null ? "blocked before" : rootOf(of.lastCause).slice(0, 160);
    return [`${id} — ${why}`];
  });
  return open.join("; ") || "none";
}

/** Changes made by agents in this run that no person has reviewed, riskiest first. */
function debt(read: readonly ToRead[], completed: Chronicle["iterations"]): string {
  if (completed.length === 0) return "none";
  const files = completed.reduce((sum, { changed }) => sum + changed, 0);
  const shas = read.map(({ commit, why }) => `${commit?.slice(0, 10)} (${why})`);
  return `read these diffs → ${shas.join(", ")}. ${count(files, "changed file")} that no one has read`;
}
