// docs/loop-run-log.md: one entry per iteration.
import { errorClassOf } from "../../core/recovery.ts";
import type { Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import { commitSubject } from "../../formats/commit-subject.ts";
import type { Chronicle, Iteration } from "../chronicle.ts";
import { causeText } from "../words/cause-words.ts";
import { isRunShown, shareOf, shownLine } from "../words/shown.ts";
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

/** As the harness defines it, line by line; ours follow. `commits`: how many the run had made when it ended. */
function entry(run: Run, it: Iteration, commits: number): string {
  const { limits } = run.contract;
  const feature = featureOf(run.contract, it.feature);
  const lines: [string, string][] = [
    ["Feature", `${it.feature} — ${oneLine(feature.name)}`],
    ["Action", actions(it)],
    ["Evaluator verdict", verdict(it)],
    ["Tests", tests(it)],
    ["Commit", it.commit === null ? "(none)" : `${it.commit.slice(0, 10)} ${commitSubject(feature)}`],
    [
      "Budget",
      `iter ${it.number}/${most(limits.iterationsMax)} · commits ${commits}/${most(limits.commitsMax)} · rework ${it.attempt - 1}/${limits.reworkMax}`,
    ],
    ["Notes", notes(it)],
    ...(it.cause === null ? [] : ([["Error class", errorClassOf(it.cause)]] as [string, string][])),
    ["Checks", it.checks.length === 0 ? "not run" : it.checks.map(shownLine).join(", ")],
    [
      "Cost",
      it.sessions.map(({ role, costUsd, estimated }) => `${role} ${money(costUsd, estimated)}`).join(", ") || "none",
    ],
  ];
  return `### Iteration ${it.number} — ${isoTime(it.at)}\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}`;
}

const most = (cap: number | null): string => (cap === null ? "off" : String(cap));

function actions(it: Iteration): string {
  const steps = it.sessions.map(({ role }) => (role === "builder" ? "build" : role === "evaluator" ? "verify" : role));
  const last = { open: "under way", complete: "commit", rework: "rework", shelved: "escalate" }[it.ending];
  return [...steps, ...(it.rolledBack === null ? [] : ["roll back"]), last].join(" → ");
}

function verdict({ sessions }: Iteration): string {
  const judge = sessions.findLast(({ role }) => role === "evaluator");
  if (judge === undefined) return "(none)";
  if (judge.failed) return `(none) — the session ended as ${judge.how}`;
  if (judge.how === "pass") return "PASS";
  return `FAIL — ${oneLine(judge.rootCause ?? judge.says)}`;
}

/** Of everything as it would be committed; a check that gives no names counts by its result. */
function tests({ checks }: Iteration): string {
  const runs = checks.filter(isRunShown).filter(({ run }) => run === "B");
  if (runs.length === 0) return "not run";
  const all = shareOf(runs);
  return all === null
    ? runs.map(({ check, outcome }) => `${check} ${outcome ?? "not run"}`).join(", ")
    : `${all.count}/${all.of}`;
}

function notes(it: Iteration): string {
  const said = [
    ...(it.attempt > 1 ? [`attempt ${it.attempt}`] : []),
    ...it.violations.map(({ kind, what }) => `${kind}: ${oneLine(what)}`),
    ...(it.cause === null ? [] : [oneLine(causeText(it.cause))]),
    ...(it.heldAs === null ? [] : [`held on branch ${it.heldAs}`]),
  ];
  return said.join(" · ") || "none";
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 400);
