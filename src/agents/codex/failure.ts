// Why a codex session failed. Codex only reports sentences, so they are matched.
import type { Failure, FailureClass } from "../../core/session.ts";
import type { Exit } from "../agent.ts";
import { parsed, string } from "../cli/json.ts";
import { isAboutMoney, readLimit } from "../limits/limits.ts";
import { readRetryTime } from "../limits/reset-time.ts";

export type Traces = {
  exit: Exit | null;
  /** Has it printed any event at all? */
  spoke: boolean;
  /** The text of `turn.failed`, or null when the turn did not end. */
  failed: string | null;
  /** The last error before the end, usually a retry. */
  lastError: string;
  stderr: string;
  saidAt: number;
  zone: string | undefined;
};

export function failureOf(traces: Traces): Failure {
  const text = textOf(traces);
  const limit = readLimit(text, traces.saidAt, traces.zone);
  if (limit !== null) return { class: "limited", text, retryAt: limit.retryAt };
  const found = classOf(traces, text);
  const retryAt = found === "transient" ? readRetryTime(text, traces.saidAt, traces.zone) : null;
  return { class: found, text, retryAt };
}

const wordings: readonly [pattern: RegExp, is: FailureClass][] = [
  [/context window|ran out of room|context_length_exceeded|input exceeds/i, "context-full"],
  [
    /\b40[13]\b (?:unauthorized|forbidden)|not logged in|log ?in again|refresh(?:ed)? token|token could not be refreshed/i,
    "authentication",
  ],
  [/missing environment variable|invalid api key|incorrect api key/i, "authentication"],
  [/content_filter|flagged|usage policies|safety|cyber_policy|invalid_prompt/i, "refused"],
  [/\b404\b not found|model_not_found|model .{0,80}(?:does not exist|not supported)/i, "misconfigured"],
  [/error loading config|unknown feature|unexpected argument|invalid value/i, "misconfigured"],
  [/rate limit|last status: 429|\b429\b too many/i, "transient"],
  [/unexpected status 5\d\d|last status: 5\d\d|high demand|at capacity|overloaded|internal server error/i, "transient"],
  [
    /stream (?:disconnected|closed|error)|reconnecting|waiting for network|timed? ?out|error sending request/i,
    "transient",
  ],
  [/connection (?:refused|reset|closed|failed)|network error|idle timeout/i, "transient"],
];

function classOf(traces: Traces, text: string): FailureClass {
  if (isAboutMoney(text)) return "billing";
  const known = wordings.find(([pattern]) => pattern.test(text))?.[1];
  if (known !== undefined) return known;
  const { exit, spoke, stderr } = traces;
  const refusedToBegin = !spoke && exit !== null && exit.signal === null && exit.code !== 0;
  return refusedToBegin && !isGone(stderr) && stderr.trim() !== "" ? "misconfigured" : "crashed";
}

/** The thread to resume is missing: start a new one. */
export const isGone = (text: string): boolean =>
  /no (?:rollout|saved session|conversation|thread|session).{0,40}found|(?:thread|session).{0,60}not found/i.test(text);

function textOf({ exit, failed, lastError, spoke, stderr }: Traces): string {
  const said = failed ?? (lastError || (spoke ? "" : lastWords(stderr)));
  if (said !== "") return unwrapped(said).slice(0, 2000);
  if (exit === null) return "The agent was gone before it replied.";
  return exit.signal === null
    ? `The agent exited with code ${exit.code} before it replied.`
    : `The agent was ended by ${exit.signal}.`;
}

const lastWords = (stderr: string): string => stderr.replace("Reading prompt from stdin...", "").trim().slice(-1000);

/** Some errors are the provider's response body as text, which need not be JSON. */
function unwrapped(text: string): string {
  const found = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text);
  if (!text.trimStart().startsWith("{") || found?.[1] === undefined) return text;
  return string(parsed(found[1])) || found[1].slice(1, -1);
}
