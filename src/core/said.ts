// What people tell a run: an answer to a question, or a changed request.
import { update } from "./attempt.ts";
import { dropFeatures } from "./drop.ts";
import type { SignalEvent } from "./event.ts";
import type { FeatureId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { isBegun, withFeatures } from "./iteration.ts";
import { type Run, startedOver } from "./run.ts";
import { progressOf, unfinished } from "./select.ts";
import { rest } from "./stop.ts";

/** Undefined: no question is open about it. `feature` is null for a question about the whole run. */
export const openQuestion = ({ inbox }: Run, feature: string | null): Question | undefined =>
  inbox.find((each): each is Question => each.kind === "question" && each.feature === feature);
type Question = Extract<InboxItem, { kind: "question" }>;

export function answered(run: Run, event: Extract<SignalEvent, { type: "answered" }>): Run {
  const { feature, answer, source } = event;
  const item = openQuestion(run, feature);
  if (item === undefined || (event.question ?? item.question) !== item.question) return run;
  const decision = { feature, question: item.question, answer, source };
  const open = feature === null ? run : update(run, feature, startedOver(progressOf(run, feature)));
  return { ...open, decisions: [...run.decisions, decision], inbox: run.inbox.filter((i) => i !== item) };
}

/** A changed request for the same task. The plan is made again if nothing was built from it yet. */
export function amended(before: Run, event: Extract<SignalEvent, { type: "amended" }>): Run {
  const { request, features: made, dropped = [] } = event;
  const requested = { ...before, contract: { ...before.contract, request } };
  const run = dropping(made === undefined ? requested : withFeatures(requested, made), dropped);
  const { contract, now } = run;
  const asked = made === undefined ? run : reopened(run);
  const isPlanned = contract.stages.includes("plan") && now.is === "resting" && run.origin !== null;
  // Features that were complete before the run are not work of this plan.
  const isBuiltBy = contract.features.some(({ id, status }) => status !== "complete" && isBegun(run, id));
  if (!isPlanned || isBuiltBy) return asked;
  const features = contract.features.filter(({ status }) => status === "complete" || status === "existing");
  const unplanned = { ...asked, contract: { ...asked.contract, features } };
  const outcome = { kind: "needs-person", need: { about: "request-changed" } } as const;
  const pair = { round: 1, findings: [] };
  return rest(unplanned, outcome, {
    is: "in-session",
    role: "planner",
    work: null,
    candidate: null,
    ticket: null,
    pair,
  });
}

/** While an effect is in flight, its end is awaited. A cancel comes first. */
function dropping(run: Run, features: readonly FeatureId[]): Run {
  if (features.length === 0 || run.asked?.for === "cancel") return run;
  return run.now.is === "resting" ? dropFeatures(run, features) : { ...run, asked: { for: "drop", features } };
}

/** The gate before building says how many features there are to build. */
function reopened(run: Run): Run {
  const { now } = run;
  if (now.is !== "resting" || now.outcome.kind !== "needs-person" || now.outcome.need.about !== "contract") return run;
  const need = { about: "contract", open: unfinished(run).length } as const;
  return { ...run, now: { ...now, outcome: { ...now.outcome, need } } };
}
