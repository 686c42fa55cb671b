// loop inbox: what waits for a person.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { featureId } from "../../core/ids.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Engine } from "../../engines/engine.ts";
import { everythingWaiting, type Waiting } from "../../engines/waiting.ts";
import { findRun } from "../../engines/watch.ts";
import { diffOf, heldDiff } from "../../runtime/held-diff.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { inboxText } from "../render/inbox.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const named = flags.run === undefined ? undefined : await findRun(engine, flags.run);
  const isGit = existsSync(join(context.root, ".git"));
  const waiting = (await everythingWaiting(engine, named)).map((item) => ({ ...item, isGit }));
  if (waiting.length === 0) await findRun(engine, named);
  if (context.json) context.answer(`${JSON.stringify({ version: 1, inbox: waiting.map(shape) }, null, 2)}\n`);
  else if (waiting.length === 0) context.answer("The inbox is empty.\n");
  else {
    const shown = new Map(
      await Promise.all(waiting.map(async (item) => [item, await filesInQuestion(item, engine)] as const)),
    );
    context.answer(inboxText(waiting, (item) => shown.get(item) ?? null));
  }
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
async function filesInQuestion({ run, runId, kind, about }: Waiting, engine: Engine): Promise<string | null> {
  if (kind !== "contradiction") return null;
  const held = progressIn(run.progress, featureId(about))?.held ?? null;
  const diff = await (await engine.read(runId)).file(heldDiff(about));
  return held === null || diff === null ? null : diffOf(diff, held.files ?? []);
}
