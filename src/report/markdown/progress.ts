// docs/PROGRESS.md: a summary per run, for people.
import { written } from "../../core/limits.ts";
import type { Overview } from "../overview.ts";
import type { FeatureOverview } from "../overview-feature.ts";
import type { IterationOverview } from "../overview-iteration.ts";
import type { ToRead } from "../read-first.ts";
import { cost, count, isoDay, stopClass, timeSpent, wholeMinutes } from "../words/words.ts";
import { inboxList } from "./inbox-list.ts";

export const progressHeader = "# Progress\n";
const lastShown = 20;

export function progressText(run: Overview): string {
  const { outcome, limits, spent } = run;
  // In progress, the last steps are enough; the whole list would be rewritten with each of them.
  const told = outcome === null ? run.iterations.slice(-lastShown) : run.iterations;
  const earlier = run.iterations.length - told.length;
  const completed = told.filter(({ commit }) => commit !== null);
  const of = (used: number, most: number | null): string => `${used}/${most ?? "off"}`;
  const working = `working time ${of(wholeMinutes(spent.activeMs), written("activeMsMax", limits.activeMsMax))}`;
  const lines = [
    ["Outcome", outcome === null ? "under way" : stopClass(outcome)],
    ["Iterations", `${spent.iterations}   **Commits**: ${spent.commits}`],
    [
      earlier > 0 ? `Completed in the last ${lastShown} iterations` : "Completed this run",
      completed.map(({ feature }) => feature).join(", ") || "none",
    ],
    ["Needs-rework / escalated", escalated(run.features)],
    [
      "Budget",
      `iterations ${of(spent.iterations, limits.iterationsMax)} · commits ${of(spent.commits, limits.commitsMax)} · wall-clock ${wholeMinutes(run.lastAt - run.begunAt)}/off · ${working}`,
    ],
    ["Comprehension debt", debt(run.readFirst, completed)],
    ["Next", outcome?.kind === "success" ? "done: loop report" : run.next],
    ["Why", outcome === null ? "The run is under way." : run.why],
    ["Features", `${run.done} of ${run.total} complete`],
    ["Cost", `${cost(spent)}, ${count(spent.sessions, "session")}, ${timeSpent(spent)}`],
    ...inboxList(run).map((line) => ["Waits for you", line]),
  ];
  const title = `## Loop Run Summary — ${isoDay(run.begunAt)}`;
  return `${title}\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}\nRun ${run.run}.\n`;
}

/** Every feature that the run leaves unfinished after an attempt, with its root cause. */
function escalated(features: readonly FeatureOverview[]): string {
  const open = features
    .filter(({ status }) => status === "needs-rework" || status === "blocked")
    .map(({ id, lastCause }) => `${id} — ${lastCause?.root.slice(0, 160) ?? "blocked before"}`);
  return open.join("; ") || "none";
}

/** Changes made by agents in this run that no person has reviewed, riskiest first. */
function debt(all: readonly ToRead[], completed: readonly IterationOverview[]): string {
  if (completed.length === 0) return "none";
  const commits = new Set(completed.map(({ commit }) => commit));
  const read = all.filter(({ commit }) => commits.has(commit));
  const files = completed.reduce((sum, { changed }) => sum + changed, 0);
  const shas = read.map(({ commit, why }) => `${commit?.slice(0, 10)} (${why})`);
  return `read these diffs → ${shas.join(", ")}. ${count(files, "changed file")} that no one has read`;
}
