// loop pause: asks the run to rest, and waits until it does.
import { comesToRest, findRun } from "../../engines/watch.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

/** It finishes what must not be cut short first. */
export const patienceMs = 30_000;

export async function pause(flags: GlobalFlags): Promise<number> {
  const { engine, ...context } = contextOf(flags);
  const run = await findRun(engine, flags.run);
  const { now } = (await engine.read(run)).story.run;
  if (now.is === "resting" || now.is === "stopped") {
    context.answer(`Run ${run} is not under way: ${now.outcome.kind}.\n`);
    return 0;
  }
  await engine.send(run, { type: "pause-requested", by: "person" });
  if ((await comesToRest(engine, run, patienceMs)) === null) {
    context.comment("The run has not come to rest yet: it finishes what must not be cut short first.\n");
    return 1;
  }
  context.answer(`Paused run ${run}\nNext: loop continue\n`);
  return 0;
}
