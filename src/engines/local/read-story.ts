// A run as its journal tells it, without disturbing the process that drives it.
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { runId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import { readFileJournal } from "../../journal/file/read.ts";
import { type Place, placeOfRun } from "../../project/place/places.ts";
import { hasBegun } from "../../project/runs/begun.ts";
import { type RunHome, runDir, runFiles, runHome } from "../../project/runs/home.ts";
import { follow, newStory, type Story, storyVersion } from "../../report/story.ts";
import type { Worktree } from "../../report/worktree.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Plan, readPlan } from "../plan.ts";
import { noSuchRun } from "../watch.ts";
import type { became as whatBecame } from "./became.ts";
import { unpacked } from "./payloads.ts";

export type Home = { readonly home: RunHome; readonly plan: Plan; readonly place: Place | null };

export function homeOf(root: string, run: string): Home {
  if (!hasBegun(root, run)) throw noSuchRun(run);
  const vault = vaultDirFor(root);
  const plan = readPlanOf(root, run);
  const place = plan.worktree === undefined ? null : placeOfRun(root, run, plan.worktree);
  return { home: runHome(root, vault, plan.task, runId(run), place ?? undefined), plan, place };
}

const readPlanOf = (root: string, run: string): Plan => readPlan(runFiles(runDir(vaultDirFor(root), run))).plan;

/** Null: the run can no longer be read. */
export function planOf(root: string, run: string): Plan | null {
  try {
    return readPlanOf(root, run);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** The worktree as clients see it. */
export async function worktreeOf(place: Place, run: Run): Promise<Worktree> {
  const { root: dir, branch, onto, landed, left, landsBy = "land", inTheWay = [], records = null } = place;
  const tip = run.head?.commit ?? null;
  // The worktree may have the commits of an earlier run of the task: what counts is where it began, not what this run made.
  const isOpen = tip !== null && tip !== place.base && tip !== landed?.commit;
  const is = !isOpen ? null : isAtRest(run) ? await became(place, tip) : waiting;
  const by = is?.is === "merged" ? is : null;
  // A run that rests makes its branch again.
  const isDropped = is?.is === "dropped" && run.now.is === "stopped";
  return {
    dir,
    exists: existsSync(dir),
    branch,
    onto: by?.onto ?? onto,
    landed: by?.at ?? landed?.commit ?? null,
    kept: landed?.kept ?? [],
    isAhead: is !== null && by === null && !isDropped,
    isDropped,
    left,
    landsBy,
    inTheWay,
    records,
  };
}

const waiting = { is: "waiting" } as const;

const isAtRest = ({ now }: Run): boolean => now.is === "stopped" || now.is === "resting";

/** Loaded only for commits that have not landed, so that commands that look at runs start quickly. */
const became: typeof whatBecame = async (...about) => (await import("./became.ts")).became(...about);

export function readStory(root: string, run: string): { story: Story; seq: number } {
  const { plan, snapshot, events, seq } = pastOf(root, run, storyVersion);
  return { story: events.reduce(follow, snapshot ?? newStory(plan.contract)), seq };
}

/** Every event since the beginning. */
export function readEvents(root: string, run: string): { plan: Plan; events: readonly RunEvent[] } {
  return pastOf(root, run, everyEvent);
}

/** No snapshot has this version, so that none is used. */
const everyEvent = -1;

function pastOf(root: string, run: string, stateVersion: number) {
  const { home, plan } = homeOf(root, run);
  const files = runFiles(home.dir);
  const past = readFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    run,
    parse: (json) => unpacked(json, files),
    stateVersion,
  });
  return { ...past, plan };
}
