// The ledger of a task: what each of its runs came to and spent, and the sum. Read from the vault, so that a copy that an
// agent edited changes nothing.
import { UserError } from "../../core/errors.ts";
import type { RunHome } from "../../project/runs/home.ts";
import { listRuns } from "../../project/runs/list-runs.ts";
import type { Story } from "../../report/story.ts";
import { featureCount, isoTime, outcomeOf } from "../../report/words/words.ts";
import { homeOf, readStory } from "./read-story.ts";

/** Older runs are too long ago to matter, and each has to be read. */
const runsMax = 100;

export function ledgerText(home: RunHome, story: Story): string {
  const runs = [...earlierRuns(home), entryOf(home.run, story)];
  const sum = (key: "costUsd" | "tokens" | "sessions" | "iterations" | "commits" | "activeMs" | "checkMs"): number =>
    runs.reduce((total, { spent }) => total + spent[key], 0);
  const spent = {
    costUsd: Math.round(sum("costUsd") * 1e6) / 1e6,
    estimated: runs.some((run) => run.spent.estimated),
    tokens: sum("tokens"),
    sessions: sum("sessions"),
    iterations: sum("iterations"),
    commits: sum("commits"),
    activeMs: sum("activeMs"),
    checkMs: sum("checkMs"),
  };
  return `${JSON.stringify({ version: 1, task: home.task, runs, spent }, null, 2)}\n`;
}

const entryOf = (name: string, { run, chronicle }: Story) => ({
  run: name,
  begun: isoTime(chronicle.begunAt),
  follow_up_of: run.contract.followUp.of,
  outcome: outcomeOf(run)?.kind ?? null,
  features: featureCount(run),
  spent: run.spent,
});

function earlierRuns({ project: { root }, task, run }: RunHome): ReturnType<typeof entryOf>[] {
  const names = listRuns(root)
    .filter((name) => name < run)
    .slice(0, runsMax);
  const entries = names.flatMap((name) => {
    try {
      return homeOf(root, name).plan.task === task ? [entryOf(name, readStory(root, name).story)] : [];
    } catch (error) {
      if (error instanceof UserError) return []; // It can no longer be read.
      throw error;
    }
  });
  return entries.reverse();
}
