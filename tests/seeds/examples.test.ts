// The table of examples names every file, and every file is used by the tests that it names.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const here = (path: string): URL => new URL(path, import.meta.url);
const rows = readFileSync(here("README.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| [A-D] \|/.test(line))
  .map((line) => line.split(" | ").map((cell) => Array.from(cell.matchAll(/`([\w.-]+)`/g), ([, name = ""]) => name)));

test("every file has a row, and every row's files exist", () => {
  const named = rows.flatMap(([, , files = []]) => files);
  expect(named.toSorted()).toEqual(readdirSync(here("files")).toSorted());
});

test("the tests that a row names read its file", () => {
  const silent = rows.flatMap(([, , files = [], tests = []]) =>
    tests
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap((name) => files.filter((file) => !reads(name, file)).map((file) => `${name} does not read ${file}`)),
  );
  expect(silent).toEqual([]);
});

const reads = (test: string, file: string): boolean => readFileSync(here(test), "utf8").includes(`"${file}"`);
