// A run in the words of the hope loop: what is announced after each event, and how it ends.
import type { Feature } from "../core/contract.ts";
import { gateOf } from "../core/gates.ts";
import type { Run } from "../core/run.ts";
import { isDone, select } from "../core/select.ts";
import { withoutRequired } from "../core/verification.ts";
import {
  afterFailure,
  afterIteration,
  beforeIteration,
  complete,
  gateQuestion,
  paused,
  starting,
  statusBlock,
  verdictBox,
} from "../formats/hope-forms.ts";
import type { Iteration } from "./chronicle.ts";
import { readFirst } from "./read-first.ts";
import type { Story } from "./story.ts";
import { unplannedOf } from "./unplanned.ts";
import { criteriaOf, verdictOf, verdictsIn } from "./verified.ts";
import { featureCount, nextCommand, outcomeOf, outcomeSentence } from "./words/words.ts";

const workflows = { build: "A", debug: "B", refactor: "C" } as const;

export function hopeStart(run: Run): string {
  const { intake, features, limits } = run.contract;
  const line = starting({
    // Features that a person wrote need no scoring.
    shape: intake?.shape === "colleague" ? "Colleague" : "Tool",
    score: intake?.score ?? null,
    workflow: workflows[intake?.workflow ?? "build"],
    steps: features.length + unplannedOf(run).steps.length,
    budget: limits.costUsdMax === null ? "off" : `$${limits.costUsdMax}`,
  });
  return `${line}\nWriting state to .loop/state.json. To delete it after the session: loop cancel --clean`;
}

/** The lines for what has happened between two looks at a run. */
export function hopeLines(before: Story, after: Story): string[] {
  const [was, is] = [before.chronicle.iterations.at(-1), after.chronicle.iterations.at(-1)];
  if (is === undefined) return [];
  const isNew = was?.number !== is.number;
  const isOver = is.ending !== "open" && (isNew || was?.ending === "open");
  return [...(isNew ? [begun(after, is)] : []), ...(isOver ? [...over(after, is)] : [])];
}

function begun({ run }: Story, { number, feature }: Iteration): string {
  const { iterationsMax, costUsdMax } = run.contract.limits;
  const cost = `$${run.spent.costUsd.toFixed(2)}${costUsdMax === null ? "" : `/$${costUsdMax}`}`;
  return beforeIteration({ number, most: iterationsMax, cost, step: nameOf(run, feature) });
}

function over(story: Story, { feature, ending }: Iteration): string[] {
  const { run } = story;
  const about = { step: nameOf(run, feature), ...featureCount(run), next: nextStep(run) };
  return [ending === "complete" ? afterIteration(about) : afterFailure(about), "", hopeStatus(story), ""];
}

const nameOf = ({ contract }: Run, id: string): string =>
  contract.features.find((feature) => feature.id === id)?.name ?? id;

const nextStep = (run: Run): string => select(run)?.name ?? "none";

/** The status block that an agent of the document would print now. */
export function hopeStatus({ run }: Story): string {
  const criteria = new Map<string, boolean>();
  for (const feature of run.contract.features)
    for (const criterion of feature.criteria.map(withoutRequired))
      criteria.set(criterion, isDone(run, feature.id) && criteria.get(criterion) !== false);
  for (const criterion of unplannedOf(run).criteria) criteria.set(criterion, false);
  return statusBlock({
    exitSignal: outcomeOf(run)?.kind === "success",
    criteria: Object.fromEntries(criteria),
    stuckCount: run.streaks.stuck,
    next: nextStep(run),
  });
}

/** The question of the gate that the run rests at; null: it rests at none. */
function hopeGate({ run, chronicle }: Story): string | null {
  const gate = gateOf(run)?.name;
  if (gate === undefined) return null;
  if (gate === "G1") return gateQuestion.G1(run.contract.features.map(({ name }) => name));
  if (gate === "G3") return gateQuestion.G3();
  return gateQuestion.G2(nameOf(run, chronicle.iterations.at(-1)?.feature ?? ""));
}

/** After success the completion and the verdict; else the question, where it paused, and how it goes on. */
export function hopeEnding(story: Story): string {
  const { run } = story;
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  const box = boxOf(story);
  if (outcome?.kind === "success") {
    const criteria = run.contract.features.flatMap((feature) => feature.criteria.map(withoutRequired));
    return `${hopeStatus(story)}\n\n${complete([...new Set(criteria)])}\n\n${box}\n`;
  }
  const reason = outcome === null ? "The run waits." : outcomeSentence(outcome);
  const resume = outcome === null ? "loop continue" : nextCommand(outcome);
  const question = hopeGate(story);
  return `${question === null ? "" : `${question}\n\n`}${paused({ reason, done, left: total - done + unplannedOf(run).steps.length, resume })}\n\n${box}\n`;
}

function boxOf(story: Story): string {
  const { run, chronicle } = story;
  const verdicts = verdictsIn(chronicle);
  const all = run.contract.features.flatMap((feature: Feature) => criteriaOf(run, feature, verdicts));
  const met = all.filter((criterion) => criterion.met);
  const tries = chronicle.iterations.filter(({ ending }) => ending === "rework" || ending === "shelved").length;
  const [riskiest] = readFirst(run, chronicle);
  return verdictBox({
    verdict: verdictOf(story),
    verified: [...new Set(met.flatMap(({ verification }) => verification ?? []))],
    met: met.length,
    criteria: all.length,
    reversibility: run.contract.intake?.reversibility ?? "2B",
    score: run.contract.intake?.score ?? null,
    alternative:
      tries === 0 ? "none was tried" : `${tries} other ${tries === 1 ? "attempt" : "attempts"} did not count`,
    risk: riskiest === undefined ? "nothing was committed" : `${riskiest.feature}: ${riskiest.why}`,
  });
}
