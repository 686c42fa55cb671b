// A run at a glance: the part of its overview that fits a list and a stream.
import type { Overview } from "../report/overview.ts";
import { addressed } from "../report/words/left.ts";

export type Brief = ReturnType<typeof briefOf>;

const requestMax = 500;
const featuresMax = 200;

/** `of`: its commands name it, because a list has many runs. */
export function briefOf(of: Overview) {
  const run = addressed(of);
  const { task, state, title, why, next, outcome, phase, doing, current, waitingUntil, gate } = run;
  const { begunAt, lastAt, done, total, spent, limits, caps, verdict } = run;
  return {
    run: run.run,
    ...{ task, state, title, why, next, outcome, phase, doing, current, waitingUntil, gate },
    ...{ begunAt, lastAt, done, total, spent, limits, caps, verdict },
    request: run.request.slice(0, requestMax),
    features: run.features.slice(0, featuresMax).map(({ id, name, status, grade }) => ({ id, name, status, grade })),
  };
}
