// Caps in the files that the harness has them in: a person's hold, and those that the loop wrote do not.
import { describe, expect, test } from "vitest";
import { markdownLines } from "./markdown-lines.ts";
import { budgetMark, capsIn, capsInBudget } from "./written-caps.ts";

const table = (rows: readonly (readonly [string, string])[]): string =>
  `# Loop Budget — run started 2026-06-15\n\n| Control | Cap | Used |\n|---------|-----|------|\n${rows
    .map(([label, cap]) => `| ${label} | ${cap} | 0 |`)
    .join("\n")}\n\n## Hard-kill rule\nWhen any **Used** reaches its **Cap**, stop.\n`;
const rows = [
  ["Iterations", "10"],
  ["Commits", "15"],
  ["Rework per feature", "2"],
  ["Wall-clock (min)", "off"],
  ["Working time (min)", "60"],
  ["Cost", "$25.00"],
  ["Sessions", "off"],
] as const;
const written = (yours = {}): string => `${table(rows)}${budgetMark(rows, yours)}\n`;

describe("the budget", () => {
  test("that a person wrote holds, as the harness writes it", () => {
    const theirs = table([
      ["Iterations", "1"],
      ["Commits", "1"],
      ["Rework per feature", "2"],
      ["Wall-clock (min)", "30"],
    ]);
    expect(capsInBudget(theirs)).toEqual({
      caps: { iterations: 1, commits: 1, rework: 2, minutes: 30, check_minutes: 30 },
      ...{ problems: [], unread: [], wallClock: ["30"] },
    });
  });

  test("that the loop wrote says nothing, and neither does one of a version that marked nothing", () => {
    expect(capsInBudget(written()).caps).toEqual({});
    const old = `${table(rows)}\nA run that a cap has stopped rests, and resumes with a higher one.\n`;
    expect(capsInBudget(old).caps).toEqual({});
  });

  test("keeps a cap that a person changed in it, also when a later run had another one", () => {
    const changed = written().replace("| Iterations | 10 |", "| Iterations | 1 |");
    expect(capsInBudget(changed).caps).toEqual({ iterations: 1 });
    const again = written(capsInBudget(changed).caps);
    expect(capsInBudget(again).caps).toEqual({ iterations: 1 });
    expect(capsInBudget(again.replace("| Iterations | 10 |", "| Iterations | 7 |")).caps).toEqual({ iterations: 7 });
  });

  test("names a cap that is no number, with its line, and a row that is no limit", () => {
    const { caps, problems, unread } = capsInBudget(
      table([
        ["Commits", "few"],
        ["Iterations", "0"],
        ["Files", "9"],
      ]),
    );
    expect(caps).toEqual({});
    expect(problems).toEqual([
      'line 5: "few" is no cap for Commits: expected a number',
      'line 6: "0" is no cap for Iterations: expected a number',
    ]);
    expect(unread).toEqual(["Files: 9"]);
  });
});

test.each([
  ["iterations: 1", { iterations: 1 }],
  ["cost: $2.50", { cost_usd: 2.5 }],
  ["working time: 30 minutes", { minutes: 30 }],
  ["**rework per feature**: 0", { rework: 0 }],
  ["check_minutes: 5", { check_minutes: 5 }],
  ["tokens: 500,000", { tokens: 500_000 }],
  ["sessions: off", {}],
])("the item %j of a list is %j", (item, caps) => {
  expect(capsIn(markdownLines(`- ${item}\n`), 1)).toMatchObject({ caps, problems: [], unread: [] });
});
