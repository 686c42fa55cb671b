import { expect, test } from "vitest";
import type { Feature } from "../../core/contract.ts";
import { featureId } from "../../core/ids.ts";
import { queueToTake } from "./take-queue.ts";

const entry = (id: string, name: string) => ({
  id,
  name,
  status: "not-started",
  acceptance_criteria: [`${name} is there`],
});
const queue = (...features: object[]): string => JSON.stringify({ version: 1, features });
const own = [{ id: featureId("F001") } as Feature];
const take = (ours: string | null, theirs: string | null) => queueToTake("docs/FEATURES.json", own, { ours, theirs });
const twice = queue(entry("F001", "twice"));

test("another run's feature of the same number is not taken for an edit", () => {
  expect(take(twice, queue(entry("F001", "half")))).toBe(twice);
});

test("a queue without the run's feature gets it", () => {
  const taken = take(twice, queue(entry("F007", "half"))) ?? "";
  expect(JSON.parse(taken).features.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
    ["F007", "half"],
    ["F001", "twice"],
  ]);
});

test.each([
  ["no file in the folder", twice, null, twice],
  ["no file in the worktree", null, twice, twice],
  ["the same feature", twice, twice, twice],
  ["a text that cannot be read", twice, "{", "{"],
])("%s", (_, ours, theirs, expected) => {
  expect(take(ours, theirs)).toBe(expected);
});
