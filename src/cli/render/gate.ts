// What a person is shown before they answer: enough to decide, on one screen.
import { stripVTControlCharacters } from "node:util";
import type { Feature } from "../../core/contract.ts";
import type { Gate } from "../../core/outcome.ts";
import type { Run } from "../../core/run.ts";
import { unfinished } from "../../core/select.ts";
import type { Story } from "../../report/story.ts";
import { cost, count, duration, money, outcomeSentence, timeSpent } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";

const titles = { G1: "Before anything is built", G2: "After an iteration", G3: "Before it is called done" } as const;
const featuresShown = 12;

export function gateText(story: Story, gate: Gate, paint: Paint): string {
  const { now } = story.run;
  const why = now.is === "resting" ? outcomeSentence(now.outcome) : "";
  const shown = { G1: agreement, G2: iteration, G3: result }[gate.name](story, paint);
  const title = `${paint.bold(`${gate.name} · ${titles[gate.name]}`)} ${paint.dim(`(tree ${gate.tree.slice(0, 10)})`)}`;
  return [title, ...why.split("\n").map((text) => `  ${clean(text)}`), ...shown].join("\n");
}

function agreement({ run }: Story, paint: Paint): string[] {
  const { contract } = run;
  const open = new Set(unfinished(run));
  const features = contract.features.filter(({ id }) => open.has(id));
  const { limits } = contract;
  return [
    `  ${paint.dim("request")}  ${clean(contract.request.split("\n")[0] ?? "").slice(0, 120)}`,
    ...features
      .slice(0, featuresShown)
      .flatMap(({ id, name, criteria, dependencies, kind, mayChange, enough }) => [
        `  ${paint.bold(id)} ${clean(name)}${dependencies.length === 0 ? "" : paint.dim(` after ${dependencies.join(", ")}`)}`,
        ...terms({ kind, mayChange, enough }).map((line) => `       ${paint.yellow(clean(line))}`),
        ...criteria.slice(0, 4).map((criterion) => `       - ${clean(criterion).slice(0, 110)}`),
        ...(criteria.length > 4 ? [`       … and ${criteria.length - 4} more`] : []),
      ]),
    ...(features.length > featuresShown
      ? [`  … and ${features.length - featuresShown} more: ${contract.recordsDir}/FEATURES.json`]
      : []),
    ...contract.checks.map(
      ({ name, run: command, must }) => `  ${paint.dim("check")}    ${name}: ${clean(command)} (${must})`,
    ),
    ...contract.scope.mustNot.map((text) => `  ${paint.dim("must not")} ${clean(text)}`),
    `  ${paint.dim("stages")}   ${contract.stages.join(", ")}`,
    `  ${paint.dim("limits")}   ${limits.costUsdMax === null ? "no cap on cost" : money(limits.costUsdMax)}, ${count(limits.iterationsMax ?? 0, "iteration")}, ${duration(limits.activeMsMax ?? 0)}`,
    `  ${paint.dim(`To change it: edit ${contract.recordsDir}/FEATURES.json now, then answer; or say no, and why.`)}`,
  ];
}

/**
 * Terms that make this feature easier to finish than others: a person has to see them, since passing the gate accepts
 * them.
 */
function terms({ kind, mayChange, enough }: Pick<Feature, "kind" | "mayChange" | "enough">): string[] {
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

function iteration({ run, chronicle }: Story, paint: Paint): string[] {
  const last = chronicle.iterations.at(-1);
  const look = last?.commit == null ? [] : [`  ${paint.dim("look")}     git show ${last.commit.slice(0, 10)}`];
  return [...look, `  ${paint.dim("so far")}   ${doneOf(run)}, ${cost(run.spent)}, ${timeSpent(run.spent)}`];
}

function result({ run, chronicle }: Story, paint: Paint): string[] {
  const commits = chronicle.iterations.filter(({ commit }) => commit !== null);
  const minor = (run.audit?.gaps ?? []).filter(({ blocking }) => !blocking);
  return [
    ...commits.map(({ feature, commit, grade }) => {
      const name = run.contract.features.find(({ id }) => id === feature)?.name ?? "";
      return `  ${paint.bold(feature)} ${clean(name)}  ${paint.dim(`git show ${commit?.slice(0, 10)}`)}${grade === "strong" ? "" : paint.yellow(`  ${grade === "reviewed" ? "reviewed" : "unproved"}`)}`;
    }),
    ...minor.map(({ text }) => `  ${paint.dim("noted")}    ${clean(text)}`),
    `  ${paint.dim("so far")}   ${doneOf(run)}, ${cost(run.spent)}, ${timeSpent(run.spent)}`,
  ];
}

const doneOf = (run: Run): string => {
  const total = run.contract.features.length;
  return `${total - unfinished(run).length} of ${count(total, "feature")} done`;
};

const clean = (text: string): string => stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f]/g, " ");
