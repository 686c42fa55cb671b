// docs/loop-run-log.md: one entry per iteration.
import type { Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import type { Chronicle, Iteration } from "../chronicle.ts";
import { causeText } from "../words/cause-words.ts";
import { shownLine } from "../words/shown.ts";
import { wholeLines } from "../words/whole.ts";
import { isoTime, money } from "../words/words.ts";

export const runLogHeader = "# Loop run log\n";

export const runLogTitle = ({ run, begunAt, task }: Chronicle): string =>
  `## Run ${run} of ${task}, begun ${isoTime(begunAt)}\n`;

export function runLogText(run: Run, chronicle: Chronicle): string {
  const { lasting, passing } = runLogSince(run, chronicle);
  return `${runLogTitle(chronicle)}${lasting}${passing}`;
}

export type RunLogPart = {
  /** How many entries are final, and how many commits were made up to there. */
  readonly closed: number;
  readonly commits: number;
  readonly lasting: string;
  /** The open entry, the findings about the whole run, and the notes. */
  readonly passing: string;
};

/** What follows the first entries. */
export function runLogSince(
  run: Run,
  chronicle: Chronicle,
  from: { closed: number; commits: number } = { closed: 0, commits: 0 },
): RunLogPart {
  const { iterations, notes } = chronicle;
  let { closed, commits } = from;
  const [lasting, passing]: [string[], string[]] = [[], []];
  for (const iteration of iterations.slice(from.closed)) {
    if (iteration.commit !== null) commits += 1;
    const isOpen = iteration.ending === "open";
    (isOpen ? passing : lasting).push(`\n${entry(run, iteration, commits)}`);
    if (!isOpen) closed += 1;
  }
  const whole = wholeLines(run, chronicle).map((line) => `- ${oneLine(line)}\n`);
  if (whole.length > 0) passing.push(`\n### The whole\n\n${whole.join("")}`);
  const asides = notes.map((note) => `- ${isoTime(note.at)} ${note.about}: ${note.text}\n`);
  if (asides.length > 0) passing.push(`\n### Notes\n\n${asides.join("")}`);
  return { closed, commits, lasting: lasting.join(""), passing: passing.join("") };
}

/** `commits`: how many the run had made when the iteration ended. */
function entry(run: Run, it: Iteration, commits: number): string {
  const { limits } = run.contract;
  const feature = featureOf(run.contract, it.feature);
  const [judge] = it.sessions.filter(({ role }) => role === "evaluator").slice(-1);
  const lines: [string, string][] = [
    ["Feature", `${it.feature}: ${feature.name} (attempt ${it.attempt})`],
    ["Action", actions(it)],
    ["Evaluator verdict", judge === undefined ? "none" : `${judge.how.toUpperCase()}: ${oneLine(judge.says)}`],
    ["Checks", it.checks.length === 0 ? "not run" : it.checks.map(shownLine).join(", ")],
    ["Commit", it.commit ?? "none"],
    ...(it.heldAs === null ? [] : ([["Held", `branch ${it.heldAs}`]] as [string, string][])),
    [
      "Cost",
      it.sessions.map(({ role, costUsd, estimated }) => `${role} ${money(costUsd, estimated)}`).join(", ") || "none",
    ],
    [
      "Budget",
      `iteration ${it.number} of ${limits.iterationsMax ?? "unlimited"}, commits ${commits} of ${limits.commitsMax ?? "unlimited"}`,
    ],
    ...it.violations.map(({ kind, what }): [string, string] => ["Violation", `${kind}: ${oneLine(what)}`]),
    ...(it.cause === null ? [] : ([["Reason", oneLine(causeText(it.cause))]] as [string, string][])),
  ];
  return `### Iteration ${it.number}, ${isoTime(it.at)}\n\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}`;
}

function actions(it: Iteration): string {
  const steps = it.sessions.map(({ role }) => (role === "builder" ? "build" : role === "evaluator" ? "verify" : role));
  const last = { open: "under way", complete: "commit", rework: "rework", shelved: "inbox" }[it.ending];
  return [...steps, ...(it.rolledBack === null ? [] : ["roll back"]), last].join(" → ");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 400);
