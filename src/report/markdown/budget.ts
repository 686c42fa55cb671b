// docs/loop-budget.md: the caps, and how much of each is used.
import type { Run } from "../../core/run.ts";
import { tallyOf } from "../../core/tally.ts";
import type { Chronicle } from "../chronicle.ts";
import { cost, isoTime, money } from "../words/words.ts";

export function budgetText({ contract, spent, progress }: Run, { begunAt, run }: Chronicle): string {
  const { limits } = contract;
  const attempts = Math.max(0, tallyOf(progress).attemptsMax - 1);
  const minutes = (ms: number) => String(Math.round(ms / 6000) / 10);
  const cap = (value: number | null) => (value === null ? "off" : String(value));
  const rows = [
    ["Cost", limits.costUsdMax === null ? "off" : money(limits.costUsdMax), cost(spent)],
    ["Iterations", cap(limits.iterationsMax), String(spent.iterations)],
    ["Commits", cap(limits.commitsMax), String(spent.commits)],
    ["Rework per feature", String(limits.reworkMax), `${attempts} at most`],
    ["Working time (min)", limits.activeMsMax === null ? "off" : minutes(limits.activeMsMax), minutes(spent.activeMs)],
    ["Checks (min)", limits.checkMsMax === null ? "off" : minutes(limits.checkMsMax), minutes(spent.checkMs)],
    ["Sessions", cap(limits.sessionsMax), String(spent.sessions)],
    ["Tokens", cap(limits.tokensMax), String(spent.tokens)],
  ];
  const table = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  return `# Loop budget of run ${run}, begun ${isoTime(begunAt)}

| Control | Cap | Used |
| --- | --- | --- |
${table}

When a cap is reached the run rests and says how to go on. It never does one more.
`;
}
