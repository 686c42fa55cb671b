// docs/loop-run-log.md: one entry per iteration.
import type { Overview } from "../overview.ts";
import type { FeatureOverview } from "../overview-feature.ts";
import { type IterationOverview, reworksBy } from "../overview-iteration.ts";
import { isoTime, money } from "../words/words.ts";

export const runLogHeader = "# Loop run log\n";

export const runLogTitle = ({ run, begunAt, task }: Overview): string =>
  `## Run ${run} of ${task}, begun ${isoTime(begunAt)}\n`;

export function runLogText(run: Overview): string {
  const features = new Map(run.features.map((each) => [each.id, each]));
  let commits = 0;
  const entries = run.iterations.map((iteration) => {
    if (iteration.commit !== null) commits += 1;
    return `\n${entry(iteration, features.get(iteration.feature), run.limits, commits)}`;
  });
  const whole = run.whole.map((line) => `- ${oneLine(line)}\n`);
  if (whole.length > 0) entries.push(`\n### The whole\n\n${whole.join("")}`);
  const asides = run.notes.map((note) => `- ${isoTime(note.at)} ${note.about}: ${note.text}\n`);
  if (asides.length > 0) entries.push(`\n### Notes\n\n${asides.join("")}`);
  return `${runLogTitle(run)}${entries.join("")}`;
}

/** As the harness defines it, line by line; ours follow. `commits`: how many the run had made when it ended. */
function entry(
  it: IterationOverview,
  feature: FeatureOverview | undefined,
  limits: Overview["limits"],
  commits: number,
): string {
  const lines: [string, string][] = [
    ["Feature", `${it.feature} — ${oneLine(feature?.name ?? "")}`],
    ["Action", actions(it)],
    ["Evaluator verdict", verdict(it)],
    ["Tests", it.tests],
    ["Commit", it.commit === null ? "(none)" : `${it.commit.slice(0, 10)} ${feature?.subject ?? ""}`],
    [
      "Budget",
      `iter ${it.number}/${most(limits.iterationsMax)} · commits ${commits}/${most(limits.commitsMax)} · rework ${reworksBy(it)}/${limits.reworkMax}`,
    ],
    ["Notes", notes(it)],
    ...(it.cause === null ? [] : ([["Error class", it.cause.errorClass]] as [string, string][])),
    ["Checks", it.checks.length === 0 ? "not run" : it.checks.join(", ")],
    [
      "Cost",
      it.sessions.map(({ role, costUsd, estimated }) => `${role} ${money(costUsd, estimated)}`).join(", ") || "none",
    ],
  ];
  return `### Iteration ${it.number} — ${isoTime(it.at)}\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}`;
}

const most = (cap: number | null): string => (cap === null ? "off" : String(cap));

function actions(it: IterationOverview): string {
  const steps = it.sessions.map(({ role }) => (role === "builder" ? "build" : role === "evaluator" ? "verify" : role));
  const last = {
    open: it.isAtRest ? "stopped here" : "under way",
    complete: "commit",
    rework: "rework",
    shelved: "escalate",
  }[it.ending];
  return [...steps, ...(it.isRolledBack ? ["roll back"] : []), last].join(" → ");
}

/** A pass counts only with every criterion. */
function verdict({ sessions, cause }: IterationOverview): string {
  const judge = sessions.findLast(({ role }) => role === "evaluator");
  if (judge === undefined) return "(none)";
  if (judge.failed) return `(none) — the session ended as ${judge.how}`;
  if (judge.how === "pass") return cause?.kind === "verdict" ? `FAIL — ${oneLine(cause.root)}` : "PASS";
  return `FAIL — ${oneLine(judge.rootCause ?? judge.says)}`;
}

function notes(it: IterationOverview): string {
  const said = [
    ...(it.attempt > 1 ? [`attempt ${it.attempt}`] : []),
    ...it.violations.map(({ kind, what }) => `${kind}: ${oneLine(what)}`),
    ...(it.cause === null ? [] : [oneLine(it.cause.text)]),
    ...it.sessions.filter(({ how }) => how === "question").map(({ says }) => `asks: ${oneLine(says)}`),
    ...(it.heldAs === null ? [] : [`held on branch ${it.heldAs}`]),
  ];
  return said.join(" · ") || "none";
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 400);
