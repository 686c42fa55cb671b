// loop inbox: what waits for a person.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../engines/engine.ts";
import { heldIn } from "../../engines/held-work.ts";
import { everythingWaiting, type Waiting, withoutRests } from "../../engines/waiting.ts";
import { findRun } from "../../engines/watch.ts";
import { heldBranch } from "../../report/words/held-branch.ts";
import { diffOf, heldDiff } from "../../runtime/held-diff.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { inboxFacts } from "../json/inbox-facts.ts";
import { printAnswer } from "../json/print.ts";
import { inboxText } from "../render/inbox.ts";

export async function inbox(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const named = flags.run === undefined ? undefined : await findRun(engine, flags.run);
  const isGit = existsSync(join(context.root, ".git"));
  const waiting = withoutRests(await everythingWaiting(engine, named)).map((item) => ({
    ...item,
    request: item.run.contract.request,
    branch: isGit ? branchOf(item) : null,
  }));
  if (context.json) printAnswer(answers.inbox, { inbox: waiting.map(inboxFacts) }, 0);
  else if (waiting.length === 0) context.answer("The inbox is empty.\n");
  else {
    const shown = new Map(
      await Promise.all(waiting.map(async (item) => [item, await filesInQuestion(item, engine)] as const)),
    );
    context.answer(inboxText(waiting, (item) => shown.get(item) ?? null));
  }
  return 0;
}

/** Null: it is not about held work. */
function branchOf({ run, about }: Waiting): string | null {
  const held = heldIn(run, about);
  return held === null ? null : heldBranch(held, about);
}

/** A person needs to see both versions to decide which is right. */
async function filesInQuestion({ run, runId, kind, about }: Waiting, engine: Engine): Promise<string | null> {
  if (kind !== "contradiction") return null;
  const held = heldIn(run, about);
  const diff = await (await engine.read(runId)).file(heldDiff(about));
  return held === null || diff === null ? null : diffOf(diff, held.files ?? []);
}
