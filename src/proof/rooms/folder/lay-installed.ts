// Copies what is installed in one folder into a new worktree of it: dependencies and named files, as rooms get them.
import { join, posix } from "node:path";
import type { CommitId } from "../../../core/ids.ts";
import { lstatIfExists } from "../../../host/disk.ts";
import { openRoomSource } from "../../../workspace/git/rooms/room-source.ts";
import { openBranch } from "../../../workspace/open.ts";
import { copy } from "../copy.ts";
import { takeInventory } from "../inventory.ts";
import { dropStrays } from "../keep-layer.ts";
import { rootGroups } from "../kept-roots.ts";
import type { RoomTerms } from "../room.ts";
import { relocateAll } from "./installed.ts";

export type LayOrder = {
  readonly project: string;
  readonly vaultDir: string;
  readonly commit: CommitId;
  /** The worktree. */
  readonly to: string;
};

export async function layInstalled({ project, vaultDir, commit, to }: LayOrder, terms: RoomTerms): Promise<void> {
  const branch = await openBranch({ root: project, vaultDir });
  const source = await openRoomSource({ root: project, vaultDir, kind: "git" });
  const signal = new AbortController().signal;
  const groups = await rootGroups(source, await branch.treeOf(commit), terms);
  const roots = groups.filter(({ of }) => of !== "home").flatMap(({ roots: all }) => all);
  // A root may lie within another one, which then has to come first.
  for (const root of roots.sort((one, other) => one.split("/").length - other.split("/").length)) {
    const [from, at] = [join(source.root, root), join(to, root)];
    if (isThroughLink(source.root, root) || lstatIfExists(at) !== undefined) continue;
    await copy(from, at, signal);
    if (lstatIfExists(at)?.isDirectory() === true) dropStrays(to, root, takeInventory(from), source.root);
    relocateAll(to, root, { from: source.root, to });
  }
}

/** A link on the way, or in its place, would lead to something else. */
function isThroughLink(dir: string, root: string): boolean {
  for (let at = root; at !== "."; at = posix.dirname(at)) {
    const stat = lstatIfExists(join(dir, at));
    if (stat === undefined || stat.isSymbolicLink()) return true;
  }
  return false;
}
