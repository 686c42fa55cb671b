// A run in the words of the hope loop: what is announced after each event, and how it ends.
import type { Contract } from "../core/contract.ts";
import { gateOf } from "../core/gates.ts";
import type { Run } from "../core/run.ts";
import { select } from "../core/select.ts";
import { withoutRequired } from "../core/verification.ts";
import {
  afterFailure,
  afterIteration,
  beforeIteration,
  complete,
  disclosure,
  disclosureOfOthers,
  gateQuestion,
  learnable,
  paused,
  starting,
  statusBlock,
  verdictBox,
} from "../formats/reply/hope-forms.ts";
import type { Iteration } from "./chronicle.ts";
import { readFirst } from "./read-first.ts";
import { criteriaStatus } from "./state-json.ts";
import type { Story } from "./story.ts";
import { unplannedOf } from "./unplanned.ts";
import { criteriaOf, shownBy, verdictOf, verdictsIn } from "./verified.ts";
import { endSentence, featureCount, featuresOf, nextCommand, outcomeOf } from "./words/words.ts";

const workflows = { build: "A", debug: "B", refactor: "C" } as const;

/** `leavesState`: the state file is another loop's, and this run writes none. `worktree`: where else it is written. */
export type StateFile = { readonly leavesState: boolean; readonly worktree: string | null };

export function hopeStart(run: Run, { leavesState, worktree }: StateFile): string {
  const { intake, limits } = run.contract;
  const line = starting({
    // Features that a person wrote need no scoring.
    shape: intake?.shape === "colleague" ? "Colleague" : "Tool",
    score: intake?.score ?? null,
    workflow: workflowsOf(run.contract),
    steps: featuresOf(run).length + unplannedOf(run).steps.length,
    budget: limits.costUsdMax === null ? "off" : `$${limits.costUsdMax}`,
  });
  return `${line}\n${leavesState ? disclosureOfOthers : disclosure(worktree)}`;
}

/** Of the request, or of the features that a person wrote, which may be of several kinds; null: nothing says. */
function workflowsOf({ intake, notes = [] }: Contract): string | null {
  const kinds = intake === null ? notes.map(({ workflow }) => workflow) : [intake.workflow];
  return kinds.length === 0 ? null : [...new Set(kinds.map((kind) => workflows[kind]))].sort().join("/");
}

/** The hardest to undo; null: nothing says. */
function typeOf({ intake, notes = [] }: Contract): string | null {
  const types = [...(intake === null ? [] : [intake]), ...notes].map(({ reversibility }) => reversibility);
  return (["1", "2B", "2A"] as const).find((type) => types.includes(type)) ?? null;
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
  const line = ending === "complete" ? afterIteration(about) : afterFailure(about);
  // After the last one it is the ending's: one block says that all is met, and whether that is the end.
  return isAllMet(run) ? [line, ""] : [line, "", hopeStatus(story), ""];
}

function isAllMet(run: Run): boolean {
  const { done, total } = featureCount(run);
  return total > 0 && done === total && unplannedOf(run).steps.length === 0;
}

const nameOf = ({ contract }: Run, id: string): string =>
  contract.features.find((feature) => feature.id === id)?.name ?? id;

const nextStep = (run: Run): string => select(run)?.name ?? "none";

/** Where a run rests in the middle of an iteration, that is what comes next. */
const nextOf = (run: Run, last: Iteration | undefined): string =>
  last?.ending === "open" ? nameOf(run, last.feature) : nextStep(run);

/** The status block that an agent of the document would print now. */
export function hopeStatus({ run, chronicle }: Story): string {
  return statusBlock({
    exitSignal: outcomeOf(run)?.kind === "success",
    criteria: criteriaStatus(run, featuresOf(run), chronicle),
    stuckCount: run.streaks.stuck,
    next: nextOf(run, chronicle.iterations.at(-1)),
  });
}

/** The question of the gate that the run rests at; null: it rests at none. */
function hopeGate({ run, chronicle }: Story): string | null {
  const gate = gateOf(run)?.name;
  if (gate === undefined) return null;
  if (gate === "G1") return gateQuestion.G1(featuresOf(run).map(({ name }) => name));
  if (gate === "G3") return gateQuestion.G3();
  const last = chronicle.iterations.at(-1);
  return gateQuestion.G2(nameOf(run, last?.feature ?? ""), last?.ending === "complete");
}

/**
 * After success the completion; else the question, where it paused, and how it goes on. The verdict is about a run that
 * is over, and so is the offer to delete its state. `isHabit`: similar requests have been completed before.
 */
export function hopeEnding(story: Story, { isHabit, leavesState }: { isHabit: boolean; leavesState: boolean }): string {
  const { run, chronicle } = story;
  // Each iteration has one block: the last one's is here if it was not over when the run came to rest.
  const isOwed = isAllMet(run) || chronicle.iterations.at(-1)?.ending === "open";
  const ending = [
    ...(isOwed ? [hopeStatus(story)] : []),
    ...(outcomeOf(run)?.kind === "success" ? [completionOf(run)] : pauseOf(story)),
    ...(run.now.is === "stopped" ? [boxOf(story), ...(leavesState ? [] : [stateKept])] : []),
    ...(isHabit ? [learnable(`loop show ${chronicle.run}`)] : []),
  ];
  return `${ending.join("\n\n")}\n`;
}

const stateKept = "State is in .loop/state.json. To delete it: loop cancel --clean";

const completionOf = (run: Run): string =>
  complete([...new Set(featuresOf(run).flatMap(({ criteria }) => criteria.map(withoutRequired)))]);

function pauseOf(story: Story): string[] {
  const { run } = story;
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  const left = total - done + unplannedOf(run).steps.length;
  const reason = outcome === null ? "The run waits." : endSentence(run, outcome);
  const resume = outcome === null ? "loop continue" : nextCommand(outcome, run.contract);
  const question = hopeGate(story);
  return [...(question === null ? [] : [question]), paused({ reason, done, left, resume })];
}

function boxOf(story: Story): string {
  const { run, chronicle } = story;
  const verdicts = verdictsIn(chronicle);
  const all = featuresOf(run).flatMap((feature) => criteriaOf(run, feature, verdicts));
  const met = all.filter((criterion) => criterion.met);
  const tries = chronicle.iterations.filter(({ ending }) => ending === "rework" || ending === "shelved").length;
  const [riskiest] = readFirst(run, chronicle);
  return verdictBox({
    verdict: verdictOf(story),
    verified: [...new Set(met.flatMap((state) => shownBy(state) ?? []))],
    met: met.length,
    criteria: all.length,
    reversibility: typeOf(run.contract),
    score: run.contract.intake?.score ?? null,
    alternative: tries === 0 ? "none was tried" : `${tries} other ${tries === 1 ? "attempt" : "attempts"} failed`,
    risk: riskiest === undefined ? "nothing was committed" : `${riskiest.feature}: ${riskiest.why}`,
  });
}
