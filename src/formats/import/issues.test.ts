// Issues of Beads and of GitHub, read as features.
import { expect, test } from "vitest";
import { importFeatures } from "./index.ts";

const brief = (path: string, text: string) => {
  const { format, features, kept, warnings } = importFeatures(path, text, null);
  const shown = features.map(({ name, status, criteria, dependencies }) => ({ name, status, criteria, dependencies }));
  return { format, shown, kept, warnings };
};

test("issues.jsonl of Beads has an issue per line, with what blocks it", () => {
  const issues = [
    { id: "bd-1", title: "Store", description: "A store.", status: "closed", priority: 1, issue_type: "task" },
    {
      ...{ id: "bd-2", title: "Expire entries", description: "After a minute.", status: "open", priority: 0 },
      acceptance_criteria: "- get(k) is null after 60 s\n- set() starts again",
      dependencies: [
        { issue_id: "bd-2", depends_on_id: "bd-1", type: "blocks" },
        { issue_id: "bd-2", depends_on_id: "bd-9", type: "related" },
      ],
    },
  ];
  const { format, shown, kept } = brief(
    ".beads/issues.jsonl",
    `${issues.map((each) => JSON.stringify(each)).join("\n")}\n`,
  );
  expect(format).toBe("beads");
  expect(shown).toEqual([
    { name: "Store", status: "existing", criteria: ["Store"], dependencies: [] },
    {
      name: "Expire entries",
      status: "not-started",
      criteria: ["get(k) is null after 60 s", "set() starts again"],
      dependencies: [expect.any(String)],
    },
  ]);
  expect(kept).toContainEqual(expect.objectContaining({ keys: expect.arrayContaining(["issue_type"]) }));
  // What says nothing about the order is kept, too.
  expect(kept).toContainEqual(expect.objectContaining({ keys: expect.arrayContaining(["related"]) }));
});

test("an issue that was deleted is no feature, and is named and kept", () => {
  const issues = [
    { id: "bd-1", title: "Store", status: "open" },
    { id: "bd-2", title: "Old idea", status: "tombstone" },
  ];
  const text = issues.map((each) => JSON.stringify({ ...each, description: each.title })).join("\n");
  const { shown, warnings } = brief(".beads/issues.jsonl", `${text}\n`);
  expect(shown.map(({ name }) => name)).toEqual(["Store"]);
  expect(warnings).toContain("bd-2 was deleted, so it is no feature: Old idea");
});

test("boxes in the description of a bead are its criteria, where it has none of its own", () => {
  const bead = { id: "bd-1", title: "Store", description: "A store.\n- [ ] get(k) gives v\n- [x] it is kept" };
  const criteria = (issue: object) => brief("issues.jsonl", `${JSON.stringify(issue)}\n`).shown[0]?.criteria;
  expect(criteria(bead)).toEqual(["get(k) gives v", "it is kept"]);
  expect(criteria({ ...bead, acceptance_criteria: "it stores" })).toEqual(["it stores"]);
});

test("GitHub's JSON has its boxes as criteria, and names the pull requests that it leaves out", () => {
  const issues = [
    { number: 7, title: "Dark mode", body: "Please.\n- [ ] a switch\n- [x] it is kept", state: "OPEN", labels: [] },
    { number: 8, title: "A change", body: "", state: "open", pull_request: { url: "x" } },
    { number: 9, title: "Old", body: null, state: "closed" },
    { number: 14, title: "Another", body: "", state: "OPEN", url: "https://github.com/o/r/pull/14" },
  ];
  const { format, shown, warnings } = brief("issues.json", JSON.stringify(issues));
  expect(format).toBe("github-issues");
  expect(shown).toEqual([
    { name: "Dark mode", status: "not-started", criteria: ["a switch", "it is kept"], dependencies: [] },
    { name: "Old", status: "existing", criteria: ["Old"], dependencies: [] },
  ]);
  expect(warnings).toContain("#14 is a pull request, so it is no feature: Another");
  expect(warnings).toContain("#8 is a pull request, so it is no feature: A change");
});

test("lines that are no JSON are in no known format", () => {
  expect(() => importFeatures("a.jsonl", "{\n", null)).toThrow(expect.objectContaining({ code: "bad-import" }));
});

test.each([
  ["open", "not-started", false],
  ["in_progress", "not-started", true],
  ["blocked", "blocked", false],
  ["deferred", "blocked", true],
  ["closed", "existing", false],
])("an issue of Beads that is %s becomes %s; its word is kept where ours says less: %s", (word, status, isKept) => {
  const { shown, kept } = brief(".beads/issues.jsonl", JSON.stringify({ id: "bd-1", title: "Store", status: word }));
  expect(shown).toMatchObject([{ status }]);
  expect(kept.some(({ keys }) => keys.includes("status"))).toBe(isKept);
});
