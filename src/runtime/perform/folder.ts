// Restores the folder to the last recorded state. Checks and read-only sessions must not change it.
import type { TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile, Workspace } from "../../workspace/workspace.ts";
import type { Ports } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { notWork } from "../records/paths.ts";

/**
 * Restores the folder to `tree`, and the loop's own files to their known content. Any other content is quarantined
 * first, and the run log says so: it may be a person's.
 */
export async function keepFolder(
  run: Pick<Run, "contract" | "head">,
  tree: TreeId,
  why: string,
  ports: Ports,
): Promise<void> {
  const { workspace, note } = ports;
  const { recordsDir } = run.contract;
  for (const { kind, what } of repairGuarded(ports, recordsDir)) note(kind, what);
  const except = notWork(recordsDir);
  // Someone committed in the meantime: the content is theirs, and the next step reports that the branch moved.
  if (run.head !== null && (await workspace.head()) !== run.head.commit) return;
  if ((await workspace.tree(await asIn(workspace, tree, except))) === tree) return;
  const { quarantine, files } = await workspace.setFiles(tree, { why, except });
  if (files.length === 0) return;
  const shown = `${files.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}`;
  const back = quarantine === null ? "" : ` To see it: loop recover ${quarantine}`;
  note("set aside", `The folder was not as the loop left it (${why}): ${shown}. The loop restored it.${back}`);
}

/** These paths as they are in a tree, to be laid over the folder. */
export const asIn = (workspace: Workspace, tree: TreeId, paths: ReadonlySet<string>): Promise<LaidFile[]> =>
  Promise.all([...paths].map(async (path) => ({ path, content: await workspace.read(tree, path) })));
