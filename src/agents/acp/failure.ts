// Why a session with an ACP agent failed: by the protocol's codes, by known agents' wordings, and by the text.
import type { Failure, FailureClass } from "../../core/session.ts";
import { type Json, string } from "../cli/json.ts";
import { isAboutMoney, readLimit } from "../limits/limits.ts";
import { readEpoch } from "../limits/reset-time.ts";

const authRequired = -32000;

// The kinds in the error data of claude's adapter.
const byKind: Readonly<Record<string, FailureClass>> = {
  authentication_failed: "authentication",
  oauth_org_not_allowed: "authentication",
  billing_error: "billing",
  model_not_found: "misconfigured",
  rate_limit: "transient",
  server_error: "transient",
  overloaded: "transient",
};

const wordings: readonly [pattern: RegExp, is: FailureClass][] = [
  [/prompt is too long|context window|context_length_exceeded|input exceeds/i, "context-full"],
  [
    /\b40[13]\b|unauthori[sz]ed|not logged in|please run \/login|api key|authentication|log ?in again/i,
    "authentication",
  ],
  [/content_filter|flagged|usage polic|refus(?:al|ed to)/i, "refused"],
  [/\b404\b|model_not_found|model .{0,80}(?:does not exist|not supported|not found)|invalid params/i, "misconfigured"],
  [/rate.?limit|\b429\b|\b5\d\d\b|overloaded|at capacity|high demand|internal server error/i, "transient"],
  [/timed? ?out|connection|network|ECONN|disconnected|reconnecting/i, "transient"],
];

/** `said` is the bridge's last event, if any. */
export function failureOf(said: Json, saidAt: number, zone: string | undefined): Failure {
  const text = string(said["text"]) || "The agent failed without output.";
  const limit = readLimit(text, saidAt, zone);
  const until = readEpoch(said["limit"]);
  if (limit !== null || until !== null) return { class: "limited", text, retryAt: until ?? limit?.retryAt ?? null };
  return { class: classOf(said, text), text, retryAt: null };
}

function classOf(said: Json, text: string): FailureClass {
  if (said["class"] === "misconfigured" || said["misconfigured"] === true) return "misconfigured";
  if (said["gone"] === true || said["lost"] === true) return "crashed";
  if (said["code"] === authRequired) return "authentication";
  if (isAboutMoney(text)) return "billing";
  return byKind[string(said["kind"])] ?? wordings.find(([pattern]) => pattern.test(text))?.[1] ?? "crashed";
}

/** A turn that ended, but not as wanted. */
export function failureByStop(stop: string): Failure | null {
  const known: Readonly<Record<string, [FailureClass, string]>> = {
    refusal: ["refused", "The model refused to go on."],
    max_tokens: ["crashed", "The answer was cut off: it had grown too long."],
    max_turn_requests: ["no-result", "It stopped at its own limit of steps."],
    cancelled: ["crashed", "The turn was cancelled."],
  };
  const found = known[stop];
  return found === undefined ? null : { class: found[0], text: found[1], retryAt: null };
}
