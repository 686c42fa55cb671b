// What a person is asked before a run continues, and why a breaker tripped, in words.
import { unreachable } from "../../core/errors.ts";
import type { Finding } from "../../core/event.ts";
import type { FeatureId } from "../../core/ids.ts";
import type { Became, Need, Trip } from "../../core/need.ts";
import type { AskingFailure } from "../../core/session.ts";
import { isQueueRequest } from "../../formats/queue/queue-request.ts";
import { causeText, firstLine, sessionWords } from "./cause-words.ts";

export function needSentence(need: Need): string {
  switch (need.about) {
    case "contract":
      return `${need.open} ${need.open === 1 ? "feature is" : "features are"} to be built, and nothing has been built yet.`;
    case "plan-disputed":
      return `The verifier of the plan still objects after ${rounds(need.rounds)}:\n${listed(need.against)}`;
    case "hard-to-undo":
      return `This would be hard to take back, and there is something against it:\n${listed(need.against)}`;
    case "contract-rejected":
      return `Not agreed to: ${need.reason}`;
    case "iteration":
      return `Iteration ${need.iteration}: ${need.feature} ${becameWords(need)} Go on?`;
    case "done":
      return `${doneWords(need)}, and every check is green. Is it done?`;
    case "audit-disputed":
      return `The auditor and its verifier do not agree after ${rounds(need.rounds)}:\n${listed(need.against)}`;
    case "agent":
      return `${sessionWords[need.failure]} ${need.text}`;
    case "no-plan":
      return `The planner could not make a plan: ${need.said ?? "it named no feature"}`;
    case "question":
      return need.waiting === 1 ? `A question waits: ${need.question}` : `${need.waiting} questions wait.`;
    case "request-changed":
      return "The request was changed.";
    default:
      return unreachable(need);
  }
}

/** The command that answers it. */
export function needNext(need: Need, request: string): string {
  switch (need.about) {
    case "contract":
    case "plan-disputed":
    case "hard-to-undo":
    case "iteration":
    case "done":
    case "audit-disputed":
      return 'loop approve, or: loop reject --reason "…"';
    case "contract-rejected":
      return 'Change what is asked for: loop continue --intent replace "…"; or give it up: loop cancel';
    case "agent":
      return need.failure === "misconfigured"
        ? `Correct the agent's settings in loop.yaml, then: ${beginAgain(request)}`
        : agentNext[need.failure];
    case "no-plan":
      return "Say more: loop continue --intent append …";
    case "question":
      return answerWith(need.feature);
    case "request-changed":
      return "loop continue";
    default:
      return unreachable(need);
  }
}

export const answerWith = (feature: FeatureId | null): string =>
  `loop answer ${feature === null ? "" : `${feature} `}"…"`;

/** What a run has agreed to stays as it is, so that a new run has to begin. */
export function beginAgain(request: string): string {
  if (isQueueRequest(request)) return "loop cancel && loop run";
  // The text of an issue is no word to type.
  if (request.length > 300 || request.includes("\n")) return "loop cancel, and give the same request again";
  return `loop cancel && loop '${request.replaceAll("'", "'\\''")}'`;
}

const agentNext: Readonly<Record<Exclude<AskingFailure, "misconfigured">, string>> = {
  authentication: "Log in to the agent, then: loop continue",
  billing: "Add credit, or name another agent in loop.yaml, then: loop continue",
};

function becameWords(became: Became): string {
  if (became.became === "proved") return "is proved and committed.";
  if (became.became === "reviewed") return `is reviewed by ${became.by ?? "the checker"} and committed.`;
  const where = became.became === "shelved" ? "is in the inbox" : "is to be done again";
  return became.cause === null ? `${where}.` : `${where}: ${asSentence(firstLine(causeText(became.cause)))}`;
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** `3 features are proved, 1 is reviewed` */
export function doneWords({ proved, reviewed }: { readonly proved: number; readonly reviewed: number }): string {
  const parts = [
    ...(proved === 0 && reviewed > 0 ? [] : [`${proved} ${proved === 1 ? "feature is" : "features are"} proved`]),
    ...(reviewed === 0 ? [] : [`${reviewed} ${reviewed === 1 ? "is" : "are"} reviewed`]),
  ];
  return parts.join(", ");
}

/** Without the name of its class, which says nothing to a person. */
const errorWords = (error: string): string => error.replace(/^[a-z]+(?:-[a-z]+)*: (?=\S)/, "");

export function tripSentence(trip: Trip): string {
  switch (trip.breaker) {
    case "nothing-changed":
      return `Nothing changed in ${trip.times} iterations in a row.`;
    case "same-criteria-unmet":
      return `No further criterion was met ${trip.times} times in a row.`;
    case "same-error":
      return trip.isVaried
        ? `${trip.times} sessions in a row brought no reply, the last one: ${errorWords(trip.error)}`
        : `The same error ${trip.times} times in a row: ${errorWords(trip.error)}`;
    case "still-failing-to-reach":
      return `The agent could not be reached in ${trip.times} tries in a row: ${errorWords(trip.error)}`;
    case "same-file-edited":
      return `One session edited ${trip.path} ${trip.times} times.`;
    case "must-not":
      return causeText(trip.cause);
    case "destructive-action": {
      const more = trip.others === 0 ? "" : ` It tried ${trip.others} more.`;
      return `A session tried this and was refused: ${trip.command}\n${trip.why}${more} Nothing came of it, and its work is kept.`;
    }
    default:
      return unreachable(trip);
  }
}

const rounds = (count: number): string => (count === 1 ? "1 round" : `${count} rounds`);

const listed = (findings: readonly Finding[]): string => findings.map(({ id, text }) => `${id}. ${text}`).join("\n");
