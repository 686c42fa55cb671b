// docs/loop-budget.md: the caps, and how much of each is used. The first table is the one that the harness defines.
import { budgetMark, type Caps, wallClockCap } from "../../formats/contract/written-caps.ts";
import type { Overview } from "../overview.ts";
import { cost, isoTime, money, wholeMinutes } from "../words/words.ts";

/** `yours`: the caps that a person wrote into it, which hold for later runs as well. */
export function budgetText({ run, begunAt, lastAt, limits, spent, reworks }: Overview, yours: Caps = {}): string {
  const cap = (value: number | null): string => (value === null ? "off" : String(value));
  const minutes = (ms: number | null): string => (ms === null ? "off" : String(wholeMinutes(ms)));
  const rows = [
    ["Iterations", cap(limits.iterationsMax), String(spent.iterations)],
    ["Commits", cap(limits.commitsMax), String(spent.commits)],
    ["Rework per feature", String(limits.reworkMax), reworks === 0 ? "—" : `${reworks} at most`],
    ["Wall-clock (min)", cap(wallClockCap(yours)), minutes(lastAt - begunAt)],
    ["Working time (min)", minutes(limits.activeMsMax), minutes(spent.activeMs)],
    ["Checks (min)", minutes(limits.checkMsMax), minutes(spent.checkMs)],
    ["Cost", limits.costUsdMax === null ? "off" : money(limits.costUsdMax), cost(spent)],
    ["Sessions", cap(limits.sessionsMax), String(spent.sessions)],
    ["Tokens", cap(limits.tokensMax), String(spent.tokens)],
  ];
  return `# Loop Budget — run started ${isoTime(begunAt)}

| Control | Cap | Used |
|---------|-----|------|
${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}

## Hard-kill rule
When any **Used** reaches its **Cap**, stop immediately and report. Do not run "one more".

A feature gets one attempt and at most ${limits.reworkMax} reworks. Working time is without checks, which have a cap of their own, and
without waiting for a usage limit or for you: that counts on the wall clock alone. A cap there holds for the work and for the checks, each. A run that a cap has stopped rests, and resumes with a higher one: \`loop continue\`. Run ${run}.
${budgetMark(rows, yours)}
`;
}
