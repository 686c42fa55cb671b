// Lands what a run has committed in its worktree: branch, index and files of the person's folder move forward together.
// Nothing is forced: what is in the way is named, and stays.
import type { RegisteredChecks } from "../../checks/library/library-check.ts";
import { UserError } from "../../core/errors.ts";
import type { CommitId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { Registered } from "../../project/config/registered.ts";
import { bringEscalated, bringLanded } from "../../project/place/bring-records.ts";
import { lockWorkspace } from "../../project/place/lock.ts";
import { dropPlace, gitHome, restorePlace, untouchedInputs } from "../../project/place/make-place.ts";
import { lockPlace, type Place, readPlace, writePlace } from "../../project/place/places.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { runDir, runFiles, runHome } from "../../project/runs/home.ts";
import { listRuns } from "../../project/runs/list-runs.ts";
import { landNext } from "../../report/worktree.ts";
import { isInIgnored, recordPaths, statePath } from "../../runtime/records/paths.ts";
import { isAncestor, tipOf } from "../../workspace/git/repository/worktree.ts";
import { openBranch, openWorkspace } from "../../workspace/open.ts";
import type { Condition } from "../../workspace/workspace.ts";
import type { Landed } from "../engine.ts";
import type { Running } from "../running.ts";
import { type Landing, mergeAndProve } from "./merge-and-prove.ts";
import { mirrorRun } from "./mirror.ts";
import { homeOf, planOf, readStory } from "./read-story.ts";
import { refuseUnproved } from "./refuse-unproved.ts";

/** How often the person may commit while the run is being merged with their branch. */
const roundsMax = 3;

/** After a run was closed: a success lands if nothing is in its way, and a worktree that is no longer needed goes. */
export async function settlePlace({ story, home }: Running, name: string): Promise<void> {
  const { run } = story;
  const at = readPlace(home.project.root, name);
  if (at === null) return;
  const place = isHandedBack(run) ? await escalate(at, { id: home.run, run }) : at;
  if (run.now.is !== "stopped") return;
  const { kind } = run.now.outcome;
  if (kind === "followup") return; // The next run goes on in it.
  if (kind !== "success") {
    await dropPlace(place, run.contract.recordsDir);
    return;
  }
  if (place.landsBy === "pull-request") return;
  try {
    const lock = await lockWorkspace(place.project, `landing ${place.branch}`);
    try {
      await forward(place, { id: home.run, run }, "by itself");
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    writePlace({ ...(readPlace(home.project.root, name) ?? place), left: error.why });
  }
}

/**
 * The run ended with something for a person, or at a limit. A success has its records in its commits, and one that waits
 * for an answer or a command goes on.
 */
function isHandedBack({ now }: Run): boolean {
  if (now.is !== "stopped" && now.is !== "resting") return false;
  const { outcome } = now;
  if (outcome.kind === "needs-person") return outcome.gate === undefined;
  return !["success", "followup", "paused"].includes(outcome.kind);
}

async function escalate(place: Place, { id, run }: Landing): Promise<Place> {
  const { recordsDir } = run.contract;
  if (isInIgnored(recordsDir)) return place;
  try {
    const lock = await lockWorkspace(place.project, `writing the records of ${place.branch}`);
    try {
      const brought = bringEscalated(place, recordsDir, runFiles(runDir(place.above, id)));
      writePlace(brought);
      return brought;
    } finally {
      await lock.release();
    }
  } catch (error) {
    // Another run works in the folder, and would take them for an agent's edits.
    if (!(error instanceof UserError) || error.code !== "workspace-locked") throw error;
    const left = { ...place, records: { written: [], left: recordPaths(recordsDir) } };
    writePlace(left);
    return left;
  }
}

/** On a person's request. */
export async function landRun(root: string, id: string, { checks = {} }: Registered): Promise<Landed> {
  const { place, plan } = homeOf(root, id);
  if (place === null)
    throw nothingToLand(
      plan.kind === "plain"
        ? `Run ${id} worked in your folder without git, so that what it has done is there.`
        : `Run ${id} works in your folder, so that its commits are on your branch.`,
    );
  const lock = await lockPlace(place, `landing ${place.branch}`);
  try {
    return await land(place, { id, run: readStory(root, id).story.run }, checks);
  } finally {
    await lock.release();
  }
}

type How = "by itself" | "on request";

/** The caller holds the lock of the place. */
async function land(place: Place, landing: Landing, checks: RegisteredChecks): Promise<Landed> {
  const { run } = landing;
  const lock = await lockWorkspace(place.project, `landing ${place.branch}`);
  try {
    let isMerged = false;
    for (let round = 0; round < roundsMax; round++) {
      const done = await forward(place, landing, "on request");
      if (done !== null) return { ...done, how: isMerged ? "merged" : done.how };
      await restorePlace(place, run.contract.proof, run.head?.commit ?? null);
      await mergeAndProve(place, landing, checks).catch((error: unknown) => {
        if (error instanceof UserError && error.code === "land-conflict")
          writePlace({ ...place, left: error.why, landsBy: "merge" });
        throw error;
      });
      isMerged = true;
    }
    throw refused("ref-busy", `Your branch moved again while the run was merged with it.`, "loop land");
  } finally {
    await lock.release();
  }
}

/** Null: the person's branch has commits that the run's has not. */
async function forward(place: Place, landing: Landing, how: How): Promise<Landed | null> {
  const { run } = landing;
  const { project, above, branch } = place;
  const home = gitHome(place);
  const tip = await tipOf(project, branch, home);
  if (tip === null && place.landed !== null && place.onto !== null)
    return { commit: place.landed.commit, onto: place.onto, how: "before" };
  if (tip === null) throw nothingToLand(`There is no branch ${branch}.`);
  const workspace = await openWorkspace({ root: project, vaultDir: above, kind: "git" });
  const condition = await workspace.inspect();
  const { head } = condition;
  refuseCondition(condition, place);
  if (head === null || place.onto === null) throw nothingToLand("HEAD is on no branch.");
  const is = (one: CommitId, other: CommitId) => isAncestor(project, one, other, home);
  const folder = await openBranch({ root: project, vaultDir: above });
  const theirs = how === "by itself" ? uncommitted(condition, place) : [];
  if (theirs.length > 0) {
    const changes = await workspace.changes(await folder.treeOf(head), await folder.treeOf(tip));
    const paths = new Set(changes.map(({ path }) => path));
    writePlace({ ...place, inTheWay: theirs.filter((path) => paths.has(path)) });
    throw refused("dirty-tree", `Your folder has uncommitted changes (${shown(theirs)}).`, "loop land");
  }
  const half = await folder.halfAdvanced();
  const isBehind = head !== tip && (await is(head, tip));
  if (!isBehind && half === null) {
    if (!(await is(tip, head))) return refuseMerge(place, run, how);
    if (place.landed === null && tip === place.base) throw nothingToLand(`${branch} has no commits.`);
    await record(place, landing, tip);
    return { commit: tip, onto: place.onto, how: "before" };
  }
  // One that was begun is finished: it was looked at before.
  if (half === null) await refuseUnproved(place, { from: head, to: tip }, run.contract.recordsDir);
  const order = { ...(half ?? { from: head, to: tip }), yields: untouchedInputs(place) };
  const advanced = await folder.advance(order);
  if (advanced.is === "moved") return refuseMerge(place, run, how);
  if (advanced.is === "in-the-way") {
    writePlace({ ...place, inTheWay: advanced.paths });
    throw inTheWay(advanced.paths);
  }
  await record(place, landing, order.to);
  return { commit: order.to, onto: place.onto, how: "forward" };
}

async function record(place: Place, { id, run }: Landing, commit: CommitId): Promise<void> {
  const brought = bringLanded(place, run.contract.recordsDir, runFiles(runDir(place.above, id)));
  const { project: root, above: vaultDir } = place;
  const kept = (await (await openWorkspace({ root, vaultDir, kind: "git" })).inspect()).dirty;
  const here = {
    ...brought,
    landed: { commit, at: Date.now(), kept },
    left: null,
    landsBy: undefined,
    inTheWay: undefined,
    records: undefined,
  };
  const landed = escalatedAfter(here);
  writePlace(landed);
  bringFiles(place, id);
  // A run that rests goes on in its worktree.
  if (run.now.is === "stopped") await dropPlace(landed, run.contract.recordsDir);
}

/** What the latest run in the worktree escalated after its last commit, or without one: a commit is older than that. */
function escalatedAfter(place: Place): Place {
  const { project, above, name } = place;
  const last = listRuns(project).find((run) => planOf(project, run)?.worktree === name);
  if (last === undefined) return place;
  const { run } = readStory(project, last).story;
  const { recordsDir } = run.contract;
  if (isInIgnored(recordsDir) || !isHandedBack(run)) return place;
  return bringEscalated(place, recordsDir, runFiles(runDir(above, last)));
}

/** The folders of the runs in the worktree, which go with it: log, events, sessions and artifacts are for people to read. */
function bringFiles({ project }: Place, id: string): void {
  const { plan } = homeOf(project, id);
  const isThere = (run: string): boolean => run <= id && planOf(project, run)?.worktree === plan.worktree;
  const disk = workspaceDisk(project);
  // The oldest first: the index of the task and the state are those of the latest.
  for (const run of listRuns(project).filter(isThere).reverse()) {
    const { home } = homeOf(project, run);
    const theirs = runHome(project, home.project.vault, home.task, home.run);
    const files = runFiles(home.dir);
    disk.write(`.loop/tasks/${home.task}/runs/${run}/events.jsonl`, files.read("events.jsonl"));
    mirrorRun(theirs, files, disk, readStory(project, run).story, { light: false, landing: true });
  }
}

function refuseMerge({ onto }: Place, { now }: Run, how: How): null {
  if (how === "by itself") throw refused("land-conflict", `${onto} has moved since the run began.`, "loop land");
  if (now.is === "stopped") return null;
  const why = `${onto} has moved since the run began, and the run is not over.`;
  throw refused("land-run-open", why, "loop continue, or: loop cancel; then: loop land");
}

function refuseCondition({ branch, obstacles }: Condition, place: Place): void {
  const [first] = obstacles;
  if (first !== undefined) throw refused(first.kind, first.why, `${first.next}; then: loop land`);
  if (place.onto === null)
    throw refused(
      "land-other-branch",
      "The run began on a detached HEAD, so that there is no branch to land on.",
      `Keep it as a branch: ${landNext({ ...place, landsBy: "land", inTheWay: [] })}; or on a branch of yours: git merge ${place.branch}`,
    );
  if (branch !== place.onto)
    throw refused(
      "land-other-branch",
      `You are on ${branch ?? "a detached HEAD"}, and the run began on ${place.onto}.`,
      `git switch ${place.onto}, then: loop land`,
    );
}

/** Nothing lands by itself in a folder where a person is at work. */
function uncommitted({ dirty }: Condition, place: Place): readonly string[] {
  const mayYield = untouchedInputs(place);
  return dirty.filter((path) => !mayYield.has(path) && path !== statePath);
}

const shown = (paths: readonly string[]): string =>
  `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;

const refused = (code: UserError["code"], why: string, next: string): UserError =>
  new UserError(code, { what: "Nothing was landed.", why, next });
const nothingToLand = (why: string): UserError => refused("nothing-to-land", why, "loop status");
const inTheWay = (paths: readonly string[]): UserError =>
  refused(
    "land-in-the-way",
    `These files have changes that are in no commit, and would be overwritten, or taken out of the index: ${shown(paths)}`,
    "Commit, stash or move them (git may ignore some of them), then: loop land",
  );
