// Resumes an open run, with or without a person's changes.
import { gateOf } from "../core/gates.ts";
import { next } from "../core/next.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Run } from "../core/run.ts";
import { select } from "../core/select.ts";
import { keepConfigured } from "../project/config/configured.ts";
import type { Change } from "../project/config/drift.ts";
import { runFiles } from "../project/runs/home.ts";
import type { SignalFact } from "../runtime/ports.ts";
import { amendment } from "./amend.ts";
import type { Changes } from "./engine.ts";
import type { Running } from "./running.ts";
import { takeUp } from "./take-up.ts";
import { isOver } from "./watch.ts";

/**
 * Gets a fact on record: directly, or through the driver of the run, which alone may write while it drives. False: the run was
 * closed first.
 */
export type Recorder = (fact: SignalFact) => Promise<boolean>;

/** Records that the run continues. The caller drives it. Everything is checked before anything is written. */
export async function resume(
  run: Running,
  changes: Changes | undefined,
  record: Recorder = async (fact) => {
    await run.record(fact);
    return true;
  },
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
  const { changes: seen, notes, crew, going, configured } = await takeUp(run, changes);
  const { intent } = changes;
  const amended = intent === undefined ? null : amendment(run, intent.mode, intent.text);
  const files = runFiles(run.home.dir);
  for (const note of notes) await record({ type: "noted", ...note });
  if (crew !== null) run.useAgents(crew);
  for (const [name, text] of Object.entries(amended?.files ?? {})) files.write(name, text);
  if (amended !== null) await record(amended.fact);
  const gate = changes.approve === true ? gateOf(run.story.run) : null;
  const shown = gate === null ? null : { gate: gate.name, number: gate.number, tree: gate.tree };
  if (shown !== null) await record({ type: "approved", ...shown, always: true });
  // Kept before, a crash in between would lose the changes: nothing would differ any more.
  if (await record({ type: "continued", ...going, retry })) keepConfigured(files, configured);
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
