// Whether a person has brought a run's commits to a branch of their own, for example with git merge.
import { existsSync } from "node:fs";
import type { CommitId } from "../../core/ids.ts";
import { gitHome } from "../../project/place/make-place.ts";
import type { Place } from "../../project/place/places.ts";
import { branchesWith } from "../../workspace/git/repository/worktree.ts";

/** The person's branch that has the commit; null: it has not landed. */
export async function mergedBy(place: Place, commit: CommitId): Promise<string | null> {
  if (!existsSync(place.project)) return null;
  const all = await branchesWith(place.project, commit, gitHome(place));
  const theirs = all.filter((name) => !name.startsWith("loop/"));
  // After a detached HEAD there was no branch to land on: any of the person's own is one.
  return theirs.find((name) => name === place.onto) ?? (place.onto === null ? (theirs[0] ?? null) : null);
}
