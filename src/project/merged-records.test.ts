// The loop's own files never conflict when a run is merged.
import { describe, expect, test } from "vitest";
import { mergedText } from "./merged-records.ts";

const queue = (...features: readonly (readonly [string, string, string])[]): string =>
  JSON.stringify({
    version: 1,
    features: features.map(([id, name, status]) => ({ id, name, status, acceptance_criteria: [`${name} works`] })),
  });
const merged = (name: string, base: string | null, ours: string | null, theirs: string | null) =>
  mergedText(`docs/${name}`, "docs", base, ours, theirs);
const shown = (text: string | null) =>
  (JSON.parse(text ?? "") as { features: { id: string; name: string; status: string }[] }).features.map(
    ({ id, name, status }) => [id, name, status],
  );

describe("the work queue", () => {
  test("has what either side completed", () => {
    const base = queue(["F001", "one", "not-started"], ["F002", "two", "not-started"]);
    const ours = queue(["F001", "one", "complete"], ["F002", "two", "not-started"]);
    const theirs = queue(["F001", "one", "not-started"], ["F002", "two", "complete"]);
    expect(shown(merged("FEATURES.json", base, ours, theirs))).toEqual([
      ["F001", "one", "complete"],
      ["F002", "two", "complete"],
    ]);
  });

  test("has the features that both sides added, under different numbers", () => {
    const ours = queue(["F001", "mine", "complete"]);
    const theirs = queue(["F001", "theirs", "complete"]);
    expect(shown(merged("FEATURES.json", null, ours, theirs))).toEqual([
      ["F001", "mine", "complete"],
      ["F002", "theirs", "complete"],
    ]);
  });
});

test("the log has the entries of both", () => {
  expect(merged("loop-run-log.md", "# Log\n", "# Log\n\n## A\n", "# Log\n\n## B\n")).toBe("# Log\n\n## A\n\n## B\n");
});

test.each([
  { name: "unchanged by the run", texts: ["a", "b", "a"], is: "b" },
  { name: "unchanged by the person", texts: ["a", "a", "b"], is: "b" },
  { name: "changed by both", texts: ["a", "b", "c"], is: "b" },
  { name: "removed by the person", texts: ["a", null, "c"], is: null },
])("any other file that is $name is $is", ({ texts, is }) => {
  const [base = null, ours = null, theirs = null] = texts;
  expect(merged("PROGRESS.md", base, ours, theirs)).toBe(is);
});
