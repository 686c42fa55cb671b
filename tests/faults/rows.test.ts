// Each fault in the list names tests that exist, or says why it has none.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { groups } from "../../faults/rows.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rows = groups.flatMap(({ rows }) => rows);

test.each(rows)("$id names existing tests, or says why it has none", ({ by = [], not }) => {
  expect(by.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(by.length > 0 || (not ?? "").length > 20).toBe(true);
});

test("each has a unique name", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test("the document has all of them", () => {
  const text = readFileSync(join(root, "docs", "FAULTS.md"), "utf8");
  expect(rows.filter(({ id }) => !text.includes(`**${id}**`)).map(({ id }) => id)).toEqual([]);
});
