// docs/PROGRESS.md: a summary per run, for people.
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
  const commits = new Set(completed.map(({ commit }) => commit));
  const toRead = run.readFirst.filter(({ commit }) => commits.has(commit));
  const of = (used: number, most: number | null): string => `${used}/${most ?? "off"}`;
  const lines = [
    ["Outcome", outcome === null ? "under way" : stopClass(outcome)],
    ["Iterations", `${spent.iterations}   **Commits**: ${spent.commits}`],
    [
      earlier > 0 ? `Completed in the last ${lastShown} iterations` : "Completed this run",
      completed.map(({ feature }) => feature).join(", ") || "none",
    ],
    ["Needs-rework / escalated", escalated(run)],
    [
      "Budget",
      `iterations ${of(spent.iterations, limits.iterationsMax)} · commits ${of(spent.commits, limits.commitsMax)} · wall-clock ${wholeMinutes(run.lastAt - run.begunAt)}/off`,
    ],
    ["Comprehension debt", debt(toRead)],
    ["Next", nextOf(run)],
    // The lines of the harness end here; ours follow.
    ["Why", outcome === null ? "The run is under way." : run.why],
    ["Features", `${run.done} of ${run.total} complete`],
    [
      "Working time",
      `${of(wholeMinutes(spent.activeMs), limits.activeMsMax === null ? null : wholeMinutes(limits.activeMsMax))} min`,
    ],
    ["Cost", `${cost(spent)}, ${count(spent.sessions, "session")}, ${timeSpent(spent)}`],
    ...(toRead.length === 0 ? [] : [["Read first", riskiest(toRead, completed)]]),
    ...inboxList(run).map((line) => ["Waits for you", line]),
  ];
  const title = `## Loop Run Summary — ${isoDay(run.begunAt)}`;
  return `${title}\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}\nRun ${run.run}. Its report: loop report --run ${run.run}\n`;
}

function nextOf({ outcome, next }: Overview): string {
  if (outcome?.kind === "success") return "done";
  return outcome?.kind === "followup" ? "its follow-up, which begins by itself: loop list" : next;
}

/** Every feature that the run leaves unfinished after an attempt, with its root cause. */
function escalated(run: Overview): string {
  const open = run.features
    .filter(({ status }) => status === "needs-rework" || status === "blocked" || isLeft(status, run))
    .map((feature) => `${feature.id} — ${whyOpen(feature, run)}`);
  return open.join("; ") || "none";
}

/** The run rests in the middle of it. */
const isLeft = (status: FeatureOverview["status"], { outcome }: Overview): boolean =>
  status === "in-progress" && outcome !== null;

function whyOpen({ id, status, lastCause }: FeatureOverview, run: Overview): string {
  const asked = run.inbox.find(({ feature, kind }) => feature === id && kind === "question");
  if (asked !== undefined) return `waits for your answer: ${oneLine(asked.text)}`;
  const cause = lastCause ?? run.iterations.findLast(({ feature }) => feature === id)?.cause ?? null;
  if (cause !== null) return cause.root.slice(0, 160);
  return status === "blocked" ? "blocked before" : run.why;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 160);

/** Commits of agents in this run that no person has reviewed, riskiest first. */
const debt = (toRead: readonly ToRead[]): string =>
  toRead.length === 0 ? "none" : `read these diffs → ${toRead.map(({ commit }) => commit?.slice(0, 10)).join(", ")}`;

function riskiest(toRead: readonly ToRead[], completed: readonly IterationOverview[]): string {
  const files = completed.reduce((sum, { changed }) => sum + changed, 0);
  const reasons = toRead.map(({ feature, why }) => `${feature} (${why})`);
  return `${reasons.join(", ")}. ${count(files, "changed file")} that no one has read`;
}
