// Saves the records of a run that is over. Asked again: a commit that was made is adopted, and with nothing to save none is.
import type { Effect } from "../../core/effect.ts";
import type { Run } from "../../core/run.ts";
import type { LaidFile } from "../../workspace/workspace.ts";
import type { Fact, Ports } from "../ports.ts";
import { recordPaths } from "../records/paths.ts";

export async function fileRecords(
  { outcome }: Extract<Effect, { do: "file" }>,
  { contract, head, spent }: Run,
  ports: Ports,
): Promise<Fact> {
  // A run that achieved nothing leaves no commit behind, not even of its own records.
  if (head === null || spent.commits === 0) return { type: "filed", commit: null };
  const { workspace } = ports;
  const ours = new Set(recordPaths(contract.recordsDir));
  const changes = await workspace.changes(head.tree, await workspace.tree());
  // A person may be working beside us by now: only the records go in.
  const others = changes.filter(({ path }) => !ours.has(path));
  const lay: LaidFile[] = await Promise.all(
    others.map(async ({ path }) => ({ path, content: await workspace.read(head.tree, path) })),
  );
  const tree = await workspace.tree(lay);
  if (tree === head.tree) return { type: "filed", commit: null };
  const subject = `chore(loop): record run ${ports.run} (${outcome.kind})`;
  const made = await workspace.commit({
    tree,
    parent: head.commit,
    subject,
    body: "",
    trailers: { "Loop-Run": ports.run, "Loop-Records": "yes" },
  });
  if (made.is !== "moved") return { type: "filed", commit: made.commit };
  ports.note("records", "The branch has moved, so the records of the run were left uncommitted.");
  return { type: "filed", commit: null };
}
