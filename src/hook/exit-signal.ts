// One half of the dual condition: does the agent itself say that it is done, criterion by criterion?
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
  if (value == null) return { given: false, unticked: criteria, question: null };
  const says = Object.fromEntries(Object.entries(value).map(([key, said]) => [key.toLowerCase(), said]));
  const ticks = ticksOf(says["criteria"]);
  const denied = Object.entries(ticks)
    .filter(([, met]) => !met)
    .map(([name]) => name);
  const silent = criteria.filter((name) => !(name in ticks));
  return {
    given: says["exit_signal"] === true || says["promise"] === "COMPLETE",
    unticked: [...new Set([...criteria.filter((name) => denied.includes(name)), ...silent, ...denied])],
    question: questionIn(says["question"]),
  };
}

/** `true`, or `{"met": true, "verification": …}`; an assumption does not count as met. */
function ticksOf(said: unknown): Record<string, boolean> {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return {};
  return Object.fromEntries(
    Object.entries(said).map(([name, tick]: [string, unknown]) => {
      const { met, verification } = (typeof tick === "object" && tick !== null ? tick : { met: tick }) as {
        met?: unknown;
        verification?: unknown;
      };
      return [name, met === true && verification !== "assumption"];
    }),
  );
}

function questionIn(said: unknown): string | null {
  const text = typeof said === "object" && said !== null && "text" in said ? said.text : said;
  const plain = typeof text === "string" ? text.trim() : "";
  return plain === "" || /^(?:none|null|-)$/i.test(plain) ? null : plain.slice(0, 2000);
}
