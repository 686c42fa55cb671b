// Continues a run for a person: it is resumed, or the follow-up that it ended in is begun. Either way with their changes.
import type { Phase } from "../core/run.ts";
import type { Change } from "../project/config/drift.ts";
import type { Changes, Engine, Terms } from "./engine.ts";

export type GoneOn = {
  /** Another one than was named if a follow-up has begun. */
  readonly run: string;
  /** The number of its last event before it went on; subscribe from it. */
  readonly from: number;
  readonly changes: readonly Change[];
  /** Where the named run was. */
  readonly was: Phase;
};

/** `changes` left out: nothing is compared with the files, and it goes on as it is. */
export async function goOn(engine: Engine, run: string, terms: Terms, changes?: Changes): Promise<GoneOn> {
  const changed = changes === undefined ? {} : { changes };
  const { now: was } = (await engine.read(run)).story.run;
  if (was.is === "stopped" && was.outcome.kind === "followup")
    return { ...(await engine.begin({ follows: run, ...changed }, terms)), changes: [], was };
  const { from, changes: seen } = await engine.send(run, { type: "resume", terms, ...changed });
  return { run, from, changes: seen, was };
}
