// The folder, before a person is asked anything about a run: what keeps it from starting, and what it would not see.
import { UserError } from "../../core/errors.ts";
import type { Settings } from "../../formats/config/settings.ts";
import { obstacleFor } from "../../runtime/preflight.ts";
import { notWork } from "../../runtime/records/paths.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { whoDrives } from "./who-drives.ts";

/** Returns the files with uncommitted changes, which a run in a worktree does not see. */
export async function lookAtFolder(
  root: string,
  { place, recordsDir }: Pick<Settings, "place" | "recordsDir">,
): Promise<readonly string[]> {
  // Another run works in this folder, so that its files are not the person's. Beginning says which run it is.
  if (place === "here" && (await whoDrives(root)) !== null) return [];
  const workspace = await openWorkspace({ root, vaultDir: vaultDirFor(root), kind: "git" });
  const condition = await workspace.inspect();
  const stop = obstacleFor(condition, recordsDir, place);
  if (stop !== null) throw new UserError(stop.code, { what: "The run did not start.", why: stop.why, next: stop.next });
  const ours = notWork(recordsDir);
  return place === "here" ? [] : condition.dirty.filter((path) => !ours.has(path));
}
