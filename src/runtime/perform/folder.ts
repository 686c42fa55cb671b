// Keeps the folder what the loop last recorded. Checks, and sessions that only look, have no business in it.
import type { TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile, Workspace } from "../../workspace/workspace.ts";
import type { Ports } from "../ports.ts";
import { repairGuarded } from "../records/guard.ts";
import { notWork } from "../records/paths.ts";

/**
 * Makes the folder hold `tree` again, apart from the loop's own files, which are put back to what the loop knows. What was
 * there is set aside, and the run log says so: it may be a person's.
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
  // Somebody committed meanwhile: what is there now is theirs, and the next step says that the branch moved.
  if (run.head !== null && (await workspace.head()) !== run.head.commit) return;
  if ((await workspace.tree(await asIn(workspace, tree, except))) === tree) return;
  const { quarantine, files } = await workspace.setFiles(tree, { why, except });
  if (files.length === 0) return;
  const shown = `${files.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}`;
  const back = quarantine === null ? "" : ` To see it: loop recover ${quarantine}`;
  note("set aside", `The folder was not as the loop left it (${why}): ${shown}. The loop restored it.${back}`);
}

/** These paths as a tree has them, to be laid over the folder. */
export const asIn = (workspace: Workspace, tree: TreeId, paths: ReadonlySet<string>): Promise<LaidFile[]> =>
  Promise.all([...paths].map(async (path) => ({ path, content: await workspace.read(tree, path) })));
