// A run at a glance, on the screen.
import { exitCode } from "../../core/outcome.ts";
import type { RunStatus } from "../../report/status.ts";
import { duration, isoTime, money, nextCommand, outcomeSentence } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";

export function statusText(status: RunStatus, paint: Paint): string {
  const { spent, limits, outcome, current } = status;
  const cap = (used: string | number, allowed: string | number | null) =>
    allowed === null ? `${used}` : `${used} of ${allowed}`;
  const now =
    outcome === null ? doing(status) : `${outcome.kind} (exit code ${exitCode(outcome)}): ${outcomeSentence(outcome)}`;
  const rows = [
    ["run", `${status.run} of ${status.task}`],
    ["request", status.request.split("\n")[0] ?? ""],
    ["now", current === null || outcome !== null ? now : `${now}, ${current.feature} attempt ${current.attempt}`],
    ["features", `${status.done} of ${status.total} complete`],
    [
      "budget",
      `${cap(money(spent.costUsd, spent.estimated), limits.costUsdMax === null ? null : money(limits.costUsdMax))}, iterations ${cap(spent.iterations, limits.iterationsMax)}, commits ${cap(spent.commits, limits.commitsMax)}, work ${cap(duration(spent.activeMs), limits.activeMsMax === null ? null : duration(limits.activeMsMax))}, checks ${cap(duration(spent.checkMs), limits.checkMsMax === null ? null : duration(limits.checkMsMax))}`,
    ],
    ["since", `${isoTime(status.begunAt)}, last event ${isoTime(status.lastAt)}`],
    ...status.inbox.map(({ feature, text }) => [
      "inbox",
      `${feature ?? "run"}: ${text.replace(/\s+/g, " ").slice(0, 160)}`,
    ]),
    [
      "next",
      outcome === null ? "loop continue (if nothing is driving it), loop pause, loop cancel" : nextCommand(outcome),
    ],
  ];
  const features = status.features.map(({ id, name, status: is, grade }) => {
    const mark =
      is === "complete"
        ? paint.green("✓")
        : is === "blocked"
          ? paint.red("✗")
          : is === "in-progress"
            ? paint.yellow("▸")
            : paint.dim("·");
    return `  ${mark} ${id} ${name.slice(0, 60)}${grade === "weak" ? paint.yellow("  unproved") : grade === "reviewed" ? paint.yellow("  reviewed") : ""}${is === "needs-rework" ? paint.yellow("  needs rework") : ""}`;
  });
  return `${rows.map(([name, text]) => `${paint.bold((name ?? "").padEnd(9))} ${text}`).join("\n")}\n${features.join("\n")}\n`;
}

function doing({ phase, waitingUntil, current }: RunStatus): string {
  if (waitingUntil !== null) return `waiting until ${isoTime(waitingUntil)}`;
  return phase === "in-session" && current?.role != null ? `${current.role} at work` : phase;
}
