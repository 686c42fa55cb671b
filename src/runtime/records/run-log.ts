// docs/loop-run-log.md: one entry per iteration.
import type { Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import type { Chronicle, Iteration } from "./chronicle.ts";
import { wholeLines } from "./whole.ts";
import { isoTime, money } from "./words.ts";

export const runLogHeader = "# Loop run log\n";

export function runLogText(run: Run, chronicle: Chronicle): string {
  const { iterations, notes, run: id, begunAt, task } = chronicle;
  const title = `## Run ${id} of ${task}, begun ${isoTime(begunAt)}\n`;
  const asides = notes.map((note) => `- ${isoTime(note.at)} ${note.about}: ${note.text}\n`).join("");
  const entries = iterations.map((iteration) => entry(run, iteration));
  const whole = wholeLines(run, chronicle).map((line) => `- ${oneLine(line)}\n`);
  const about = whole.length === 0 ? [] : [`### The whole\n\n${whole.join("")}`];
  return [title, ...about, ...entries, ...(asides === "" ? [] : [`### Notes\n\n${asides}`])].join("\n");
}

function entry(run: Run, it: Iteration): string {
  const { limits } = run.contract;
  const feature = featureOf(run.contract, it.feature);
  const [judge] = it.sessions.filter(({ role }) => role === "evaluator").slice(-1);
  const lines: [string, string][] = [
    ["Feature", `${it.feature}: ${feature.name} (attempt ${it.attempt})`],
    ["Action", actions(it)],
    ["Evaluator verdict", judge === undefined ? "none" : `${judge.how.toUpperCase()}: ${oneLine(judge.says)}`],
    [
      "Checks",
      it.checks.length === 0
        ? "not run"
        : it.checks.map(({ name, on, how }) => `${name} on the ${on}: ${how}`).join(", "),
    ],
    ["Commit", it.commit ?? "none"],
    [
      "Cost",
      it.sessions.map(({ role, costUsd, estimated }) => `${role} ${money(costUsd, estimated)}`).join(", ") || "none",
    ],
    [
      "Budget",
      `iteration ${it.number} of ${limits.iterationsMax ?? "unlimited"}, commits ${run.spent.commits} of ${limits.commitsMax ?? "unlimited"}`,
    ],
    ...it.violations.map(({ kind, what }): [string, string] => ["Violation", `${kind}: ${oneLine(what)}`]),
    ...(it.cause === null ? [] : ([["Reason", oneLine(it.cause.text)]] as [string, string][])),
  ];
  return `### Iteration ${it.number}, ${isoTime(it.at)}\n\n${lines.map(([name, text]) => `- **${name}**: ${text}\n`).join("")}`;
}

function actions(it: Iteration): string {
  const steps = it.sessions.map(({ role }) => (role === "builder" ? "build" : role === "evaluator" ? "verify" : role));
  const last = { open: "under way", complete: "commit", rework: "rework", shelved: "inbox" }[it.ending];
  return [...steps, ...(it.rolledBack === null ? [] : ["roll back"]), last].join(" → ");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 400);
