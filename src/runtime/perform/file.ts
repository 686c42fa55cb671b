// Commits the records of a run that is over. On retry: an existing commit is adopted, newer records get another one,
// and without changes there is no commit.
import type { Effect } from "../../core/effect.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile } from "../../workspace/workspace.ts";
import type { Ports, Result } from "../ports.ts";
import { recordPaths } from "../records/paths.ts";

export async function fileRecords(
  { outcome }: Extract<Effect, { do: "file" }>,
  { contract, head, spent }: Run,
  ports: Ports,
): Promise<Result> {
  // A run that achieved nothing leaves no commit behind, not even for its own records.
  if (head === null || spent.commits === 0) return { type: "filed", commit: null };
  const { workspace } = ports;
  const ours = new Set(recordPaths(contract.recordsDir));
  const changes = await workspace.changes(head.tree, await workspace.tree());
  // A person may already be working in the folder: commit only the records.
  const others = changes.filter(({ path }) => !ours.has(path));
  const lay: LaidFile[] = await Promise.all(
    others.map(async ({ path }) => ({ path, content: await workspace.read(head.tree, path) })),
  );
  const tree = await workspace.tree(lay);
  if (tree === head.tree) return { type: "filed", commit: null };
  const subject = `chore(loop): record run ${ports.run} (${outcome.kind})`;
  const order = { tree, subject, body: "", trailers: { "Loop-Run": ports.run, "Loop-Records": "yes" } };
  const first = await workspace.commit({ ...order, parent: head.commit });
  if (first.is !== "moved" && first.tree === tree) return { type: "filed", commit: first.commit };
  // A commit from before an interruption may contain older records.
  const made = first.is === "moved" ? first : await workspace.commit({ ...order, parent: first.commit });
  if (made.is !== "moved") return { type: "filed", commit: made.commit };
  ports.note("records", "The branch has moved, so the records of the run were left uncommitted.");
  return { type: "filed", commit: first.is === "moved" ? null : first.commit };
}
