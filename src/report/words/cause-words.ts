// Why an attempt failed, in words: the findings, with the loop's own explanation.
import type { Cause, CauseKind } from "../../core/cause.ts";
import { unreachable } from "../../core/errors.ts";
import type { AskingFailure, FailedSession } from "../../core/session.ts";

/** Never empty: "retrying" without a reason says nothing. */
export function causeText(cause: Cause): string {
  const said = saidOf(cause).trim();
  const label = causeLabel[cause.kind];
  return said === "" ? `${label.charAt(0).toUpperCase()}${label.slice(1)}.` : said;
}

function saidOf({ text, frame }: Cause): string {
  if (frame === undefined) return text;
  switch (frame.is) {
    case "session":
      return `${sessionWords[frame.failure]} ${text}`;
    case "nothing-changed":
      return "The agent said it was done, and nothing had changed.";
    case "rejected":
      return `A person rejected it: ${text}`;
    case "cancelled":
      return "The run was cancelled before it was proved.";
    case "replaced":
      return "The request was replaced before it was proved.";
    case "unproved":
      return `It is not proved: ${text || nothingShows}`;
    case "must-not":
      return `A must-not became true: ${frame.broken}\n${text}`;
    case "verdict":
      return [text, ...frame.unmet.map((criterion) => `Not met: ${criterion}`)]
        .filter((line) => line !== "")
        .join("\n");
    case "regression":
      return `A regression. ${text}`;
    case "rewrote":
      return frame.isAgainst
        ? `Protected tests were rewritten: ${frame.tests.join(", ")}`
        : `The change rewrote protected files, and that is the only objection: ${frame.tests.join(", ")}`;
    case "asks":
      return `It needs to change protected tests: ${frame.tests.join(", ")}. ${text}`.trim();
    case "refused":
      return `These tests must stay as they are: ${text} (${frame.tests.join(", ")})`;
    case "allowed":
      return `${frame.by} allowed these tests to change: ${frame.tests.join(", ")}. Continue with the feature.`;
    case "conflict":
      return `${frame.by ?? "A person"} accepted it, but the same lines have changed since: ${frame.files.join(", ")}`;
    default:
      return unreachable(frame);
  }
}

export const nothingShows = "Nothing shows that it does what was asked.";

export const sessionWords: Readonly<Record<FailedSession | AskingFailure, string>> = {
  authentication: "The agent is not logged in.",
  billing: "The agent's account has no credit left.",
  refused: "The model refused.",
  misconfigured: "The agent does not accept its configuration.",
  crashed: "The session crashed.",
  "timed-out": "The session ran out of time.",
  silent: "The session made no progress.",
  "no-result": "The session ended without a reply that counts.",
};

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
  conflict: "the code has changed since, and the work no longer applies",
  cancelled: "the run was cancelled",
  replaced: "the request was replaced",
};

/** The root cause in one line: a verifier's own words where it gave them, and the tests that a regression breaks. */
export function rootOf(cause: Cause): string {
  const { frame } = cause;
  if (frame?.is === "verdict" && frame.rootCause !== undefined) return frame.rootCause.replace(/\s+/g, " ").trim();
  if (frame?.is === "regression" && frame.tests.length > 0) return `a regression: ${frame.tests.join(", ")}`;
  return firstLine(causeText(cause));
}

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

/** The first line of a cause, without the label that is shown before it. */
export function lineAfterLabel({ label, text }: { readonly label: string; readonly text: string }): string {
  const [first = ""] = text.split("\n");
  const start = `${label}: `;
  return first.toLowerCase().startsWith(start.toLowerCase()) ? first.slice(start.length) : first;
}
