// What was set aside in any place of a project: in the person's folder, and in worktrees that exist or have existed.
import * as fs from "node:fs";
import { Bug } from "../../core/errors.ts";
import { isWorktree } from "../../workspace/git/repository/worktree.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Quarantine, Workspace } from "../../workspace/workspace.ts";
import { listPlaces, type Place, readPlace } from "../place/places.ts";

export type OpenQuarantine = {
  readonly quarantine: Quarantine;
  /** Where it is restored: where it comes from, or the person's folder if that worktree is gone. */
  readonly root: string;
  /** Null: the person's folder. */
  readonly place: Place | null;
};

export async function quarantinesOf(root: string, kind: Workspace["kind"]): Promise<OpenQuarantine[]> {
  const { quarantine } = await openWorkspace({ root, vaultDir: vaultDirFor(root), kind });
  const found: OpenQuarantine[] = [{ quarantine, root, place: null }];
  if (kind === "plain") return found;
  for (const name of listPlaces(root)) {
    const place = readPlace(root, name);
    if (place === null || !fs.existsSync(place.vault)) continue;
    const at = isWorktree(root, place.root) ? place : null;
    const opened = await openWorkspace({ root: at?.root ?? root, vaultDir: place.vault, kind });
    found.push({ quarantine: opened.quarantine, root: at?.root ?? root, place: at });
  }
  return found;
}

/** The one that has this entry; the first, which then says that there is none. */
export async function quarantineWith(all: readonly OpenQuarantine[], id: string): Promise<OpenQuarantine> {
  for (const one of all) if ((await one.quarantine.list()).some((entry) => entry.id === id)) return one;
  const [first] = all;
  if (first === undefined) throw new Bug("a project has no quarantine");
  return first;
}
