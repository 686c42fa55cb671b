// Whether a process drives a run. The lock is the workspace's; its description says for which run it is held.
import { listRuns } from "../../project/list-runs.ts";
import { whoDrives } from "../../project/who-drives.ts";

/** A new run has no name yet when its workspace is locked. */
export const aboutNewRun = (request: string): string => `${newRun}${request.slice(0, 80)}`;
export const aboutRun = (run: string): string => `run ${run}`;
const newRun = "run for: ";

export async function isDriven(root: string, run: string): Promise<boolean> {
  const holder = await whoDrives(root);
  if (holder === null) return false;
  const about = holder.owner?.about ?? newRun;
  return about === aboutRun(run) || (about.startsWith(newRun) && listRuns(root)[0] === run);
}
