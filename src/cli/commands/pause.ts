// loop pause: asks the run to rest, and waits until it does.
import { comesToRest, findOpenRun, isOver } from "../../engines/watch.ts";
import { standingOf } from "../../report/state.ts";
import { leftInFolder } from "../../report/words/left.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

/** It finishes what must not be cut short first. */
export const patienceMs = 30_000;

export async function pause(flags: GlobalFlags): Promise<number> {
  const { engine, ...context } = contextOf(flags);
  const run = await findOpenRun(engine, flags.run);
  const { story, isDriven } = await engine.read(run);
  const { state, why, next } = standingOf(story.run, isDriven);
  if (state === "over") throw isOver(story, "Nothing was paused.");
  if (state === "paused" || state === "waits-for-you") {
    context.answer(
      `Nothing to pause: the run ${state === "paused" ? "is paused already" : "waits for you"}.\n${why}\nNext: ${next}\n`,
    );
    return 0;
  }
  await engine.send(run, { type: "pause-requested", by: "person" });
  if ((await comesToRest(engine, run, patienceMs)) === null) {
    context.comment("The run has not come to rest yet: it finishes what must not be cut short first.\n");
    return 1;
  }
  const { story: rested, worktree } = await engine.read(run);
  const left = leftInFolder(rested, worktree?.dir);
  context.answer(`Paused run ${run}\n${left === null ? "" : `${left}\n`}Next: loop continue\n`);
  return 0;
}
