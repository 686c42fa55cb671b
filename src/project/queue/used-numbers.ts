// The numbers of features that are taken: by commits, which a new clone has without the queue of their runs, and by the
// runs of this workspace, whose features come into the person's queue only when they land.
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import { featuresSource } from "../../runtime/records/paths.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { openVault, vaultDirFor } from "../../workspace/vault.ts";
import { commitsOf } from "../proofs/proved-commits.ts";
import { runsDir } from "../runs/home.ts";
import { listRuns } from "../runs/list-runs.ts";

/** The highest number among the commits of the branch and all runs of this workspace; 0: there is none. */
export async function highestUsed(root: string): Promise<number> {
  const inRuns = highestInRuns(root);
  if (findRepositoryRoot(root) !== root) return inRuns;
  const commits = await commitsOf(root, openVault(vaultDirFor(root), root).home, null).all();
  return highest(
    commits.map(({ feature }) => /^F(\d{1,9})$/.exec(feature)?.[1]),
    inRuns,
  );
}

/** Held, waiting and cancelled features keep their numbers too: each was shown to a person. */
export function highestInRuns(root: string): number {
  const dir = runsDir(vaultDirFor(root));
  return listRuns(root).reduce((most, run) => {
    // Not parsed: there can be many runs with long queues, and a damaged one must not stop a new run.
    const text = readIfExists(join(dir, run, featuresSource)) ?? "";
    return highest(
      [...text.matchAll(/"id"\s*:\s*"F(\d{1,9})"/g)].map(([, number]) => number),
      most,
    );
  }, 0);
}

const highest = (numbers: readonly (string | undefined)[], least: number): number =>
  numbers.reduce((most, number) => Math.max(most, Number(number ?? 0)), least);
