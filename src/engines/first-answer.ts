// Of two answers to one gate, one question or one piece of held work, the first counts, and the other is refused.
import { UserError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { SignalFact } from "../runtime/ports.ts";
import type { Engine, Receipt } from "./engine.ts";

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

/** For an answer that was sent after the event `seq`. One that is not taken yet is compared with what came until now. */
export async function refuseSecond(
  engine: Pick<Engine, "subscribe" | "read">,
  run: string,
  seq: number,
  fact: SignalFact,
  { taken, ahead = [] }: Pick<Receipt, "taken" | "ahead">,
): Promise<void> {
  if (!isAnswer(fact)) return;
  const isSame = (other: SignalFact | RunEvent): other is Answer & RunEvent =>
    isAnswer(other) && subjectOf(other) === subjectOf(fact);
  const first = (await recordedAnswer(engine, run, seq, taken, isSame)) ?? (taken ? undefined : ahead.find(isSame));
  const why = first === undefined ? null : otherAnswer(first, fact);
  if (why !== null) throw answeredAlready(why);
}

/** The first such answer since the event `seq`. If it is not `expected`, only what is recorded now is looked at. */
async function recordedAnswer(
  engine: Pick<Engine, "subscribe" | "read">,
  run: string,
  seq: number,
  expected: boolean,
  isSame: (event: RunEvent) => event is Answer & RunEvent,
): Promise<Answer | undefined> {
  const last = expected ? Number.POSITIVE_INFINITY : (await engine.read(run)).seq;
  for await (const item of engine.subscribe(run, seq)) {
    if (item.type === "rest") return undefined;
    if (item.type === "event" && isSame(item.event)) return item.event;
    if (item.type !== "sign" && item.seq >= last) return undefined;
  }
  return undefined;
}

/** What an answer is about. */
function subjectOf(answer: Answer): string {
  return subjectId(
    "type" in answer && answer.type === "answered" ? { ...answer, question: answer.question ?? "" } : answer,
  );
}

/** A gate or held work, as an answer names it. */
export type Shown =
  | { readonly gate: string; readonly number: number; readonly tree: string }
  | { readonly feature: string; readonly tree: string };
/** A question by its text as it was recorded. */
type Asked = { readonly feature: string | null; readonly question: string };

/** The id of what is asked: the same however its text is displayed. */
export function subjectId(shown: Shown | Asked): string {
  if ("gate" in shown) return sha256(`gate ${shown.gate} ${shown.number} ${shown.tree}`).slice(0, 32);
  if ("tree" in shown) return sha256(`held ${shown.feature} ${shown.tree}`).slice(0, 32);
  return sha256(`question ${shown.feature} ${shown.question}`).slice(0, 32);
}

/** The answer on record about what was shown, by its id, for people; null: there is none. */
export async function answerOnRecord(
  engine: Pick<Engine, "subscribe" | "read">,
  run: string,
  subject: string,
): Promise<string | null> {
  const { decisions } = (await engine.read(run)).story.run;
  // An agent can ask the same again: the last answer is the one that was just given.
  const decision = decisions.findLast((each) => subjectId(each) === subject);
  if (decision !== undefined) return anotherFirst(decision.answer);
  const isSame = (event: RunEvent): event is Answer & RunEvent => isAnswer(event) && subjectOf(event) === subject;
  const first = await recordedAnswer(engine, run, 0, false, isSame);
  return first === undefined ? null : wordsFor(first);
}

function otherAnswer(first: Answer, own: Answer): string | null {
  if (first.type !== own.type) return wordsFor(first);
  if (first.type !== "answered" || own.type !== "answered" || first.answer === own.answer) return null;
  return wordsFor(first);
}

function wordsFor(first: Answer): string {
  if (first.type === "answered") return anotherFirst(first.answer);
  const what = "number" in first ? "The gate" : `The work on ${first.feature}`;
  const reason = "reason" in first ? `: ${first.reason.slice(0, 200)}` : ".";
  return `${what} was ${words[first.type]} from elsewhere first${reason}`;
}

const anotherFirst = (answer: string): string => `Another answer came first: ${answer.slice(0, 200)}`;

export const answeredAlready = (why: string): UserError =>
  new UserError("answered-already", { what: "Nothing was answered.", why, next: "Look at the run: loop status" });

/** Whether a run was not resumed because the sender of another answer has resumed it. */
export const isDrivenElsewhere = async (engine: Engine, run: string, error: unknown): Promise<boolean> =>
  error instanceof UserError && error.code === "workspace-locked" && (await engine.read(run)).isDriven;
