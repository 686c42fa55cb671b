// The loop's own files never conflict when a run is merged.
import { describe, expect, test } from "vitest";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { inboxInto, mergedText, statusesInto } from "./merged-records.ts";

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

describe("of a run that has not landed", () => {
  const parsed = (text: string) => parseFeaturesJson(text, "docs/FEATURES.json");
  test.each([
    { mine: "not-started", theirs: "blocked", isAsTaken: true, is: "blocked" },
    { mine: "not-started", theirs: "needs-rework", isAsTaken: false, is: "needs-rework" },
    { mine: "not-started", theirs: "complete", isAsTaken: true, is: "not-started" },
    { mine: "not-started", theirs: "in-progress", isAsTaken: true, is: "not-started" },
    { mine: "blocked", theirs: "not-started", isAsTaken: true, is: "not-started" },
    { mine: "complete", theirs: "blocked", isAsTaken: false, is: "complete" },
  ])("$mine in the folder (as taken: $isAsTaken) and $theirs in the run is $is", ({ mine, theirs, isAsTaken, is }) => {
    const [begun, other] = ["not-started", theirs].map((status) => parsed(queue(["F001", "one", status])).features);
    const text = statusesInto({
      begun: begun ?? [],
      ours: parsed(queue(["F001", "one", mine])),
      theirs: other ?? [],
      isAsTaken,
    });
    expect(shown(text)).toEqual([["F001", "one", is]]);
  });

  test("a feature that the person has rewritten keeps its status", () => {
    const one = parsed(queue(["F001", "one", "not-started"]));
    const ours = parsed(queue(["F001", "another", "not-started"]));
    const theirs = parsed(queue(["F001", "one", "blocked"])).features;
    expect(statusesInto({ begun: one.features, ours, theirs, isAsTaken: false })).toBe(ours.raw);
  });

  test("a contract without a list takes no items", () => {
    const theirs = "## Triage Inbox\n- b\n";
    expect(inboxInto({ base: null, ours: "# Mine\n", theirs })).toBeNull();
    expect(inboxInto({ base: "## Triage Inbox\n- a\n", ours: "# Mine\n## Triage Inbox\n- a\n", theirs })).toBe(
      "# Mine\n## Triage Inbox\n- b\n",
    );
  });
});

test("the log has each entry of both once", () => {
  const both = merged("loop-run-log.md", "# Log\n", "# Log\n\n### 1\n- a\n", "# Log\n\n### 1\n- a\n\n### 2\n- b\n");
  expect(both).toBe("# Log\n\n### 1\n- a\n\n### 2\n- b\n");
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
