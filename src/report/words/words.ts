// Numbers, times and endings in words, for files and the screen alike.
import type { Contract, Feature, GateName } from "../../core/contract.ts";
import { unreachable } from "../../core/errors.ts";
import { capped } from "../../core/limits.ts";
import type { Cap, Outcome } from "../../core/outcome.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Progress, Run, Spend } from "../../core/run.ts";
import { isFinished } from "../../core/tally.ts";
import { shortLine } from "../../formats/text/shortened.ts";
import { needNext, needSentence, tripSentence } from "./need-words.ts";

export const isoTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
export const isoDay = (at: number): string => isoTime(at).slice(0, 10);

export function money(costUsd: number, estimated = false): string {
  const digits = costUsd > 0 && costUsd < 0.995 ? (costUsd < 0.01 ? 4 : 3) : 2;
  return `${estimated ? "~" : ""}$${costUsd.toFixed(digits)}`;
}
export const cost = (spent: Spend): string => money(spent.costUsd, spent.estimated);

/** Checks have a separate limit, so their time is shown separately. */
export const timeSpent = ({ activeMs, checkMs }: Pick<Spend, "activeMs" | "checkMs">): string =>
  `${duration(activeMs)} of work, ${duration(checkMs)} of checks`;

export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whole ones, except below a minute: 0.5 is more than nothing. */
export const wholeMinutes = (ms: number): number =>
  ms < 60_000 ? Math.round(Math.max(0, ms) / 6000) / 10 : Math.round(ms / 60_000);

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** One sentence for how a run ended or why it rests. */
export function outcomeSentence(outcome: Outcome): string {
  switch (outcome.kind) {
    case "success":
      return "The contract is met: every feature is proved or reviewed.";
    case "refused":
      return outcome.why;
    case "cap":
      if (outcome.price !== undefined)
        return `A session costs ${money(outcome.price)}, and ${money(outcome.used)} of the cost cap of ${money(outcome.allowed)} is spent.`;
      return `The ${outcome.cap} cap is reached (${capNumber(outcome.cap, outcome.used)} of ${capNumber(outcome.cap, outcome.allowed)}).`;
    case "head-moved":
      return outcome.why ?? "A commit was made between two attempts at one feature.";
    case "breaker":
      return tripSentence(outcome);
    case "too-vague":
      return `The request does not say: ${outcome.missing.join(", ")}.`;
    case "needs-person":
      return needSentence(outcome.need);
    case "inbox":
      return outcome.features.length === 0
        ? "Something is left in the inbox."
        : `Left for you in the inbox: ${outcome.features.join(", ")}.`;
    case "followup":
      return `Every feature is done, and the audit found ${count(outcome.gaps, "missing requirement")}.`;
    case "cancelled":
      return "The run was cancelled.";
    case "paused":
      return outcome.by === "person" ? "The run was paused." : "The run was interrupted, and rests where it was.";
    default:
      return unreachable(outcome);
  }
}

/** The same of a run: the gaps may be what a person rejected, without an audit. */
export function endSentence({ audit }: Pick<Run, "audit">, outcome: Outcome): string {
  const said = outcome.kind === "followup" ? rejections(audit) : [];
  if (said.length === 0) return outcomeSentence(outcome);
  return `You rejected the result: ${shortLine(said.join("; "), 200)}`;
}

/** What a person rejected the result for. */
export const rejections = (audit: Run["audit"]): readonly string[] =>
  (audit?.gaps ?? []).flatMap(({ by, text }) => (by === "person" ? [text] : []));

/** The class of an ending in the stop contract, as the harness's files name it. */
export function stopClass(outcome: Outcome): string {
  switch (outcome.kind) {
    case "success":
      return "SUCCESS";
    case "cap":
      return `HARD KILL (${outcome.cap})`;
    case "breaker":
      return `HARD KILL (${outcome.breaker.replaceAll("-", " ")})`;
    case "cancelled":
    case "paused":
      return outcome.kind.toUpperCase();
    case "refused":
    case "head-moved":
    case "too-vague":
    case "needs-person":
    case "inbox":
      return "ESCALATED";
    case "followup":
      return "FOLLOW-UP";
    default:
      return unreachable(outcome);
  }
}

function capNumber(cap: string, value: number): string {
  if (cap === "cost") return money(value);
  return cap === "minutes" || cap === "check-minutes" ? `${value} min` : String(value);
}

/** The next command to run. */
/** Below .loop, the queue is a run's own: its features come from a request. */
export const hasQueue = (recordsDir: string): boolean => !recordsDir.startsWith(".loop/");

/** After a run that is over. */
export const nextWork = (recordsDir: string): string =>
  hasQueue(recordsDir) ? "loop run" : 'loop "what should be done"';

export function nextCommand(outcome: Outcome, contract: Pick<Contract, "recordsDir" | "request">): string {
  switch (outcome.kind) {
    case "success":
      return "loop report";
    case "cap":
      return `loop continue ${raised(outcome.cap, enough(outcome))}`;
    case "refused":
      return outcome.next;
    case "head-moved":
      return "Look at the new commit; when the tree is as you want it: loop continue";
    case "needs-person":
      return needNext(outcome.need, contract.request);
    case "inbox":
      return "loop inbox";
    case "cancelled":
      return nextWork(contract.recordsDir);
    case "breaker":
      // The same sessions again would be paid for again.
      return outcome.breaker === "same-error" ? "loop logs shows what failed; then: loop continue" : "loop continue";
    default:
      return "loop continue";
  }
}

/** Twice the cap, or what the next session needs; in any case more than what is used. */
function enough({ allowed, used, price = 0 }: { allowed: number; used: number; price?: number }): number {
  const to = Math.max(allowed * 2, used + price);
  return to > used ? to : used + allowed;
}

function raised(cap: Cap, to: number): string {
  const { flag } = capped.find(({ name }) => name === cap) ?? { flag: cap };
  return `--${flag} ${Math.max(1, Math.ceil(to))}`;
}

/**
 * SHIP: the run is done, or only waits for a person to call it that, and everything in it is proved, or reviewed by a
 * person. MONITOR: the same, and something in it was only read by the checker, or assumed. RESEARCH: anything else.
 */
export type Verdict = "SHIP" | "MONITOR" | "RESEARCH";
export const verdictMeaning = {
  SHIP: "every feature is proved by the loop's own runs and an independent verdict, or reviewed by the one it names",
  MONITOR:
    "everything is there; something in it that no run shows was only read by the checker, or assumed and accepted by a person",
  RESEARCH: "not everything that was asked for is there and proved",
} as const;
export function outcomeOf({ now }: Run): Outcome | null {
  return now.is === "resting" || now.is === "stopped" || now.is === "filing" ? now.outcome : null;
}

/** This run is about it. What was complete before is only in the contract to be depended on. */
const isOfRun = (each: Progress): boolean => !isFinished(each) || each.attempts > 0 || each.commit !== null;

export function featureCount({ progress: { all } }: Run): { done: number; total: number } {
  const ours = all.filter(isOfRun);
  return { done: ours.filter(isFinished).length, total: ours.length };
}

/** The features that this run is about. */
export const featuresOf = ({ contract, progress }: Run): readonly Feature[] =>
  contract.features.filter(({ id }) => {
    const of = progressIn(progress, id);
    return of === undefined || isOfRun(of);
  });

/** When a gate asks, in the words of a person. */
export const whenAsked: Readonly<Record<GateName, string>> = {
  G1: "before building",
  G2: "after each iteration",
  G3: "before it is called done",
};
