// loop watch: what a run does now, in any other terminal. Ends when the run rests or is over.
import { next } from "../../core/next.ts";
import { undoneIn } from "../../engines/overview.ts";
import { findRun, watch as watched } from "../../engines/watch.ts";
import { standingOf, stateWords } from "../../report/state.ts";
import type { Story } from "../../report/story.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { lineOf } from "../json/line-shapes.ts";
import { printLine } from "../json/print.ts";
import { Keys } from "../keys.ts";
import { informed, Screen } from "../screen.ts";

export async function watch(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine, mode, commentPaint: paint } = context;
  const run = await findRun(engine, flags.run);
  const { isDriven, story: known } = await engine.read(run);
  const beside = { isDriven, undone: await undoneIn(engine, known) };
  const screen = new Screen({ out: process.stderr, paint, mode, isDetailed: mode === "lines", joins: true });
  const items = engine.subscribe(run);
  const keys = new Keys({
    onKey: (key) => void (key === "q" ? items.return() : screen.take(key)),
    onLeave: () => screen.hide(),
  });
  const leave = (): void => void items.return();
  process.once("SIGINT", leave);
  if (mode === "live") informed(screen, engine, run);
  let last: Story | null = null;
  let isFirst = true;
  let rests = false;
  try {
    for await (const { item, story } of watched(items)) {
      last = story;
      if (context.json) printLine(lineOf(item, beside));
      rests = item.type === "rest";
      if (rests) break;
      if (isFirst && next(story.run) !== null) context.comment(`  Watching run ${run}\n`);
      isFirst = false;
      screen.show(item, story);
      if (mode === "live") keys.start();
    }
  } finally {
    process.off("SIGINT", leave);
    keys.stop();
    screen.close();
    await items.return();
  }
  if (last !== null && rests && !context.json) context.answer(restText(run, last, context));
  return 0;
}

/** The subscription has ended: if the run has no outcome, its process is gone. */
function restText(run: string, { run: state }: Story, { paint }: Context): string {
  const { state: is, why, next: command } = standingOf(state, false);
  return `Run ${run}: ${stateWords[is]}. ${why}\nNext: ${paint.bold(command)}\n`;
}
