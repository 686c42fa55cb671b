// loop list: the runs of this workspace, newest first.
import { briefOverviewOf } from "../../engines/overview.ts";
import type { Overview } from "../../report/overview.ts";
import { stateWords } from "../../report/state.ts";
import { isoTime, money } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function list(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const all = await Promise.all((await engine.runs()).map((run) => briefOverviewOf(engine, run)));
  const shown = flags.task === undefined ? all : all.filter(({ task }) => task === flags.task);
  if (context.json) {
    context.answer(`${JSON.stringify({ version: 1, runs: shown.map(brief) }, null, 2)}\n`);
    return 0;
  }
  const rows = shown.map((run) =>
    [
      run.run,
      isoTime(run.begunAt),
      (run.outcome?.kind ?? stateWords[run.state]).padEnd(12),
      `${run.done}/${run.total}`.padEnd(7),
      money(run.spent.costUsd, run.spent.estimated).padEnd(9),
      run.request.split("\n")[0]?.slice(0, 60),
    ].join("  "),
  );
  context.answer(rows.length === 0 ? "No run was ever begun here.\n" : `${rows.join("\n")}\n`);
  return 0;
}

/** Without what grows with the length of a run: status has all of it. */
function brief({ iterations, timeline, sessions, problems, notes, ...run }: Overview): object {
  return run;
}
