// What a person is shown before they answer: enough to decide, on one screen.
import { join } from "node:path";
import type { Gate } from "../../core/outcome.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { visibleText } from "../../formats/text/visible-text.ts";
import type { Overview } from "../../report/overview.ts";
import type { FeatureOverview } from "../../report/overview-feature.ts";
import { cost, count, duration, money, timeSpent } from "../../report/words/words.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import type { Paint } from "./paint.ts";

const titles = { G1: "Before anything is built", G2: "After an iteration", G3: "Before it is called done" } as const;
const featuresShown = 12;

export function gateText(run: Overview, gate: Gate, paint: Paint): string {
  const shown = { G1: agreement, G2: iteration, G3: result }[gate.name](run, paint);
  const title = `${paint.bold(`${gate.name} · ${titles[gate.name]}`)} ${paint.dim(`(tree ${gate.tree.slice(0, 10)})`)}`;
  return [title, ...run.why.split("\n").map((text) => `  ${clean(text)}`), ...shown].join("\n");
}

/** A run in a worktree reads its own copy of the queue, which is no place for a person to edit. */
function agreement({ agreed, features: all, limits, request, worktree }: Overview, paint: Paint): string[] {
  const queue = join(worktree?.dir ?? "", featuresPath(agreed.recordsDir));
  const features = all.filter(({ isDone }) => !isDone);
  return [
    `  ${paint.dim("request")}  ${shortened(clean(request.split("\n")[0] ?? ""), 120)}`,
    ...features
      .slice(0, featuresShown)
      .flatMap(({ id, name, criteria, dependencies, kind, mayChange, enough }) => [
        `  ${paint.bold(id)} ${clean(name)}${dependencies.length === 0 ? "" : paint.dim(` after ${dependencies.join(", ")}`)}`,
        ...terms({ kind, mayChange, enough }).map((line) => `       ${paint.yellow(clean(line))}`),
        ...criteria.slice(0, 4).map(({ text }) => `       - ${shortened(clean(text), 110)}`),
        ...(criteria.length > 4 ? [`       … and ${criteria.length - 4} more`] : []),
      ]),
    ...(features.length > featuresShown ? [`  … and ${features.length - featuresShown} more: ${clean(queue)}`] : []),
    ...agreed.checks.map(
      ({ name, run: command, must }) => `  ${paint.dim("check")}    ${name}: ${clean(command)} (${must})`,
    ),
    ...agreed.mustNot.map((text) => `  ${paint.dim("must not")} ${clean(text)}`),
    `  ${paint.dim("stages")}   ${agreed.stages.join(", ")}`,
    `  ${paint.dim("limits")}   ${limits.costUsdMax === null ? "no cap on cost" : money(limits.costUsdMax)}, ${count(limits.iterationsMax ?? 0, "iteration")}, ${duration(limits.activeMsMax ?? 0)}`,
    `  ${paint.dim(worktree === null ? `To change it: edit ${queue} now, then answer; or say no, and why.` : "To change it: say no, and why.")}`,
  ];
}

/**
 * Terms that make this feature easier to finish than others: a person has to see them, since passing the gate accepts
 * them.
 */
function terms({ kind, mayChange, enough }: Pick<FeatureOverview, "kind" | "mayChange" | "enough">): string[] {
  return [
    ...(kind === "change" ? [] : [`kind: ${kind} (${kindWords[kind]})`]),
    ...(mayChange.length === 0 ? [] : [`may change protected tests: ${mayChange.join(", ").slice(0, 200)}`]),
    ...(enough === "proof" ? [] : ["a passing review is enough: it need not be proved"]),
  ];
}

const kindWords = {
  keep: "the same behaviour, arranged differently: no new test",
  docs: "documents only: reviewed, not proved",
  judge: "tests or configuration themselves: you decide",
} as const;

function iteration(run: Overview, paint: Paint): string[] {
  const last = run.iterations.at(-1);
  const look = last?.commit == null ? [] : [`  ${paint.dim("look")}     git show ${last.commit.slice(0, 10)}`];
  return [...look, `  ${paint.dim("so far")}   ${doneOf(run)}, ${cost(run.spent)}, ${timeSpent(run.spent)}`];
}

function result(run: Overview, paint: Paint): string[] {
  const commits = run.iterations.filter(({ commit }) => commit !== null);
  const minor = run.gaps.filter(({ blocking }) => !blocking);
  return [
    ...commits.map(({ feature, commit, grade }) => {
      const name = run.features.find(({ id }) => id === feature)?.name ?? "";
      return `  ${paint.bold(feature)} ${clean(name)}  ${paint.dim(`git show ${commit?.slice(0, 10)}`)}${grade === "strong" ? "" : paint.yellow(`  ${grade === "reviewed" ? "reviewed" : "unproved"}`)}`;
    }),
    ...minor.map(({ text }) => `  ${paint.dim("noted")}    ${clean(text)}`),
    `  ${paint.dim("so far")}   ${doneOf(run)}, ${cost(run.spent)}, ${timeSpent(run.spent)}`,
  ];
}

const doneOf = ({ done, total }: Overview): string => `${done} of ${count(total, "feature")} done`;

const clean = (text: string): string => visibleText(text).replace(/[\n\t]/g, " ");
