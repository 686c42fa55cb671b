// Of two answers to one gate, one question or one piece of held work, the first counts, and the other is refused.
import { UserError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import type { SignalFact } from "../runtime/ports.ts";
import type { Engine } from "./engine.ts";

/** In the past tense, for people. */
const words = {
  approved: "approved",
  rejected: "rejected",
  answered: "answered",
  accepted: "accepted",
  allowed: "allowed",
  "turned-down": "rejected",
} as const;
type Answer = Extract<SignalFact, { type: keyof typeof words }>;

const isAnswer = (fact: SignalFact | RunEvent): fact is Answer & RunEvent => Object.hasOwn(words, fact.type);

/** For an answer that was sent after the event `seq`. */
export async function refuseSecond(
  engine: Pick<Engine, "subscribe">,
  run: string,
  seq: number,
  fact: SignalFact,
): Promise<void> {
  if (!isAnswer(fact)) return;
  for await (const item of engine.subscribe(run, seq)) {
    if (item.type === "rest") return;
    if (item.type !== "event" || !isAnswer(item.event) || subjectOf(item.event) !== subjectOf(fact)) continue;
    const why = otherAnswer(item.event, fact);
    if (why === null) return;
    throw answeredAlready(why);
  }
}

/** What an answer is about. */
function subjectOf(answer: Answer): string {
  if ("number" in answer) return `gate ${answer.number}`;
  return "tree" in answer ? `held ${answer.feature} ${answer.tree}` : `question ${answer.feature}`;
}

function otherAnswer(first: Answer, own: Answer): string | null {
  if (first.type !== own.type) {
    const what = "number" in first ? "The gate" : `The work on ${first.feature}`;
    return `${what} was ${words[first.type]} from elsewhere first.`;
  }
  if (first.type !== "answered" || own.type !== "answered" || first.answer === own.answer) return null;
  return `Another answer came first: ${first.answer.slice(0, 200)}`;
}

export const answeredAlready = (why: string): UserError =>
  new UserError("answered-already", { what: "Nothing was answered.", why, next: "Look at the run: loop status" });
