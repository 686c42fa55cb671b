// Resumes an open run, with or without a person's changes.
import { gateOf } from "../core/gates.ts";
import { next } from "../core/next.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { select } from "../core/select.ts";
import type { Change } from "../project/config/drift.ts";
import { amendment } from "./amend.ts";
import type { Changes } from "./engine.ts";
import type { Running } from "./running.ts";
import { type Recorder, takeUp } from "./take-up.ts";
import { isOver } from "./watch.ts";

/** Records that the run continues. The caller drives it. */
export async function resume(
  run: Running,
  changes: Changes | undefined,
  record: Recorder = (fact) => run.record(fact),
): Promise<readonly Change[]> {
  const { now } = run.story.run;
  if (now.is === "stopped") throw isOver(run.story, "The run was not continued.");
  if (changes === undefined) {
    // An answer to a gate has moved the run already; after any other answer it still rests.
    if (now.is === "resting" && gateOf(run.story.run) === null)
      await record({ type: "continued", limits: {}, retry: false });
    return [];
  }
  const retry = now.is === "resting" && wantsRetry(run.story.run, now.outcome);
  const { changes: seen, going } = await takeUp(run, changes, record);
  const { intent } = changes;
  const amended = intent === undefined ? null : amendment(run, intent.mode, intent.text);
  if (amended !== null) await record(amended);
  const gate = changes.approve === true ? gateOf(run.story.run) : null;
  const shown = gate === null ? null : { gate: gate.name, number: gate.number, tree: gate.tree };
  if (shown !== null) await record({ type: "approved", ...shown, always: true });
  await record({ type: "continued", ...going, retry });
  return seen;
}

/** A person who continues has done something about what failed. While other features are open, those are next. */
const wantsRetry = (run: Run, { kind }: Outcome): boolean =>
  kind === "inbox" || (kind === "breaker" && select(run) === null);

/**
 * After a pause or cancel of a run without a driver: the effect in flight is recorded as cut, and unproved work is
 * taken out of the folder if that was asked for.
 */
export async function windUp(run: Running): Promise<void> {
  const { asked } = run.story.run;
  if (asked !== null && next(run.story.run) !== null) await run.record({ type: "cut", usage: null, tookMs: 0 });
  const { now } = run.story.run;
  if (now.is === "undoing" && now.after.do === "cancel") await run.drive({ wait: false });
}
