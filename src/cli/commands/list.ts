// loop list: the runs of this workspace, newest first.
import { isReadable, overviewsOf } from "../../engines/overview.ts";
import type { Overview } from "../../report/overview.ts";
import { stateWords } from "../../report/state.ts";
import { isoTime, money } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function list(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const all = await overviewsOf(context.engine);
  const shown = flags.task === undefined ? all : all.filter((run) => isReadable(run) && run.task === flags.task);
  if (context.json) {
    context.answer(
      `${JSON.stringify({ version: 1, runs: shown.map((run) => (isReadable(run) ? brief(run) : run)) }, null, 2)}\n`,
    );
    return 0;
  }
  const rows = shown.map((run) => (isReadable(run) ? row(run) : `${run.run}  cannot be read: ${run.unreadable}`));
  context.answer(rows.length === 0 ? "No run was ever begun here.\n" : `${rows.join("\n")}\n`);
  return 0;
}

const row = (run: Overview): string =>
  [
    run.run,
    isoTime(run.begunAt),
    (run.outcome?.kind ?? stateWords[run.state]).padEnd(12),
    `${run.done}/${run.total}`.padEnd(7),
    money(run.spent.costUsd, run.spent.estimated).padEnd(9),
    run.request.split("\n")[0]?.slice(0, 60),
  ].join("  ");

/** Without what grows with the length of a run: status has all of it. */
function brief({ iterations, timeline, sessions, problems, notes, ...run }: Overview): object {
  return run;
}
