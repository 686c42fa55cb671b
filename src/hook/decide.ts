// May the session end? Pure: from this stop and earlier ones to an answer and the new progress.
import { sameErrorMax, stuckMax, unchangedMax } from "../core/breakers.ts";
import { isAssumed, requiredFor, withoutRequired } from "../core/verification.ts";
import type { ExitSignal } from "./exit-signal.ts";
import type { Progress } from "./hold.ts";

/** Why the session may not end yet. Two with one key are the same. */
export type Unmet = { readonly key: string; readonly text: string };

export type Seen = {
  /** What the runtime found itself: red checks, changed tests, an edited state, or that it could not look. */
  readonly unmet: readonly Unmet[];
  readonly signal: ExitSignal;
  /** Null: the folder could not be read. */
  readonly tree: string | null;
};

export type Bounds = {
  readonly iterationsMax: number;
  /** After this many consecutive blocks, the CLI ends the session regardless of the hook. */
  readonly blocksMax: number;
};

export type Breaker = "must-not" | "iterations" | "same-failure" | "nothing-changed" | "block-cap";

export type Decision =
  | { readonly is: "met" }
  /** The hold stays: only this stop is let through, to reach a person. */
  | { readonly is: "asks"; readonly question: string; readonly unmet: readonly Unmet[] }
  /** Nothing else is open than what only a person can say. The hold stays, as above. */
  | { readonly is: "assumes"; readonly criteria: readonly string[]; readonly unmet: readonly Unmet[] }
  | {
      readonly is: "broken-off";
      readonly breaker: Breaker;
      readonly why: string;
      readonly unmet: readonly Unmet[];
      readonly progress: Progress;
    }
  | { readonly is: "blocked"; readonly unmet: readonly Unmet[]; readonly progress: Progress };

export function decide(before: Progress, seen: Seen, bounds: Bounds): Decision {
  const unmet = [...seen.unmet, ...unsaid(seen.signal)];
  if (unmet.length === 0) return { is: "met" };
  const forbidden = seen.unmet.find(({ key }) => key.startsWith("must-not:"));
  if (forbidden !== undefined) {
    const why = forbidden.text.replace("\n", ": ");
    return { is: "broken-off", breaker: "must-not", why, unmet, progress: next(before, seen.tree, unmet) };
  }
  const isEdited = seen.unmet.some(({ key }) => key.startsWith("state-"));
  if (seen.signal.question !== null && !isEdited) return { is: "asks", question: seen.signal.question, unmet };
  if (unmet.every(({ key }) => key.startsWith(assumed)))
    return { is: "assumes", criteria: unmet.map(({ key }) => key.slice(assumed.length)), unmet };
  const progress = next(before, seen.tree, unmet);
  const tripped = breakerFor(before, progress, bounds, seen.unmet.length === 0 ? stuckMax : sameErrorMax - 1);
  if (tripped !== null) return { is: "broken-off", ...tripped, unmet, progress };
  return { is: "blocked", unmet, progress: { ...progress, blocks: progress.blocks + 1 } };
}

const assumed = "assumed:";

function unticked(criterion: string): Unmet {
  const name = withoutRequired(criterion);
  if (isAssumed(criterion))
    return { key: `${assumed}${name}`, text: `Only a person can say that this criterion is met: ${name}` };
  const required = requiredFor(criterion);
  const how = required === null ? "by looking" : `by ${required}, and said so`;
  return { key: `criterion:${name}`, text: `You have not ticked this criterion as met ${how}: ${name}` };
}

/** The agent's half: it has to say that it is done, and to have ticked every criterion. */
function unsaid({ given, unticked: open }: ExitSignal): Unmet[] {
  const criteria = open.map(unticked);
  if (given) return criteria;
  return [...criteria, { key: "no-exit-signal", text: "You have not said yourself that everything is done." }];
}

/** What is unmet when a hold begins: everything that the agent has to say. */
export const keyAtFirst = (criteria: readonly string[]): string | null =>
  criteria.length === 0 ? null : keyOf(unsaid({ given: false, unticked: criteria, question: null }));

const keyOf = (unmet: readonly Unmet[]): string =>
  unmet
    .map((one) => one.key)
    .sort()
    .join(" ");

function next(before: Progress, tree: string | null, unmet: readonly Unmet[]): Progress {
  const key = keyOf(unmet);
  const isSame = tree !== null && tree === before.tree;
  return {
    iteration: before.iteration + 1,
    key,
    times: key === before.key ? before.times + 1 : 0,
    tree: tree ?? before.tree,
    unchanged: isSame ? before.unchanged + 1 : 0,
    blocks: isSame || tree === null ? before.blocks : 0,
  };
}

/** `sameMax`: how often the same may stay unmet. What was found counts as an error; a criterion that is only unticked does not. */
function breakerFor(
  before: Progress,
  now: Progress,
  bounds: Bounds,
  sameMax: number,
): { breaker: Breaker; why: string } | null {
  if (now.iteration >= bounds.iterationsMax)
    return { breaker: "iterations", why: `That was iteration ${now.iteration} of ${bounds.iterationsMax}.` };
  if (now.unchanged >= unchangedMax)
    return { breaker: "nothing-changed", why: `Nothing in the folder changed ${now.unchanged} times in a row.` };
  if (now.times >= sameMax)
    return {
      breaker: "same-failure",
      why: `The same was unmet ${sameMax === stuckMax ? now.times : now.times + 1} times in a row.`,
    };
  if (now.blocks >= bounds.blocksMax)
    return {
      breaker: "block-cap",
      why: `The CLI lets a session end by itself after ${bounds.blocksMax} ${bounds.blocksMax === 1 ? "block" : "blocks"} in a row (${before.blocks} so far).`,
    };
  return null;
}

/** The CLI's own cap, which a person may have changed. */
export function blockCap(env: NodeJS.ProcessEnv): number {
  const said = Number(env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"]);
  return Number.isInteger(said) && said > 0 ? said : 8;
}
