// Reading an earlier run, and opening it again for going on.
import { join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { runId } from "../../core/ids.ts";
import { endTree } from "../../host/process/tree.ts";
import { readFileJournal } from "../../journal/file/read.ts";
import { reportHtml } from "../../runtime/records/html/page.ts";
import { readProofs } from "../../runtime/records/html/proof-view.ts";
import { follow, newStory, type Story, storyVersion } from "../../runtime/story.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Held, held, lockWorkspace } from "./begin.ts";
import { parseEvent } from "./events.ts";
import { type RunHome, runDir, runFiles, runHome } from "./home.ts";
import { LocalRun } from "./local-run.ts";
import { ignoreOurOwn, reportPath } from "./mirror.ts";
import { patternOf } from "./pattern.ts";
import { type Plan, readPlan } from "./plan.ts";
import { workspaceDisk } from "./workspace-disk.ts";

function homeOf(root: string, run: string): { home: RunHome; plan: Plan } {
  const vault = vaultDirFor(root);
  const { plan } = readPlan(runFiles(runDir(vault, run)));
  return { home: runHome(root, vault, plan.task, runId(run)), plan };
}

/** The story of a run, read without disturbing whoever drives it. */
export function readStory(root: string, run: string): Story {
  const { home, plan } = homeOf(root, run);
  const { snapshot, events } = readFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    run,
    parse: parseEvent,
    stateVersion: storyVersion,
  });
  return events.reduce(follow, snapshot ?? newStory(plan.contract));
}

/** Writes the page of a run again, from its journal and its proofs, and says where it is. */
export function writeReportPage(root: string, run: string, story: Story): string {
  const { run: state, chronicle } = story;
  const { home } = homeOf(root, run);
  const disk = workspaceDisk(root);
  const page = reportHtml(state, chronicle, readProofs(chronicle, runFiles(home.dir)), patternOf(root, story).hint);
  const path = reportPath(home);
  ignoreOurOwn(disk);
  if (disk.read(path) !== page) disk.write(path, page);
  return join(root, path);
}

/** Opens a run for going on. */
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

/** Whatever still carries the run's mark belongs to a runtime that is gone: the lock is ours now. */
async function reapStrays(run: string): Promise<number> {
  const root = { leader: null, marker: `LOOP_RUN=${run}`, outputs: [] };
  return (await endTree(root, { signal: "SIGTERM", graceMs: 2000 })).found;
}
