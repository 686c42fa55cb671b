// Of two answers to one gate or question, the first counts. Whoever gave the other one is told.
import { UserError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import type { SignalFact } from "../runtime/ports.ts";
import type { Engine } from "./engine.ts";

type Answer = Extract<SignalFact, { type: "approved" | "rejected" | "answered" }>;

const isAnswer = (fact: SignalFact | RunEvent): fact is Answer & RunEvent =>
  fact.type === "approved" || fact.type === "rejected" || fact.type === "answered";

/** For an answer that was sent after the event `seq`. */
export async function refuseSecond(engine: Engine, run: string, seq: number, fact: SignalFact): Promise<void> {
  if (!isAnswer(fact)) return;
  for await (const item of engine.subscribe(run, seq)) {
    if (item.type === "rest") return;
    if (item.type !== "event" || !isAnswer(item.event) || !isToSame(item.event, fact)) continue;
    const why = otherAnswer(item.event, fact);
    if (why === null) return;
    throw answeredAlready(why);
  }
}

function isToSame(one: Answer, other: Answer): boolean {
  if (one.type === "answered") return other.type === "answered" && one.feature === other.feature;
  return other.type !== "answered" && one.number === other.number;
}

function otherAnswer(first: Answer, own: Answer): string | null {
  if (first.type !== own.type) return `The gate was ${first.type} from elsewhere first.`;
  if (first.type !== "answered" || own.type !== "answered" || first.answer === own.answer) return null;
  return `Another answer came first: ${first.answer.slice(0, 200)}`;
}

export const answeredAlready = (why: string): UserError =>
  new UserError("answered-already", { what: "Nothing was answered.", why, next: "Look at the run: loop status" });
