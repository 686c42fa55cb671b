// What waits for a person, in words: what it is, its root cause, and what to do next. Each kind has all three.
import type { FeatureId } from "../../core/ids.ts";
import { progressIn } from "../../core/progresses.ts";
import type { CauseKind, InboxItem, Run } from "../../core/run.ts";
import { isDone } from "../../core/select.ts";

export type InboxWords = {
  readonly about: string;
  readonly kind: InboxItem["kind"];
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
    what: item.text.trim() || "Nothing was said.",
    rootCause: rootCause(run, item),
    supposition: item.supposition?.trim() || null,
    next: item.next.trim() || "loop continue",
  }));

/** One line each, for a list in somebody's file. The next step is never what is cut off. */
export const inboxLines = (run: Run): string[] =>
  inboxWords(run).map(
    ({ about, what, rootCause: why, next }) =>
      `${about}: ${oneLine(what, 200)} Root cause: ${oneLine(why, 110)} Next: ${oneLine(next, 130)}`,
  );

function rootCause(run: Run, { kind, feature, text }: InboxItem): string {
  const cause = feature === null ? null : (progressIn(run.progress, feature)?.lastCause ?? null);
  if (kind === "question") return "The request and the criteria leave it open, and only you can decide it.";
  if (kind === "unproved") return "The loop's own runs do not show that it does what was asked.";
  if (kind === "contradiction")
    return "Old tests say one thing and the new ones another, and only you know which is meant.";
  if (kind === "permission") return "The feature cannot be built while these tests stay as they are, says its builder.";
  if (kind === "gap") return "The request asks for it, and the audit did not find it.";
  if (kind === "check-red") return "The checks that have to be green in the end are not.";
  if (kind === "blocked" && feature !== null) {
    const needed = run.contract.features.find(({ id }) => id === feature)?.dependencies ?? [];
    const missing = needed.filter((id) => !isDone(run, id));
    if (missing.length > 0) return missing.map((id) => `${id}: ${causeWords(run, id)}`).join("; ");
  }
  if (cause === null) return "It was like this before the run began.";
  // What the text has said already is not said again.
  const first = firstLine(cause.text);
  return text.includes(first) ? `${causeLabel[cause.kind]}.` : `${causeLabel[cause.kind]} (${first})`;
}

function causeWords(run: Run, id: string): string {
  const cause = progressIn(run.progress, id as FeatureId)?.lastCause ?? null;
  return cause === null ? "not begun" : causeLabel[cause.kind];
}

export const causeLabel: Readonly<Record<CauseKind, string>> = {
  "nothing-changed": "the agent changed nothing",
  session: "the session brought no reply",
  "check-red": "a check is red",
  flaky: "a check is flaky",
  tampering: "a protected file was changed",
  scope: "it went out of scope",
  secret: "it holds a secret",
  "must-not": "a must-not became true",
  misdeed: "the agent overstepped",
  verdict: "the evaluator did not pass it",
  blocked: "the agent says it is blocked",
  rejected: "a person rejected it",
  unproved: "it is not proved",
  permission: "it needs a protected test to change",
  conflict: "it does not fit what is there by now",
};

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 300) ?? "";
const oneLine = (text: string, charactersMax: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1)}…` : line;
};
