// loop list: the runs of this workspace, newest first.
import { statusOf } from "../../report/status.ts";
import { isoTime, money } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function list(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const all = await Promise.all((await engine.runs()).map(async (run) => statusOf((await engine.read(run)).story)));
  const shown = flags.task === undefined ? all : all.filter(({ task }) => task === flags.task);
  if (context.json) {
    context.answer(`${JSON.stringify({ version: 1, runs: shown }, null, 2)}\n`);
    return 0;
  }
  const rows = shown.map((status) =>
    [
      status.run,
      isoTime(status.begunAt),
      (status.outcome?.kind ?? "under way").padEnd(12),
      `${status.done}/${status.total}`.padEnd(7),
      money(status.spent.costUsd, status.spent.estimated).padEnd(9),
      status.request.split("\n")[0]?.slice(0, 60),
    ].join("  "),
  );
  context.answer(rows.length === 0 ? "No run was ever begun here.\n" : `${rows.join("\n")}\n`);
  return 0;
}
