// One half of the dual condition: does the agent itself say that it is done, criterion by criterion?
import { isShown, requiredFor, withoutRequired } from "../core/verification.ts";
import { verifications } from "../formats/reply/reply.ts";
import { findStatusBlock } from "../formats/reply/status-block.ts";

export type ExitSignal = {
  readonly given: boolean;
  /** Criteria that it has not ticked, or ticked without looking. */
  readonly unticked: readonly string[];
  /** A question for a person, without whom it cannot continue. */
  readonly question: string | null;
};

export function readExitSignal(message: string, criteria: readonly string[]): ExitSignal {
  const value = findStatusBlock(message)?.value;
  if (value == null) return { given: false, unticked: criteria, question: questionLineIn(message) };
  const says = Object.fromEntries(Object.entries(value).map(([key, said]) => [key.toLowerCase(), said]));
  const ticks = ticksOf(says["criteria"]);
  const names = new Set(criteria.map(withoutRequired));
  const ownDenied = [...ticks]
    .filter(([name, tick]) => !names.has(name) && !isTicked(name, tick))
    .map(([name]) => name);
  return {
    given: says["exit_signal"] === true || says["promise"] === "COMPLETE",
    unticked: [...criteria.filter((name) => !isTicked(name, ticks.get(withoutRequired(name)))), ...ownDenied],
    question: Object.hasOwn(says, "question") ? questionIn(says["question"]) : questionLineIn(message),
  };
}

type Tick = { readonly met?: unknown; readonly verification?: unknown };

/** By the criterion's name: `true`, or `{"met": true, "verification": …}`. */
function ticksOf(said: unknown): ReadonlyMap<string, Tick> {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return new Map();
  return new Map(
    Object.entries(said).map(([name, tick]: [string, unknown]) => [
      withoutRequired(name),
      typeof tick === "object" && tick !== null ? tick : { met: tick },
    ]),
  );
}

/** A criterion that says how it has to be shown is met only in that way; an assumption shows nothing. */
function isTicked(criterion: string, tick: Tick | undefined): boolean {
  if (tick?.met !== true) return false;
  const by = verifications.find((each) => each === tick.verification);
  return by === undefined ? requiredFor(criterion) === null : isShown(criterion, by);
}

/** A line outside of the block, with what follows it up to an empty line or the next block. */
function questionLineIn(message: string): string | null {
  const lines = message.split("\n");
  const at = lines.findIndex((line) => /^\s*(?:\*\*)?QUESTION:/.test(line));
  if (at < 0) return null;
  const end = lines.findIndex((line, index) => index > at && /^\s*(?:$|```|---)/.test(line));
  const text = lines.slice(at, end < 0 ? undefined : end).join("\n");
  return questionIn(text.replace(/^\s*(?:\*\*)?QUESTION:(?:\*\*)?/, ""));
}

function questionIn(said: unknown): string | null {
  const text = typeof said === "object" && said !== null && "text" in said ? said.text : said;
  const plain = typeof text === "string" ? text.trim() : "";
  return plain === "" || /^(?:none|null|-)$/i.test(plain) ? null : plain.slice(0, 2000);
}
