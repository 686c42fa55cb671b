// loop show: everything about one run: its iterations, or its events.
import { findRun } from "../../engines/watch.ts";
import { runLogText } from "../../report/markdown/run-log.ts";
import { overview } from "../../report/overview.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function show(named: string | undefined, flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { story, isDriven } = await context.engine.read(await findRun(context.engine, named ?? flags.run));
  context.answer(
    context.json ? `${JSON.stringify({ version: 1, ...story }, null, 2)}\n` : runLogText(overview(story, { isDriven })),
  );
  return 0;
}
