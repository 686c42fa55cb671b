// Opens an earlier run in order to resume it.
import { endTree } from "../../host/process/tree.ts";
import { lockWorkspace } from "../../project/lock.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { type Held, held } from "./begin.ts";
import { LocalRun } from "./local-run.ts";
import { homeOf } from "./read-story.ts";

/** Opens a run in order to resume it. */
export async function openRun(root: string, run: string, options: { stealLock?: boolean } = {}): Promise<Held> {
  const lock = await lockWorkspace(root, `run ${run}`, options.stealLock);
  try {
    const { home, plan } = homeOf(root, run);
    const workspace = await openWorkspace({ root, vaultDir: home.vault, kind: plan.kind });
    const strays = await reapStrays(run);
    const opened = new LocalRun(home, workspace, { fresh: false });
    if (strays > 0)
      opened.send({
        type: "noted",
        about: "strays",
        text: `${strays} processes of the run were still there; they were ended.`,
      });
    for (const notice of lock.notices) opened.send({ type: "noted", about: notice.kind, text: notice.text });
    return held(opened, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** We hold the lock, so any process that still carries the run's mark belongs to a runtime that has died. */
async function reapStrays(run: string): Promise<number> {
  const root = { leader: null, marker: `LOOP_RUN=${run}`, outputs: [] };
  return (await endTree(root, { signal: "SIGTERM", graceMs: 2000 })).found;
}
