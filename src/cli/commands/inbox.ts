// loop inbox: what waits for a person.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { featureId } from "../../core/ids.ts";
import { progressIn } from "../../core/progresses.ts";
import { everythingWaiting, type Waiting } from "../../engines/local/waiting.ts";
import { runDir, runFiles } from "../../project/home.ts";
import { latestRun } from "../../project/list-runs.ts";
import { diffOf, heldDiff } from "../../runtime/held-diff.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { inboxText } from "../render/inbox.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const named = flags.run === undefined ? undefined : latestRun(context.root, flags.run);
  const isGit = existsSync(join(context.root, ".git"));
  const waiting = everythingWaiting(context.root, named).map((item) => ({ ...item, isGit }));
  if (waiting.length === 0) latestRun(context.root, named);
  if (context.json) context.answer(`${JSON.stringify({ version: 1, inbox: waiting.map(shape) }, null, 2)}\n`);
  else if (waiting.length === 0) context.answer("The inbox is empty.\n");
  else context.answer(inboxText(waiting, (item) => filesInQuestion(item, context.root)));
  return 0;
}

const shape = ({ runId, about, kind, what, rootCause, supposition, next }: Waiting): object => ({
  run: runId,
  feature: about === "run" || kind === "gate" ? null : about,
  kind,
  text: what,
  rootCause,
  supposition,
  next,
});

/** A person needs to see both versions to decide which is right. */
function filesInQuestion({ run, runId, kind, about }: Waiting, root: string): string | null {
  if (kind !== "contradiction") return null;
  const held = progressIn(run.progress, featureId(about))?.held ?? null;
  const diff = runFiles(runDir(vaultDirFor(root), runId)).read(heldDiff(about));
  return held === null || diff === null ? null : diffOf(diff, held.files ?? []);
}
