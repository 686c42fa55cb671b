// .loop/state.json: for agents and stop hooks to read. The loop never reads it back.
import type { Feature } from "../core/contract.ts";
import type { Run } from "../core/run.ts";
import { isDone } from "../core/select.ts";
import { requiredFor, withoutRequired } from "../core/verification.ts";
import type { Chronicle } from "./chronicle.ts";
import { unplannedOf } from "./unplanned.ts";
import { type CriterionState, criteriaOf, shownBy, verdictsIn } from "./verified.ts";
import { featureCount, featuresOf, outcomeOf } from "./words/words.ts";

/** A hook reads this after every turn. Of a longer queue it gets only the unfinished features, as far as they fit. */
const featuresShown = 200;

export function stateText(run: Run, chronicle: Chronicle): string {
  const { contract, spent, now } = run;
  const shown = shownOf(run);
  const isMet = new Map(shown.map(({ id }) => [id, isDone(run, id)]));
  const ids = (wanted: boolean): string[] => shown.map(({ id }) => id).filter((id) => isMet.get(id) === wanted);
  const outcome = outcomeOf(run);
  const { done, total } = featureCount(run);
  const { steps, criteria } = unplannedOf(run);
  const statuses = criteriaStatus(run, shown, chronicle);
  return `${JSON.stringify(
    {
      version: 1,
      spec: contract.request,
      criteria: [...new Set([...shown.flatMap((f) => f.criteria.map(withoutRequired)), ...criteria])],
      criteriaStatus: statuses,
      exit_signal: outcome?.kind === "success",
      steps: [...shown.map((f) => f.id), ...steps],
      completedSteps: ids(true),
      remainingSteps: [...ids(false), ...steps],
      features: { total, done, shown: shown.length },
      iteration: spent.iterations,
      status: statusWord(outcome?.kind),
      phase: now.is,
      circuitBreaker: { stuckCount: run.streaks.stuck, lastUnmet: firstUnmet(statuses) },
      cost: spent.costUsd,
    },
    null,
    2,
  )}\n`;
}

/** Whether another loop, which has the same file, wrote it. */
export const isOthersState = (text: string | null): boolean =>
  text !== null && !(/^\{\s*"version": 1,\s*"spec": /.test(text) && /"phase": /.test(text));

/** All features of the run, or the first unfinished ones: a reader that waits for all to be met must never see only met ones. */
function shownOf(run: Run): readonly Feature[] {
  const features = featuresOf(run);
  if (features.length <= featuresShown) return features;
  const shown: Feature[] = [];
  for (const feature of features) {
    if (shown.length === featuresShown) break;
    if (!isDone(run, feature.id)) shown.push(feature);
  }
  return shown.length > 0 ? shown : features.slice(0, featuresShown);
}

/** A criterion that says how it has to be shown has both; any other is met or not. */
type Status = boolean | { readonly met: boolean; readonly verification: string };

/** A criterion shared by several features is met when it is met in all of them. */
function criteriaIn(run: Run, features: readonly Feature[], chronicle: Chronicle): CriterionState[] {
  const verdicts = verdictsIn(chronicle);
  const states = new Map<string, CriterionState>();
  for (const state of features.flatMap((feature) => criteriaOf(run, feature, verdicts)))
    if (states.get(state.criterion)?.met !== false) states.set(state.criterion, state);
  return [...states.values()];
}

/** The same in the file and in a status block. Criteria of a request that is not planned yet are unmet. */
export function criteriaStatus(
  run: Run,
  features: readonly Feature[],
  chronicle: Chronicle,
): Readonly<Record<string, Status>> {
  const states = criteriaIn(run, features, chronicle).map((state): [string, Status] => {
    const { criterion, met } = state;
    const how = requiredFor(criterion) === null ? null : shownBy(state);
    return [withoutRequired(criterion), how === null ? met : { met, verification: how }];
  });
  return Object.fromEntries([...states, ...unplannedOf(run).criteria.map((each) => [each, false] as const)]);
}

const firstUnmet = (statuses: Readonly<Record<string, Status>>): string | null =>
  Object.entries(statuses).find(([, status]) => (typeof status === "boolean" ? !status : !status.met))?.[0] ?? null;

function statusWord(kind: string | undefined): string {
  if (kind === undefined) return "in_progress";
  return kind === "success" ? "completed" : kind === "cancelled" ? "cancelled" : "paused";
}
