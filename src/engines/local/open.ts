// Opens a run of this machine's vault, in order to drive it: a new one, or an earlier one.
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Lock } from "../../host/lock/lock.ts";
import { endTree } from "../../host/process/tree.ts";
import { openFileJournal } from "../../journal/file/open.ts";
import { type RunHome, runFiles, runHome } from "../../project/home.ts";
import { lockWorkspace } from "../../project/lock.ts";
import { pruneVault } from "../../project/prune-vault.ts";
import type { Registered } from "../../project/registered.ts";
import { workspaceDisk } from "../../project/workspace-disk.ts";
import { type Story, storyVersion } from "../../report/story.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { layOut, newIds, recordBeginning, refuseObstacles, type Start } from "../begin.ts";
import { readPlan } from "../plan.ts";
import { Running } from "../running.ts";
import { aboutNewRun, aboutRun } from "./driver.ts";
import { mirrored, mirrorRun } from "./mirror.ts";
import { packed, unpacked } from "./payloads.ts";
import { homeOf, readStory } from "./read-story.ts";
import { Signals } from "./signals.ts";

/** A run that is open here, with the lock on its workspace. */
export type Held = { readonly run: Running; close(): Promise<void> };

export async function beginRun(root: string, start: Start, registered: Registered = {}): Promise<Held> {
  const about = aboutNewRun(start.planned.contract.request);
  return locked(root, about, start.stealLock === true, async (lock) => {
    const vault = vaultDirFor(root);
    const workspace = await openWorkspace({ root, vaultDir: vault, kind: start.kind });
    await refuseObstacles(start, root, workspace, registered);
    tidy(root, vault);
    const ids = newIds(start);
    const home = runHome(root, vault, ids.task, ids.run);
    const { hash } = layOut(start, home, runFiles(home.dir));
    const run = opened(home, workspace, registered, true);
    await recordBeginning(run, hash, lock.notices);
    return run;
  });
}

export async function openRun(
  root: string,
  id: string,
  options: { stealLock?: boolean; registered?: Registered } = {},
): Promise<Held> {
  return locked(root, aboutRun(id), options.stealLock === true, async (lock) => {
    const { home, plan } = homeOf(root, id);
    const workspace = await openWorkspace({ root, vaultDir: home.vault, kind: plan.kind });
    const strays = await reapStrays(id);
    const run = opened(home, workspace, options.registered ?? {}, false);
    if (strays > 0)
      run.send({
        type: "noted",
        about: "strays",
        text: `${strays} processes of the run were still there; they were ended.`,
      });
    for (const notice of lock.notices) run.send({ type: "noted", about: notice.kind, text: notice.text });
    return run;
  });
}

/** A vault that cannot be made smaller today is no reason not to work. */
function tidy(root: string, vault: string): void {
  try {
    pruneVault(vault, (run) => isOver(root, run));
  } catch {
    // The next run tries again.
  }
}

/** A run that cannot be read is not touched. */
function isOver(root: string, run: string): boolean {
  try {
    return readStory(root, run).story.run.now.is === "stopped";
  } catch {
    return false;
  }
}

async function locked(
  root: string,
  about: string,
  steal: boolean,
  open: (lock: Lock) => Promise<Running>,
): Promise<Held> {
  const lock = await lockWorkspace(root, about, steal);
  try {
    const run = await open(lock);
    return {
      run,
      async close() {
        await run.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function opened(home: RunHome, workspace: Workspace, registered: Registered, isFresh: boolean): Running {
  const files = runFiles(home.dir);
  const { plan, hash } = readPlan(files);
  const journal = openFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    workspaceDir: home.root,
    run: home.run,
    parse: (json) => unpacked(json, files),
    pack: (event) => packed(event, files),
    stateVersion: storyVersion,
    fresh: isFresh,
  });
  const [first] = journal.past.events;
  if (first?.type === "begun" && first.contract !== hash) throw alteredPlan();
  const disk = workspaceDisk(home.root);
  return new Running({
    home,
    plan,
    workspace,
    journal,
    signals: new Signals(home.dir),
    files,
    agents: registered.agents ?? {},
    checks: registered.checks ?? {},
    isFresh,
    mirrored,
    mirror: (story, options) => mirrorRun(home, files, disk, story, options),
  });
}

/** We hold the lock, so any process that still carries the run's mark belongs to a runtime that has died. */
async function reapStrays(run: string): Promise<number> {
  const root = { leader: null, marker: `LOOP_RUN=${run}`, outputs: [] };
  return (await endTree(root, { signal: "SIGTERM", graceMs: 2000 })).found;
}

function alteredPlan(): UserError {
  return new UserError("plan-altered", {
    what: "The run was not opened.",
    why: "Its plan.json is not the one that it was begun with.",
    next: "Restore the file, or start a new run.",
  });
}
