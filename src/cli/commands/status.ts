// loop status: the state of the run, immediately and without disturbing it.
import { exitCode } from "../../core/outcome.ts";
import { findRun } from "../../engines/watch.ts";
import type { SealList } from "../../project/seal-list.ts";
import type { Shown } from "../../proof/classify/index.ts";
import { type RunStatus, statusOf } from "../../report/status.ts";
import { duration, isoTime, money, nextCommand, outcomeSentence } from "../../report/words/words.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";

export async function status(flags: GlobalFlags & { seal?: boolean }): Promise<number> {
  const context = contextOf(flags);
  if (flags.seal === true) return sealStatus(context);
  const { story } = await context.engine.read(await findRun(context.engine, flags.run));
  const known = statusOf(story);
  const { outcome } = known;
  const says = outcome === null ? null : { why: outcomeSentence(outcome), next: nextCommand(outcome) };
  const all = { version: 1, ...known, says };
  context.answer(context.json ? `${JSON.stringify(all, null, 2)}\n` : statusText(known, context));
  return 0;
}

/** What is sealed, and why. */
async function sealStatus(context: Context): Promise<number> {
  const { listSeal } = await import("../../project/seal-list.ts");
  const list = await listSeal(context.root);
  if (context.json) context.answer(`${JSON.stringify({ version: 1, ...list }, null, 2)}\n`);
  else context.answer(sealText(list, context));
  return 0;
}

function sealText({ product, protected: kept, released }: SealList, { paint }: Pick<Context, "paint">): string {
  const part = (title: string, files: readonly Shown[]): string => {
    const reasons = [...new Set(files.map(({ reason }) => reason))];
    const groups = reasons.map((reason) => {
      const paths = files.filter((file) => file.reason === reason).map(({ path }) => `    ${path}\n`);
      return `  ${paint.dim(reason)}\n${paths.join("")}`;
    });
    return `${paint.bold(`${title} (${files.length})`)}\n${groups.join("")}`;
  };
  const free =
    released.length === 0 ? "" : `${paint.bold("May change by scope.may_change")}\n  ${released.join("\n  ")}\n`;
  return `${part("Product: what a feature may change", product)}\n${part("Protected: what it is judged by", kept)}${free}
To correct this, name product files under product: in loop.yaml, and test files under checks: tests.\n`;
}

export function statusText(status: RunStatus, { paint }: Pick<Context, "paint">): string {
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
