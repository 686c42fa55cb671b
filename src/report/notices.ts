// What is worth telling a person who is not looking: each thing has a key, so that it is told once.
import { gateOf } from "../core/gates.ts";
import { capped, limitsOfTask, usedByTask } from "../core/limits.ts";
import type { Gate } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { standingOf } from "./state.ts";
import { isoTime } from "./words/words.ts";

export type Notice = {
  readonly key: string;
  readonly kind: "waits" | "ended" | "cap" | "limit" | "limit-over" | "test";
  readonly title: string;
  readonly text: string;
  /** The next command to run; empty: none is needed. */
  readonly next: string;
  /** The gate that an answer would pass. */
  readonly gate: Gate | null;
};

const nearlyPercent = 80;

/** Everything that holds at this time. `told`: the keys of what was told before. */
export function noticesOf(run: Run, told: ReadonlySet<string>, at: number): Notice[] {
  return [...standing(run), ...nearCaps(run), ...limit(run), ...limitsOver(run, told, at)].filter(
    ({ key }) => !told.has(key),
  );
}

function standing(run: Run): Notice[] {
  const { state, outcome, title, why, next } = standingOf(run, true);
  // A follow-up run goes on by itself.
  if (outcome?.kind === "followup" || run.now.is === "filing") return [];
  const gate = gateOf(run);
  if (state === "over") return [{ key: "ended", kind: "ended", title, text: why, next, gate: null }];
  if (state !== "waits-for-you") return [];
  const key = gate === null ? `rest-${run.turn}` : `gate-${gate.name}-${gate.number}-${gate.tree}`;
  return [{ key, kind: "waits", title, text: why, next, gate }];
}

function nearCaps(run: Run): Notice[] {
  const [spent, limits] = [usedByTask(run), limitsOfTask(run.contract)];
  return capped.flatMap(({ name, limit: of, counts }): Notice[] => {
    const [used, allowed] = [spent[counts], limits[of]];
    // At the cap itself the run rests, and says so.
    if (allowed === null || used >= allowed || used * 100 < allowed * nearlyPercent) return [];
    const percent = Math.floor((100 * used) / allowed);
    const text = `${percent} % of the ${name} cap is used.`;
    return [{ key: `cap-${name}-${allowed}`, kind: "cap", title: `${percent} % of a cap`, text, next: "", gate: null }];
  });
}

/** Short waits after a server's error are not told. */
function limit({ now, limitedUntil }: Run): Notice[] {
  if (now.is !== "waiting" || (limitedUntil.maker < now.until && limitedUntil.checker < now.until)) return [];
  const text = `The run goes on by itself at ${isoTime(now.until)}: ${now.because}`;
  return [{ key: `limit-${now.until}`, kind: "limit", title: "A usage limit is reached", text, next: "", gate: null }];
}

/** A person who pauses or cancels the run while it waits has ended the wait, and not the limit. */
function limitsOver({ now }: Run, told: ReadonlySet<string>, at: number): Notice[] {
  if (now.is === "waiting" || now.is === "resting" || now.is === "stopped") return [];
  const until = [...told].flatMap((key) => /^limit-(\d+)$/.exec(key)?.[1] ?? []).filter((end) => Number(end) <= at);
  return until.map((end) => ({
    key: `limit-over-${end}`,
    kind: "limit-over",
    title: "The usage limit is over",
    text: "The run goes on.",
    next: "",
    gate: null,
  }));
}
