// The lines of run, watch and logs: an object each, as things happen.
import { z } from "zod";
import type { Sign } from "../../agents/agent.ts";
import type { RunEvent } from "../../core/event.ts";
import type { UsedWindow } from "../../core/session.ts";
import type { Item, OutputLine, SessionInfo } from "../../engines/engine.ts";
import { type Beside, overview } from "../../report/overview.ts";
import { list, time } from "./parts.ts";
import { role, run, runFacts } from "./run-shape.ts";

/** Every event of a run, and what it says. */
export const eventWords: Readonly<Record<RunEvent["type"], string>> = {
  begun: "The run has begun.",
  prepared: "The workspace was inspected, and every check has run once.",
  refused: "The run cannot begin; why, and what to do.",
  observed: "The work queue was read; its features if a person changed them.",
  checkpointed: "The folder was saved.",
  "session-reserved": "A session may start.",
  "session-ended": "A session has ended: its reply or failure, and what it used.",
  collected: "The work of a session was collected.",
  proved: "The prover has judged it.",
  committed: "The feature is committed.",
  "head-moved": "A commit appeared that the loop did not make.",
  "rolled-back": "The folder was restored.",
  held: "The work waits for a person's decision.",
  released: "Branches of held work that no longer waits were removed.",
  "taken-up": "Held work that a person accepted was merged.",
  closed: "Every check has run on the final tree.",
  filed: "The records are committed.",
  woke: "A wait is over.",
  cut: "A pause or cancel cut the effect in flight short.",
  noted: "Something that the report mentions.",
  "pause-requested": "A person, or a signal, pauses the run.",
  "cancel-requested": "A person cancels the run.",
  continued: "A person resumed the run, with these limits.",
  answered: "A question was answered.",
  approved: "A gate was approved.",
  rejected: "A gate was rejected.",
  accepted: "Held work was accepted.",
  allowed: "Held work may change its tests.",
  "turned-down": "Held work was rejected.",
  amended: "A person changed the request.",
};

/** What an agent is seen to do. */
export const signWords: Readonly<Record<Sign["sign"], string>> = {
  progress: "It does something.",
  "native-id": "The agent's own name for the conversation.",
  edit: "It changed a file: `path`.",
  context: "How full its context is: `used` of `size`.",
  window: "How much of the subscription's window is used: `name`, `percent`, `until`.",
  usage: "Tokens and money so far.",
  tool: "A tool is in use: `name`, `argument`, `call`.",
  "tool-ended": "The tool of that `call` is done.",
  said: "Its words.",
  output: "A line of output without a known meaning.",
  compacted: "It shortened its conversation.",
  refused: "It tried something that no session may do.",
  result: "It has replied.",
};

const names = <Name extends string>(words: Readonly<Record<Name, string>>) => z.enum(Object.keys(words) as Name[]);
const sign = z.looseObject({ sign: names(signWords) });

const status = z.object({
  type: z.literal("status"),
  seq: z.number().describe("The number of the last event so far."),
  status: run,
});
const event = z.object({
  type: z.literal("event"),
  seq: z.number().describe("Its number in the journal, without gaps."),
  at: time,
  event: z.looseObject({ type: names(eventWords) }).describe("Its `type`, and what belongs to it."),
});
const seen = z.object({
  type: z.literal("sign"),
  session: z.string(),
  role,
  sign: sign.describe("What an agent is seen to do. Not recorded: a slow reader misses some."),
});
const rest = z.object({
  type: z
    .literal("rest")
    .describe("Nothing happens until a message arrives: the run is over, rests, or has no driver."),
});

export const lines = { status, event, sign: seen, rest } as const;

export const output = z.object({
  type: z.literal("output"),
  number: z.number().describe("The number of the session, from 1."),
  session: z.string(),
  role,
  feature: z.string().nullable(),
  attempt: z.number(),
  beganAt: time,
  stream: z.enum(["stdout", "stderr"]),
  text: z.string().describe("The line as the agent printed it."),
  signs: list(sign).describe("What it means."),
});

/** The run at the beginning, then what happens. `beside`: as it was at the beginning. */
export function lineOf(item: Item, beside: Beside): object {
  switch (item.type) {
    case "story":
      return status.parse({
        type: "status",
        seq: item.seq,
        status: runFacts(overview(item.story, beside)),
      });
    case "event":
      return event.parse({ type: "event", seq: item.seq, at: item.event.at, event: eventFacts(item.event) });
    case "sign":
      return seen.parse({ ...item, sign: signFacts(item.sign) });
    case "rest":
      return rest.parse(item);
  }
}

/** The time is the line's; the times inside an event are texts, too. */
function eventFacts({ at, ...facts }: RunEvent): { type: RunEvent["type"]; [key: string]: unknown } {
  if (facts.type !== "session-ended") return facts;
  const { ending, window } = facts;
  const more = window === undefined ? {} : { window: windowFacts(window) };
  if (ending.how !== "failed") return { ...facts, ...more };
  const { failure } = ending;
  return { ...facts, ...more, ending: { ...ending, failure: { ...failure, retryAt: isoOrNull(failure.retryAt) } } };
}

const signFacts = (sign: Sign): object =>
  sign.sign === "window" ? { ...sign, window: windowFacts(sign.window) } : sign;

const windowFacts = (window: UsedWindow): object => ({ ...window, until: isoOrNull(window.until) });

const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const outputLine = (line: OutputLine, { isOver, ...info }: SessionInfo, number: number): object =>
  output.parse({ type: "output", number, ...info, ...line, signs: line.signs.map(signFacts) });
