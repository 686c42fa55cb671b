// loop list: the runs of this workspace, newest first.

import { readStory } from "../../engines/local/read-story.ts";
import { readStatus, statusOf } from "../../engines/local/status-file.ts";
import { runDir } from "../../project/home.ts";
import { listRuns } from "../../project/list-runs.ts";
import { isoTime, money } from "../../runtime/records/words.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

export async function list(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const all = listRuns(context.root).map(
    (run) => readStatus(runDir(vaultDirFor(context.root), run)) ?? statusOf(readStory(context.root, run)),
  );
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
