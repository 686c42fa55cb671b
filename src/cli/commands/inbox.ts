// loop inbox: what waits for a person.
import { featureId } from "../../core/ids.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import { runDir, runFiles } from "../../engines/local/home.ts";
import { latestRun } from "../../engines/local/list-runs.ts";
import { readStory } from "../../engines/local/read-story.ts";
import { diffOf, heldDiff } from "../../runtime/held-diff.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import { type InboxWords, inboxWords } from "../../runtime/records/inbox-words.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { inboxText } from "../render/inbox.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const id = latestRun(context.root, flags.run);
  const { run } = readStory(context.root, id);
  const files = runFiles(runDir(vaultDirFor(context.root), id));
  const words = inboxWords(run);
  const items = run.inbox.map((item, at) => ({ ...item, rootCause: words[at]?.rootCause ?? "" }));
  if (context.json) context.answer(`${JSON.stringify({ version: 1, inbox: items }, null, 2)}\n`);
  else if (run.inbox.length === 0) context.answer("The inbox is empty.\n");
  else context.answer(inboxText(words, (item) => testsInQuestion(run, item, files)));
  return 0;
}

/** Only somebody who sees both can say which of them is right. */
function testsInQuestion(run: Run, { kind, about }: InboxWords, files: RunFiles): string | null {
  if (kind !== "contradiction") return null;
  const held = progressIn(run.progress, featureId(about))?.held ?? null;
  const diff = files.read(heldDiff(about));
  return held === null || diff === null ? null : diffOf(diff, held.files ?? []);
}
