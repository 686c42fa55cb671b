// What waits for a person, in words: a description, its root cause, and the next step. Each kind has all three.

import { assumedKey } from "../../core/cause.ts";
import { unreachable } from "../../core/errors.ts";
import type { FeatureId } from "../../core/ids.ts";
import type { InboxItem, Obstacle, Refused, TriedEnough } from "../../core/inbox.ts";
import { progressIn } from "../../core/progresses.ts";
import type { HeldWhy, Run } from "../../core/run.ts";
import { isDone } from "../../core/select.ts";
import { shortLine } from "../../formats/text/shortened.ts";
import { causeLabel, causeText, nothingShows, rootOf } from "./cause-words.ts";
import { answerWith } from "./need-words.ts";
import { count, hasQueue } from "./words.ts";

export type InboxWords = {
  readonly about: string;
  /** `rest`: the whole run rests, and can be resumed. */
  readonly kind: InboxItem["kind"] | "gate" | "landing" | "rest";
  readonly what: string;
  readonly rootCause: string;
  /** What the agent would do without an answer. */
  readonly supposition: string | null;
  readonly next: string;
};

export const inboxWords = (run: Run): InboxWords[] =>
  run.inbox.map((item) => ({
    about: item.feature ?? "run",
    kind: item.kind,
    what: itemText(item).trim() || "The agent gave no text.",
    rootCause: rootCause(run, item),
    supposition: item.kind === "question" ? item.supposition.trim() || null : null,
    next: itemNext(item, run.contract.recordsDir),
  }));

/** Limits lists of tests and reasons; the words of a person or an agent are kept whole. */
const textMax = 4000;

export function itemText(item: InboxItem): string {
  switch (item.kind) {
    case "question":
      return item.question;
    case "blocked":
      return obstacleText(item.by);
    case "failed":
      return [overText(item.over), causeText(item.cause)].filter((text) => text !== "").join(" ");
    case "check-red":
      return `Every feature is complete, and the check ${item.check} is still red.`;
    case "gap":
      return [`${item.gap.id}: asked for, and not there: ${item.gap.text}`, ...item.gap.evidence].join("\n");
    case "unproved":
    case "contradiction":
    case "permission":
      return (item.refused === undefined ? heldText(item) : refusedText(item.refused)).slice(0, textMax);
    default:
      return unreachable(item);
  }
}

function obstacleText(by: Obstacle): string {
  switch (by.is) {
    case "dependencies":
      return `It needs ${by.missing.join(", ")}, not done yet.`;
    case "blocked-before":
      return "It was blocked before this run began.";
    case "no-work":
      return "No feature is left to work on, and this run has done none.";
    case "rejected":
      return `${by.by} rejected the work on it and gave no reason.`;
    default:
      return unreachable(by);
  }
}

function overText(over: TriedEnough): string {
  if (over.is === "attempts") return `Not done after ${count(over.attempts, "attempt")}.`;
  return overWords[over.is];
}

const overWords: Readonly<Record<Exclude<TriedEnough["is"], "attempts">, string>> = {
  // Its cause says that it became true, and which one.
  "must-not": "",
  "same-cause": "The same root cause twice.",
  regression: "Tests that passed before are broken, and another attempt did not fix them.",
  scope: "It left the scope twice.",
  blocked: "Its builder is blocked.",
};

type HeldItem = Extract<InboxItem, { kind: HeldWhy }>;

function heldText({ kind, tests, missing }: HeldItem): string {
  if (kind === "unproved")
    return ["It could not be proved. What is missing:", ...(missing.length === 0 ? [nothingShows] : missing)].join(
      "\n",
    );
  if (kind === "permission") return ["Its builder asks to change protected tests:", ...tests, ...missing].join("\n");
  if (missing.length === 0)
    return ["It rewrote protected files, and everything else about it holds:", ...tests].join("\n");
  return ["It rewrote protected files:", ...tests, "And there is more to look at:", ...missing].join("\n");
}

const refusedText = ({ decided, cause }: Refused): string =>
  `${decided.by} accepted it, but the checks fail: ${causeText(cause)}`;

export function itemNext(item: InboxItem, recordsDir: string): string {
  switch (item.kind) {
    case "question":
      return answerWith(item.feature);
    case "blocked":
      return obstacleNext(item.by, recordsDir);
    case "failed":
      return failedNext(item.over, recordsDir);
    case "check-red":
      return hasQueue(recordsDir)
        ? "Add a feature for what is missing, then: loop continue"
        : 'Say what is missing: loop continue --intent append "…"';
    case "gap":
      return 'If you want it, request it: loop "…"';
    case "unproved":
    case "contradiction":
    case "permission":
      return heldNext(item);
    default:
      return unreachable(item);
  }
}

function obstacleNext({ is }: Obstacle, recordsDir: string): string {
  switch (is) {
    case "dependencies":
      return "Finish what it needs, then: loop continue";
    case "blocked-before":
      return "When nothing is in its way any more: loop continue";
    case "no-work":
      return hasQueue(recordsDir)
        ? `Add a feature to ${recordsDir}/FEATURES.json, then: loop continue. To end the run: loop cancel`
        : 'Say more: loop continue --intent append "…". To end the run: loop cancel';
    case "rejected":
      return hasQueue(recordsDir)
        ? `Change its description or criteria in ${recordsDir}/FEATURES.json, then: loop continue`
        : 'Ask for it differently: loop continue --intent replace "…"';
    default:
      return unreachable(is);
  }
}

function failedNext({ is }: TriedEnough, recordsDir: string): string {
  const first = is === "blocked" ? "Remove what is in its way" : "Read the reason";
  return hasQueue(recordsDir)
    ? `${first}, correct the feature in ${recordsDir}/FEATURES.json if it is wrong, then: loop continue`
    : `${first}, then: loop continue. To ask for it differently: loop continue --intent replace "…"`;
}

function heldNext({ kind, feature, refused }: HeldItem): string {
  const reject = `loop reject ${feature} --reason "…"`;
  if (refused === undefined) return `loop ${kind === "unproved" ? "accept" : "allow"} ${feature}, or: ${reject}`;
  return `${reject}, or correct what is in its way and take it again: loop ${refused.decided.how} ${feature}`;
}

/** One line each, for a list in a file that a person owns. The next step is never cut off. */
export const inboxLine = ({ about, what, rootCause: why, next }: Omit<InboxWords, "kind" | "supposition">): string =>
  `${about}: ${shortLine(what, 200)} Root cause: ${shortLine(why, 110)} Next: ${shortLine(next, 130)}`;

function rootCause(run: Run, item: InboxItem): string {
  const { kind, feature } = item;
  const cause = feature === null ? null : (progressIn(run.progress, feature)?.lastCause ?? null);
  if (kind === "question") return "The request and the criteria leave it open, and only you can decide it.";
  if (kind === "unproved" && cause?.key === assumedKey)
    return "Its contract leaves this to be assumed, and only you can accept that.";
  if (kind === "unproved") return "The loop's own runs do not show that it does what was asked.";
  if (item.kind === "contradiction") return contradictionCause(item.tests);
  if (kind === "permission") return "The feature cannot be built while these tests stay as they are, says its builder.";
  if (kind === "gap") return "The request asks for it, and the audit did not find it.";
  if (kind === "check-red") return "The checks that have to be green in the end are not.";
  if (kind === "blocked" && feature !== null) {
    const needed = run.contract.features.find(({ id }) => id === feature)?.dependencies ?? [];
    const missing = needed.filter((id) => !isDone(run, id));
    if (missing.length > 0) return missing.map((id) => `${id}: ${causeWords(run, id)}`).join("; ");
  }
  if (cause === null) return "It was like this before the run began.";
  // Do not repeat what the text already says.
  const first = rootOf(cause).slice(0, 300);
  return itemText(item).includes(first) ? `${causeLabel[cause.kind]}.` : `${causeLabel[cause.kind]} (${first})`;
}

/** Tests have names; any other rewritten file is one that tests run with or compare with. */
const contradictionCause = (tests: readonly string[]): string =>
  tests.some((test) => test.includes(" > "))
    ? "Old tests say one thing and the new ones another, and only you know which is meant."
    : "The change rewrites how it is judged: how a check is run, its configuration, or what tests compare with.";

function causeWords(run: Run, id: string): string {
  const cause = progressIn(run.progress, id as FeatureId)?.lastCause ?? null;
  return cause === null ? "not begun" : causeLabel[cause.kind];
}
