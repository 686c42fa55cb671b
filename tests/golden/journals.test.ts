// Journals that releases wrote, read by the code as it is now: each still adds up to what it added up to then.
// A new release keeps its own: GOLDEN=write npx vitest run tests/golden
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/engines/local/plan.ts";
import { foldOf, goldens, keepAll, runOf } from "./journals.ts";

beforeAll(async () => {
  if (process.env["GOLDEN"] === "write") await keepAll();
});

test.each(goldens())("$name, written by $release, adds up to what it did then", ({ dir }) => {
  const read = (file: string): Buffer => readFileSync(join(dir, file));
  const json = (file: string): unknown => JSON.parse(read(file).toString("utf8"));
  const journal = read("events.jsonl");
  const fold = foldOf(json("plan.json") as Plan, journal, runOf(journal));
  // Everything that was there then; later versions may know more of a run.
  expect(JSON.parse(JSON.stringify(fold))).toMatchObject(json("adds-up-to.json") as object);
});

test("every kind of ending that people meet is among them", () => {
  const endings = goldens().map(
    ({ dir }) => JSON.parse(readFileSync(join(dir, "adds-up-to.json"), "utf8")).status.outcome?.kind,
  );
  expect(endings).toContain("success");
  expect(new Set(endings).size).toBeGreaterThan(1);
});
