// loop pause: asks the run to rest, and waits until it does.

import { readStory } from "../../engines/local/read-story.ts";
import { openRun } from "../../engines/local/runs.ts";
import { post } from "../../engines/local/signals.ts";
import { sleep } from "../../host/process/wait.ts";
import { runDir } from "../../project/home.ts";
import { latestRun } from "../../project/list-runs.ts";
import { whoDrives } from "../../project/who-drives.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

const patienceMs = 30_000;

export async function pause(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const run = latestRun(context.root, flags.run);
  const { now } = readStory(context.root, run).run;
  if (now.is === "resting" || now.is === "stopped") {
    context.answer(`Run ${run} is not under way: ${now.outcome.kind}.\n`);
    return 0;
  }
  if ((await whoDrives(context.root)) === null) {
    // Interrupted by a crash: no process is running, so record the pause for when the run is resumed.
    const held = await openRun(context.root, run);
    await held.run.record({ type: "pause-requested", by: "person" });
    await held.run.record({ type: "cut", usage: null, tookMs: 0 });
    await held.close();
  } else {
    post(runDir(vaultDirFor(context.root), run), { type: "pause-requested", by: "person" });
    if (!(await comesToRest(context.root, run))) {
      context.comment("The run has not come to rest yet: it finishes what must not be cut short first.\n");
      return 1;
    }
  }
  context.answer(`Paused run ${run}\nNext: loop continue\n`);
  return 0;
}

export async function comesToRest(root: string, run: string): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    const { now } = readStory(root, run).run;
    if (now.is === "resting" || now.is === "stopped") return true;
    await sleep(200);
  }
  return false;
}
