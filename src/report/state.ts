// Where a run stands: in one word, one sentence, and the next command.
import { leftAtGate } from "../core/gates.ts";
import { exitCode, exitWaiting, type Outcome } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { itemNext } from "./words/inbox-words.ts";
import { count, endSentence, featureCount, isoTime, nextCommand, outcomeOf } from "./words/words.ts";

/**
 * running: a process drives it. waits-for-you: it rests until a person acts. paused: a person stopped it, or it waits
 * for a usage limit and no process drives it. interrupted: the process that drove it is gone. over: for good.
 */
export type RunState = "running" | "waits-for-you" | "paused" | "interrupted" | "over";

export const stateWords: Readonly<Record<RunState, string>> = {
  running: "running",
  "waits-for-you": "waits for you",
  paused: "paused",
  interrupted: "interrupted",
  over: "over",
};

export type Standing = {
  readonly state: RunState;
  /** How it ended, or why it rests; null while it works or waits for a usage limit. */
  readonly outcome: Outcome | null;
  /** `Done: 2 of 2 features complete` */
  readonly title: string;
  /** One sentence: how it ended, why it rests, or what it does. */
  readonly why: string;
  /** The next command to run. */
  readonly next: string;
  /** The exit code of the command that drove it. */
  readonly exitCode: number;
};

export function standingOf(run: Run, isDriven: boolean): Standing {
  const state = stateOf(run, isDriven);
  const outcome = outcomeOf(run);
  const left = leftAtGate(run);
  return {
    state,
    outcome,
    title: titleOf({ state, outcome }, featureCount(run)),
    why: whyOf(run, state, outcome),
    next: left === null ? nextOf(state, outcome, run) : itemNext(left, run.contract.recordsDir),
    exitCode: outcome === null ? exitWaiting : exitCode(outcome),
  };
}

export const titleOf = (
  { state, outcome }: Pick<Standing, "state" | "outcome">,
  { done, total }: FeatureCount,
): string => `${headline(state, outcome)}: ${done} of ${count(total, "feature")} complete`;
type FeatureCount = ReturnType<typeof featureCount>;

function stateOf({ now }: Run, isDriven: boolean): RunState {
  switch (now.is) {
    case "stopped":
      return "over";
    case "resting":
      return now.outcome.kind === "paused" ? "paused" : "waits-for-you";
    case "waiting":
      return isDriven ? "running" : "paused";
    default:
      return isDriven ? "running" : "interrupted";
  }
}

function headline(state: RunState, outcome: Outcome | null): string {
  if (state === "interrupted") return "Interrupted";
  if (outcome === null) return state === "paused" ? "Paused" : "Under way";
  return headlines[outcome.kind];
}

const headlines: Readonly<Record<Outcome["kind"], string>> = {
  success: "Done",
  cap: "Resting at a cap",
  breaker: "Stopped by a breaker",
  inbox: "Ended, with something for you",
  followup: "Handed on to a follow-up",
  cancelled: "Cancelled",
  paused: "Paused",
  "needs-person": "Waits for you",
  "head-moved": "Waits for you",
  "too-vague": "Too vague to begin",
  refused: "Could not go on",
};

function whyOf(run: Run, state: RunState, outcome: Outcome | null): string {
  const { now, inbox } = run;
  if (state === "interrupted") return "The process that drove the run is gone. Its work is kept.";
  if (outcome?.kind === "inbox" && inbox.length === 0) return decidedSentence;
  if (outcome !== null) return endSentence(run, outcome);
  return now.is === "waiting" ? `Waits until ${isoTime(now.until)}: ${now.because}` : "The run is under way.";
}

/** The outcome is as the run left it; what waited has been answered since. */
const decidedSentence =
  "Everything that waited for you is decided. The decision is carried out when the run continues.";

function nextOf(state: RunState, outcome: Outcome | null, { inbox, contract }: Run): string {
  if (state === "interrupted") return "loop continue";
  // Going on would only end the same way: what waits for the person comes first.
  if (outcome?.kind === "breaker" && inbox.length > 0) return "loop inbox";
  if (outcome?.kind === "inbox" && inbox.length === 0) return "loop continue";
  if (outcome !== null) return nextCommand(outcome, contract);
  return state === "running" ? "loop watch, loop pause or loop cancel" : "loop continue";
}
