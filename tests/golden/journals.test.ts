// Journals that earlier releases wrote, read by the current code: each still folds to the same state.
// A new release adds its own: GOLDEN=write npx vitest run tests/golden
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/engines/plan.ts";
import { foldOf, goldens, keepAll, runOf } from "./journals.ts";

beforeAll(async () => {
  if (process.env["GOLDEN"] === "write") await keepAll();
});

test.each(goldens())("$name, written by $release, still folds to the same state", ({ dir }) => {
  const read = (file: string): Buffer => readFileSync(join(dir, file));
  const json = (file: string): unknown => JSON.parse(read(file).toString("utf8"));
  const journal = read("events.jsonl");
  const fold = foldOf(json("plan.json") as Plan, journal, runOf(journal));
  // Everything recorded at that time; later versions may know more about a run.
  expect(JSON.parse(JSON.stringify(fold))).toMatchObject(json("adds-up-to.json") as object);
});

test("every kind of ending that people meet is among them", () => {
  const endings = goldens().map(
    ({ dir }) => JSON.parse(readFileSync(join(dir, "adds-up-to.json"), "utf8")).status.outcome?.kind,
  );
  expect(endings).toContain("success");
  expect(new Set(endings).size).toBeGreaterThan(1);
});
