// What has become of a run's commits that the loop itself has not landed.
import { existsSync } from "node:fs";
import type { CommitId } from "../../core/ids.ts";
import { gitHome } from "../../project/place/make-place.ts";
import type { Place } from "../../project/place/places.ts";
import { branchesWith, isAncestor } from "../../workspace/git/repository/worktree.ts";

/** `merged` with the person's branch, by landing or for example with git merge; `dropped`: no branch has them any more. */
export type Became =
  | { readonly is: "waiting" | "dropped" }
  | { readonly is: "merged"; readonly onto: string; readonly at: CommitId };

export async function became(place: Place, commit: CommitId): Promise<Became> {
  if (!existsSync(place.project)) return { is: "waiting" };
  const home = gitHome(place);
  if (
    place.landed !== null &&
    place.onto !== null &&
    (await isAncestor(place.project, commit, place.landed.commit, home))
  )
    return { is: "merged", onto: place.onto, at: place.landed.commit };
  const all = await branchesWith(place.project, commit, home);
  if (all.length === 0) return { is: "dropped" };
  const theirs = all.filter((name) => !name.startsWith("loop/"));
  // After a detached HEAD there was no branch to land on: any of the person's own is one.
  const onto = theirs.find((name) => name === place.onto) ?? (place.onto === null ? theirs[0] : undefined);
  return onto === undefined ? { is: "waiting" } : { is: "merged", onto, at: commit };
}
