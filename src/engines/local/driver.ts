// Whether a process drives a run. The lock is that of the place where it works; its description says for which run it is
// held.

import { type Place, whoDrivesAt } from "../../project/place/places.ts";
import { listRuns } from "../../project/runs/list-runs.ts";
import { homeOf, planOf } from "./read-story.ts";

/** A new run has no name yet when its place is locked. */
export const aboutNewRun = (request: string): string => `${newRun}${request.slice(0, 80)}`;
export const aboutRun = (run: string): string => `run ${run}`;
const newRun = "run for: ";

export async function isDriven(root: string, run: string): Promise<boolean> {
  const { place } = homeOf(root, run);
  const holder = await whoDrivesAt(root, place);
  if (holder === null) return false;
  const about = holder.owner?.about ?? newRun;
  return about === aboutRun(run) || (about.startsWith(newRun) && latestAt(root, place) === run);
}

/** Whether any process works where the run works. */
export const isBusy = async (root: string, run: string): Promise<boolean> =>
  (await whoDrivesAt(root, homeOf(root, run).place)) !== null;

const latestAt = (root: string, place: Place | null): string | undefined =>
  listRuns(root).find((run) => planOf(root, run)?.worktree === place?.name);
