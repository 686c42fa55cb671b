// loop alone: where things stand and what waits for you. Starts nothing.
import { overviewOf } from "../../engines/overview.ts";
import { everythingWaiting } from "../../engines/waiting.ts";
import { openFeatures } from "../../project/open-features.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { columnsOf } from "../render/columns.ts";
import { whereText } from "../render/where.ts";
import { wrapped } from "../render/wrap.ts";

export async function where(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine, root, paint } = context;
  const [latest] = await engine.runs();
  const open = openFeatures(root);
  const run = latest === undefined ? null : await overviewOf(engine, latest);
  const waiting = run === null ? [] : await everythingWaiting(engine, undefined);
  if (context.json) {
    const inbox = waiting.map(({ runId, about, kind, what, next }) => ({ run: runId, about, kind, text: what, next }));
    const next = run === null ? (open.features.length > 0 ? "loop run" : null) : run.next;
    context.answer(
      `${JSON.stringify({ version: 1, run, inbox, openFeatures: open.features.map(({ id }) => id), next }, null, 2)}\n`,
    );
    return 0;
  }
  context.answer(wrapped(whereText({ run, waiting, open }, paint), columnsOf(process.stdout)));
  return 0;
}
