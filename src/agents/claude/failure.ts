// Why a claude session failed, from its last result, its own error message, and its stderr.
import type { Failure, FailureClass, UsedWindow } from "../../core/session.ts";
import type { Exit } from "../agent.ts";
import { type Json, object, string } from "../cli/json.ts";
import { isAboutMoney, readLimit } from "../limits/limits.ts";
import { readEpoch } from "../limits/reset-time.ts";

/** What the reader has collected about a session that failed. */
export type Traces = {
  exit: Exit | null;
  /** Has it printed any event at all? */
  spoke: boolean;
  /** The last result event, if any. */
  result: Json | null;
  /** The error class of claude's own message in place of the model's. */
  apiError: string;
  /** The error it was retrying after when it was interrupted. */
  retrying: Json | null;
  /** When the usage limit that stopped it ends, if given as a number. */
  limitedUntil: number | null;
  limited: boolean;
  refused: boolean;
  stderr: string;
  /** When the last message was printed: a time of day is relative to it. */
  saidAt: number;
  zone: string | undefined;
};

export function failureOf(traces: Traces): Failure {
  const text = textOf(traces);
  const limit = readLimit(text, traces.saidAt, traces.zone);
  if (traces.limited || limit !== null) {
    const retryAt = traces.limitedUntil ?? limit?.retryAt ?? null;
    return { class: "limited", text, retryAt };
  }
  return { class: classOf(traces, text), text, retryAt: null };
}

function classOf(traces: Traces, text: string): FailureClass {
  if (traces.refused) return "refused";
  if (isAboutMoney(text) || traces.apiError === "billing_error") return "billing";
  if (traces.result === null) return withoutResult(traces, text);
  if (
    isFull.has(string(traces.result["terminal_reason"])) ||
    /^(?:prompt is too long|autocompact is thrashing)/i.test(text)
  )
    return "context-full";
  if (traces.result["subtype"] === "error_max_budget_usd") return "no-result";
  return byError[traces.apiError] ?? byStatus(traces.result["api_error_status"]) ?? byText(text) ?? "crashed";
}

/** The second: the context is full again after each compaction. A fresh session does better. */
const isFull: ReadonlySet<string> = new Set(["prompt_too_long", "rapid_refill_breaker"]);

const byError: Readonly<Record<string, FailureClass>> = {
  authentication_failed: "authentication",
  oauth_org_not_allowed: "authentication",
  model_not_found: "misconfigured",
  // A provider's limit per minute passes by itself and soon, unlike a plan's limit.
  rate_limit: "transient",
  server_error: "transient",
  overloaded: "transient",
};

function byStatus(status: unknown): FailureClass | null {
  if (status === 401 || status === 403) return "authentication";
  if (status === 402) return "billing";
  if (status === 404) return "misconfigured";
  if (status === 413) return "context-full";
  if (status === 429 || (typeof status === "number" && status >= 500)) return "transient";
  return null;
}

function byText(text: string): FailureClass | null {
  if (/not logged in|please run \/login|invalid api key|oauth token (?:has )?expired/i.test(text))
    return "authentication";
  if (/request timed out|connection (?:dropped|error|refused)|unable to connect|ECONNRE|overloaded/i.test(text))
    return "transient";
  return null;
}

/** No result: it was killed, or it did not start. */
function withoutResult({ exit, spoke, stderr, retrying }: Traces, text: string): FailureClass {
  if (retrying !== null) return byError[string(retrying["error"])] ?? byStatus(retrying["error_status"]) ?? "transient";
  if (spoke || exit === null || exit.signal !== null || exit.code === 143 || exit.code === 0) return "crashed";
  if (isGone(stderr)) return "crashed";
  // It prints no JSON only if it rejected its arguments.
  return byText(text) ?? (stderr.trim() === "" ? "crashed" : "misconfigured");
}

/** The conversation to resume is missing, or its id is taken: start a new one. */
export const isGone = (text: string): boolean =>
  /no conversation found|session id .{0,60}already in use|no session found/i.test(text);

function textOf({ result, stderr, exit }: Traces): string {
  const said = string(result?.["result"]) || errorsOf(result) || stderr.trim().slice(-1000);
  if (said !== "") return said.slice(0, 2000);
  if (exit === null) return "The agent was gone before it replied.";
  return exit.signal === null
    ? `The agent exited with code ${exit.code} and without output.`
    : `The agent was ended by ${exit.signal}.`;
}

function errorsOf(result: Json | null): string {
  const errors = result?.["errors"];
  const listed = Array.isArray(errors) ? errors.filter((each) => typeof each === "string").join("\n") : "";
  if (listed !== "") return listed;
  const subtype = string(result?.["subtype"]);
  return subtype === "" || subtype === "success" ? "" : subtype.replaceAll("_", " ");
}

const windowNames: Readonly<Record<string, string>> = {
  five_hour: "5-hour",
  seven_day: "weekly",
  seven_day_opus: "weekly Opus",
  seven_day_sonnet: "weekly Sonnet",
};

/** The fullest window that a `rate_limit_event` names; null: it says nothing about how much is used. */
export function readWindow(event: Json): UsedWindow | null {
  const info = object(event["rate_limit_info"]);
  const named = Object.entries({ [string(info["rateLimitType"])]: info, ...object(info["unifiedWindows"]) });
  const windows = named.flatMap(([type, value]): UsedWindow[] => {
    const { utilization, resetsAt } = object(value);
    if (typeof utilization !== "number" || !(utilization >= 0)) return [];
    return [{ name: windowNames[type] ?? "usage", percent: utilization * 100, until: readEpoch(resetsAt) }];
  });
  return windows.sort((one, other) => other.percent - one.percent)[0] ?? null;
}

/** A `rate_limit_event` with a rejection; earlier warnings are not failures. */
export function readRejection(event: Json): { until: number | null } | null {
  const info = (event["rate_limit_info"] ?? event) as Json;
  if (string(info["status"]) !== "rejected") return null;
  return { until: readEpoch(info["resetsAt"]) };
}
