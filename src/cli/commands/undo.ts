// loop undo: takes finished features back with revert commits, after asking.
import { UserError } from "../../core/errors.ts";
import type { Engine } from "../../engines/engine.ts";
import { findRun, readingIfPossible } from "../../engines/watch.ts";
import { lockWorkspace } from "../../project/place/lock.ts";
import { planUndo, type UndoPlan, undo } from "../../project/runs/undo.ts";
import { count } from "../../report/words/words.ts";
import { canAsk, choose } from "../ask.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

/** Older runs have come to an end, or were given up. */
const runsMax = 50;

export async function undoFeatures(
  features: readonly string[],
  flags: GlobalFlags & { yes?: boolean },
): Promise<number> {
  const context = contextOf(flags);
  const { engine, root, paint } = context;
  const run = flags.run === undefined ? null : await findRun(engine, flags.run);
  await refuseOpenRun(engine);
  const lock = await lockWorkspace(root, `loop undo ${features.join(" ")}`);
  try {
    const plan = await planUndo({ root, features, run });
    if (flags.yes !== true) {
      if (!canAsk() || context.json) throw notAsked(features);
      context.comment(`${paint.bold("This would be undone")}\n${planText(plan)}\n`);
      if (!(await isAgreed())) {
        context.answer("Nothing was undone.\n");
        return 0;
      }
    }
    const commits = await undo(plan);
    const undone = plan.steps.map(({ feature, commit }, at) => ({ feature, commit, revert: commits[at] ?? null }));
    if (context.json) printAnswer(answers.undo, { undone, files: plan.files, queue: plan.queue }, 0);
    else
      context.answer(
        `${undone.map(({ feature, revert }) => `Undid ${feature} at ${revert?.slice(0, 10)}`).join("\n")}\n${openText(plan)}Next: loop check   (runs the checks on what is left)\n`,
      );
    return 0;
  } finally {
    await lock.release();
  }
}

function planText({ steps, files, branch }: UndoPlan): string {
  const shown = files.slice(0, 8).join(", ");
  return [
    ...steps.map(({ feature, commit, subject }) => `  ${feature}  ${commit.slice(0, 10)}  ${subject}`),
    `  ${count(steps.length, "revert commit")} on ${branch ?? "a detached HEAD"}, ${count(files.length, "file")}: ${shown}${files.length > 8 ? ", …" : ""}`,
  ].join("\n");
}

function openText({ queue, reopened }: UndoPlan): string {
  if (queue === null) return "";
  const [is, them] = reopened.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${reopened.join(", ")} ${is} open again in ${queue}
The next loop run builds ${them} again, which is paid for. To leave ${them} out: remove ${them} from ${queue}\n`;
}

async function isAgreed(): Promise<boolean> {
  const unanswered = {
    what: "Nothing was undone.",
    why: "The question was not answered.",
    next: "loop undo FEATURE --yes",
  };
  return (await choose({ text: "Undo it?", choices: ["[y]es", "[n]o"], otherwise: "n" }, unanswered)) === "y";
}

/** A run that works in this folder would find its branch moved. Runs in worktrees can be newer than it. */
async function refuseOpenRun(engine: Engine): Promise<void> {
  for (const run of (await engine.runs()).slice(0, runsMax)) {
    const reading = await readingIfPossible(engine, run);
    if (reading === null || reading.worktree !== undefined || reading.story.run.now.is === "stopped") continue;
    throw new UserError("run-is-active", {
      what: "Nothing was undone.",
      why: `Run ${run} is not over, and works in this folder.`,
      next: `loop continue --run ${run}, or: loop cancel --run ${run}. Then run the same command again.`,
    });
  }
}

const notAsked = (features: readonly string[]): UserError =>
  new UserError("no-terminal", {
    what: "Nothing was undone.",
    why: "It has to be agreed to, and this is not a terminal.",
    next: `loop undo ${features.join(" ")} --yes`,
  });
