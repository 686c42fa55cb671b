// loop read: the commits of a run, riskiest first, one after the other.
import { UserError } from "../../core/errors.ts";
import { overviewOf } from "../../engines/overview.ts";
import { findRunThat } from "../../engines/watch.ts";
import type { Overview } from "../../report/overview.ts";
import type { ToRead } from "../../report/read-first.ts";
import { canAsk, choose } from "../ask.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { columnsOf } from "../render/columns.ts";
import { commitText, diffSize } from "../render/commit.ts";
import { wrapped } from "../render/wrap.ts";

export async function read(named: string | undefined, flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const id = await findRunThat(engine, named ?? flags.run, ({ spent }) => spent.commits > 0);
  const run = await overviewOf(engine, id);
  if (run.readFirst.length === 0) throw nothingToRead(id);
  const { file } = await engine.read(id);
  const diffOf = ({ commit, feature }: ToRead): Promise<string | null> =>
    file(`diffs/${feature}-i${run.iterations.find((it) => it.commit === commit)?.number}.diff`);
  if (context.json) {
    printAnswer(answers.read, await facts(run, diffOf), 0);
    return 0;
  }
  const isWalked = canAsk() && process.stdout.isTTY === true && !context.plain;
  for (const [at, commit] of run.readFirst.entries()) {
    const diff = await diffOf(commit);
    const text = commitText(run, commit, at, diff, context.paint);
    context.answer(`${wrapped(text, columnsOf(process.stdout))}\n`);
    if (!isWalked) context.verbatim(diff === null ? "" : `${diff}\n`);
    else if (!(await goesOn(context, diff, at + 1 < run.readFirst.length))) return 0;
  }
  return 0;
}

async function goesOn(context: Context, diff: string | null, hasMore: boolean): Promise<boolean> {
  const choices = [...(diff === null ? [] : ["[d]iff"]), ...(hasMore ? ["[n]ext"] : []), "[q]uit"];
  for (;;) {
    const said = await choose({ text: "", choices, otherwise: hasMore ? "n" : "q" }, left);
    if (said !== "d") return said === "n";
    context.verbatim(`${diff ?? "The diff is not kept."}\n`);
  }
}

const left = { what: "Stopped reading.", why: "The question was not answered.", next: "loop read" };

const facts = async (run: Overview, diffOf: (commit: ToRead) => Promise<string | null>) => ({
  run: run.run,
  commits: await Promise.all(
    run.readFirst.map(async (commit) => ({
      ...commit,
      ...diffSize(await diffOf(commit)),
      undo: run.hasGit ? undoOf(commit) : null,
    })),
  ),
});

const undoOf = ({ feature, takenBack }: ToRead): string | null => (takenBack === null ? `loop undo ${feature}` : null);

const nothingToRead = (run: string): UserError =>
  new UserError("no-such-run", {
    what: "There is nothing to read.",
    why: `Run ${run} has committed nothing.`,
    next: "loop list, then: loop read RUN",
  });
