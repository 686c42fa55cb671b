// loop status: the state of the run, immediately and without disturbing it.
import type { Engine } from "../../engines/engine.ts";
import { overviewOf } from "../../engines/overview.ts";
import { findRun, readIfPossible } from "../../engines/watch.ts";
import type { SealList } from "../../project/proofs/seal-list.ts";
import { nextStart, openFeatures } from "../../project/queue/open-features.ts";
import { noRunsText } from "../../project/runs/no-runs.ts";
import type { Shown } from "../../proof/classify/index.ts";
import { addressed } from "../../report/words/left.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { heldText } from "../held-text.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { runFacts } from "../json/run-shape.ts";
import { statusText } from "../render/status.ts";

export async function status(flags: GlobalFlags & { seal?: boolean }): Promise<number> {
  const context = contextOf(flags);
  if (flags.seal === true) return sealStatus(context);
  const { engine } = context;
  const [latest] = await engine.runs();
  if (latest === undefined && flags.run === undefined) return noRunYet(context);
  const name = await findRun(engine, flags.run);
  const found = await overviewOf(engine, name);
  const run = name === latest ? found : addressed(found);
  const others = flags.run === undefined ? await otherOpen(engine, run.run) : [];
  if (context.json) printAnswer(answers.status, { ...runFacts(run), others }, 0);
  else
    context.answer(`${statusText(run, context.paint, others)}${flags.run === undefined ? heldText(context.root) : ""}`);
  return 0;
}

/** A fresh repository is no mistake. */
function noRunYet(context: Context): number {
  const next = nextStart(openFeatures(context.root));
  if (context.json) printAnswer(answers.noRunYet, { run: null, next }, 0);
  else context.answer(`${noRunsText(context.root)}\n${heldText(context.root) || `Next: ${next}\n`}`);
  return 0;
}

/** Several runs can be open at once, in worktrees. */
async function otherOpen(engine: Engine, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const run of (await engine.runs()).filter((each) => each !== id).slice(0, othersMax)) {
    const story = await readIfPossible(engine, run);
    if (story !== null && story.run.now.is !== "stopped") found.push(run);
  }
  return found;
}
const othersMax = 20;

/** What is sealed, and why. */
async function sealStatus(context: Context): Promise<number> {
  const { listSeal } = await import("../../project/proofs/seal-list.ts");
  const list = await listSeal(context.root);
  if (context.json) printAnswer(answers.seal, list, 0);
  else context.answer(sealText(list, context));
  return 0;
}

function sealText({ product, protected: kept, released }: SealList, { paint }: Pick<Context, "paint">): string {
  const part = (title: string, files: readonly Shown[]): string => {
    const reasons = [...new Set(files.map(({ reason }) => reason))];
    const groups = reasons.map((reason) => {
      const paths = files.filter((file) => file.reason === reason).map(({ path }) => `    ${path}\n`);
      return `  ${paint.dim(reason)}\n${paths.join("")}`;
    });
    return `${paint.bold(`${title} (${files.length})`)}\n${groups.join("")}`;
  };
  const free =
    released.length === 0 ? "" : `${paint.bold("May change by scope.may_change")}\n  ${released.join("\n  ")}\n`;
  return `${part("Product: what a feature may change", product)}\n${part("Protected: what it is judged by", kept)}${free}
To correct this, name product files under product: in loop.yaml, and test files under checks: tests.\n`;
}
