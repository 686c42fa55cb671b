// Adding to a queue loses nothing, and adding twice adds once.
import { expect, test } from "vitest";
import { parseFeaturesJson } from "./features-json.ts";
import { mergeFeatures } from "./features-merge.ts";

const there = `{
  "version": 1,
  "project_type": "cli",
  "features": [
    { "id": "F001", "name": "a", "acceptance_criteria": ["x"], "status": "complete", "own": [1,2] }
  ]
}
`;
const file = (text: string) => parseFeaturesJson(text, "FEATURES.json");
const queue = (...list: object[]) => JSON.stringify({ features: list });
const merge = (into: string, from: string) => mergeFeatures(file(into), file(from).features, from, "FEATURES.json");

test("the existing text keeps every byte; new features follow it, with free ids that dependencies use", () => {
  const from = queue(
    { id: "F001", name: "b", acceptance_criteria: ["y"] },
    { id: "F002", name: "c", acceptance_criteria: ["z"], dependencies: ["F001"], imported: { id: "US-2" } },
  );
  const { text, renamed, added } = merge(there, from);
  expect(text.startsWith(there.slice(0, there.indexOf("\n  ]")))).toBe(true);
  expect([...renamed]).toEqual([["F001", "F003"]]);
  expect(added.map(({ id, dependencies }) => [id, dependencies])).toEqual([
    ["F003", []],
    ["F002", ["F003"]],
  ]);
  expect(file(text).features.map(({ id }) => id)).toEqual(["F001", "F003", "F002"]);
  expect(JSON.parse(text).features[2].imported).toEqual({ id: "US-2" });
});

test("merging twice adds once, and dependencies point to the existing features", () => {
  const from = queue(
    { id: "F005", name: "a", acceptance_criteria: ["x"] },
    { id: "F006", name: "n", acceptance_criteria: ["z"], dependencies: ["F005"] },
  );
  const once = merge(there, from);
  expect(once.added).toMatchObject([{ id: "F006", dependencies: ["F001"] }]);
  const twice = merge(once.text, from);
  expect(twice.text).toBe(once.text);
  expect(twice.already.size).toBe(2);
});

test("works with an empty list and with Windows line ends", () => {
  const from = queue({ id: "F001", name: "a", acceptance_criteria: ["x"] });
  const merged = merge('{\r\n  "features": [],\r\n  "more": true\r\n}\r\n', from).text;
  expect(merged).toMatch(/"more": true\r\n}\r\n$/);
  expect(merged.replaceAll("\r\n", "")).not.toContain("\n");
  expect(file(merged).features).toHaveLength(1);
});
