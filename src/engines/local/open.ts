// Opens a run of this machine's vault, in order to drive it: a new one, or an earlier one.
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import type { RunId } from "../../core/ids.ts";
import type { Lock } from "../../host/lock/lock.ts";
import { endTree } from "../../host/process/tree.ts";
import { openFileJournal } from "../../journal/file/open.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Registered } from "../../project/config/registered.ts";
import { freshPlace, makePlace, restorePlace, takeInputs, unmake } from "../../project/place/make-place.ts";
import { lockAt, type Place, placeOfRun } from "../../project/place/places.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { queueToTake } from "../../project/queue/take-queue.ts";
import { forgetBeginning, forgetOldBeginnings, hasBegun } from "../../project/runs/begun.ts";
import { type RunHome, runFiles, runHome } from "../../project/runs/home.ts";
import { pruneVault } from "../../project/runs/prune-vault.ts";
import { type Story, storyVersion } from "../../report/story.ts";
import { featuresPath, guardedPaths } from "../../runtime/records/paths.ts";
import { currentBranch } from "../../workspace/git/repository/worktree.ts";
import { openBranch, openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type BeginningNote,
  layOut,
  newIds,
  recordBeginning,
  refuseObstacles,
  runExists,
  type Start,
  slugOf,
  withEstimate,
} from "../begin.ts";
import { type Plan, readPlan } from "../plan.ts";
import { Running } from "../running.ts";
import { isOver as overError } from "../watch.ts";
import { aboutNewRun, aboutRun } from "./driver.ts";
import { settlePlace } from "./land.ts";
import { mirrored, mirrorRun } from "./mirror.ts";
import { packed, unpacked } from "./payloads.ts";
import { homeOf, readStory } from "./read-story.ts";
import { Signals } from "./signals.ts";

/** A run that is open here, with the lock on its place. */
export type Held = { readonly run: Running; close(): Promise<void> };

export async function beginRun(root: string, start: Start, registered: Registered = {}): Promise<Held> {
  const about = aboutNewRun(start.planned.contract.request);
  const vault = vaultDirFor(root);
  const ids = newIds(start, (run) => hasBegun(root, run));
  const { place, note } = await placeFor(root, start, ids);
  return locked(root, place, about, start.stealLock === true, async (lock) => {
    // Another process may have begun it in the meantime.
    if (hasBegun(root, ids.run)) throw runExists(ids.run);
    const isNew = start.worktree === undefined;
    try {
      const ready = place === null ? null : await readied(place, start, isNew);
      const home = runHome(root, vault, ids.task, ids.run, ready ?? undefined);
      const where = { root: home.root, vaultDir: home.vault, kind: start.kind };
      const workspace = await openWorkspace({ ...where, bytesMax: bytesMaxOf(start.planned.agents) });
      const subscriptions = await refuseObstacles(start, home.root, workspace, registered);
      tidy(root, vault);
      // A process that was killed may have left a part of it.
      forgetBeginning(root, ids.run);
      const { start: priced, notes } = withEstimate(start, subscriptions);
      const named = place === null ? priced : { ...priced, worktree: place.name };
      const { hash } = layOut(named, home, runFiles(home.dir));
      const run = opened(home, workspace, registered, true);
      await closedIfFailed(run, () => recordBeginning(run, hash, [...lock.notices, ...note, ...notes]));
      return run;
    } catch (error) {
      // With its first event on record it can be resumed, whatever failed then.
      if (hasBegun(root, ids.run)) throw error;
      forgetBeginning(root, ids.run);
      if (place !== null && isNew) await unmake(place);
      throw notBegun(error);
    }
  });
}

/** There is no run to continue. */
function notBegun(error: unknown): unknown {
  if (!(error instanceof UserError) || error.code !== "journal-not-written") return error;
  const next = "Make room or repair the disk, then run the same command again.";
  return new UserError(error.code, { what: "The run did not start.", why: error.why, next }, { cause: error });
}

/** `limits.disk_gb` is given to every agent. */
const bytesMaxOf = ({ maker }: Start["planned"]["agents"]): number | undefined =>
  maker?.diskGb === undefined ? undefined : maker.diskGb * 1e9;

/** A run that nobody will drive must not keep its journal, its timer and its rooms. */
async function closedIfFailed(run: Running, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Where the run will work; null: in the folder itself. Nothing is written yet. */
async function placeFor(
  root: string,
  { planned, kind, worktree, pullRequest }: Start,
  { run }: { readonly run: RunId },
): Promise<{ place: Place | null; note: readonly BeginningNote[] }> {
  if (planned.place === "here" || kind === "plain") return { place: null, note: [] };
  if (worktree !== undefined) return { place: placeOfRun(root, run, worktree), note: [] };
  const vaultDir = vaultDirFor(root);
  const bound = await (await openBranch({ root, vaultDir })).boundHere();
  const text = `The run works in your folder and not in a worktree: ${bound}.`;
  if (bound !== null) return { place: null, note: [{ kind: "place", text }] };
  const { head, branch } = await currentBranch(root, vaultDir);
  const wanted = nameFor(planned);
  const lands = pullRequest === true ? ({ landsBy: "pull-request" } as const) : {};
  return { place: await freshPlace(root, wanted, { run, onto: branch, base: head, ...lands }), note: [] };
}

/** Of a request, its first words; of features from the queue, their numbers. */
function nameFor({ isDrafted, contract }: Start["planned"]): string {
  const [first, ...more] = contract.features.filter(({ status }) => status !== "complete" && status !== "existing");
  if (isDrafted || first === undefined) return slugOf(contract.request, 40);
  const last = more.at(-1);
  return last === undefined ? slugOf(`${first.id} ${first.name}`, 40) : slugOf(`${first.id} to ${last.id}`, 40);
}

async function readied(place: Place, { planned }: Start, isNew: boolean): Promise<Place> {
  const { contract, texts } = planned;
  if (isNew) await makePlace(place, contract.proof);
  const isMade = isNew || (await restorePlace(place, contract.proof, null));
  return isMade ? takeInputs(place, contract.recordsDir, texts) : place;
}

export async function openRun(
  root: string,
  id: string,
  options: { stealLock?: boolean; registered?: Registered } = {},
): Promise<Held> {
  const { place } = homeOf(root, id);
  return locked(root, place, aboutRun(id), options.stealLock === true, async (lock) => {
    const { home, plan } = homeOf(root, id);
    refuseGone(root, id, place);
    const isMade = place !== null && (await restored(root, id, place, plan));
    const where = { root: home.root, vaultDir: home.vault, kind: plan.kind };
    const workspace = await openWorkspace({ ...where, bytesMax: bytesMaxOf(plan.agents), resumed: true });
    const strays = await reapStrays(id);
    const run = opened(home, workspace, options.registered ?? {}, false);
    if (strays > 0) run.note("strays", `${strays} processes of the run were still there; they were ended.`);
    if (isMade)
      run.note(
        "worktree-restored",
        `The worktree had been removed; the loop made it again from ${place.branch}. Uncommitted changes in it are gone.`,
      );
    for (const notice of lock.notices) run.note(notice.kind, notice.text);
    return run;
  });
}

/** A vault that cannot be made smaller today is no reason not to work. */
function tidy(root: string, vault: string): void {
  try {
    forgetOldBeginnings(root);
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

/** The worktree of a run that is over is removed, so that there is nothing left to open. */
function refuseGone(root: string, id: string, place: Place | null): void {
  if (place === null || existsSync(place.root)) return;
  const { story } = readStory(root, id);
  if (story.run.now.is === "stopped") throw overError(story, "The run was not continued.");
}

/** The worktree is there again if it was removed, and has the inputs that the person changed while the run rested. */
async function restored(root: string, id: string, place: Place, { contract }: Plan): Promise<boolean> {
  const { run } = readStory(root, id).story;
  if (run.now.is === "stopped") return false;
  const isMade = await restorePlace(place, contract.proof, run.head?.commit ?? null);
  if (run.now.is !== "resting") return isMade;
  const [disk, own] = [workspaceDisk(root), workspaceDisk(place.root)];
  const queue = featuresPath(contract.recordsDir);
  const isRequest = contract.intake !== null;
  const textAt = (path: string): string | null => {
    const theirs = disk.read(path);
    if (path !== queue || !isRequest) return theirs;
    return queueToTake(path, run.contract.features, { ours: own.read(path), theirs });
  };
  const texts = Object.fromEntries(guardedPaths(contract.recordsDir).map((path) => [path, textAt(path)]));
  takeInputs(place, contract.recordsDir, texts);
  return isMade;
}

async function locked(
  root: string,
  place: Place | null,
  about: string,
  steal: boolean,
  open: (lock: Lock) => Promise<Running>,
): Promise<Held> {
  const lock = await lockAt(root, place, about, steal);
  try {
    const run = await open(lock);
    return {
      run,
      async close() {
        try {
          await run.close();
          if (place !== null) await settlePlace(run, place.name);
        } finally {
          await lock.release();
        }
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
  const signals = new Signals(home.dir);
  try {
    const begunWith = planOf(journal.past);
    if (begunWith !== null && begunWith !== hash) throw alteredPlan();
    const disk = workspaceDisk(home.root);
    return new Running({
      home,
      plan,
      workspace,
      journal,
      signals,
      files,
      agents: registered.agents ?? {},
      checks: registered.checks ?? {},
      isFresh,
      mirrored,
      mirror: (story, options) => mirrorRun(home, files, disk, story, options),
    });
  } catch (error) {
    signals.close();
    void journal.close();
    throw error;
  }
}

/** The hash of the plan that the run was begun with; null: nothing is recorded yet. */
function planOf({ snapshot, events }: Journal<RunEvent, Story>["past"]): string | null {
  if (snapshot !== null) return snapshot.chronicle.plan;
  return events.find((event) => event.type === "begun")?.contract ?? null;
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
