// The page of all JSON answers is that of their shapes, and every key is in one style.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { program } from "../src/cli/program.ts";
import { jsonPage } from "./support/json-page.ts";

const file = fileURLToPath(new URL("../docs/JSON.md", import.meta.url));

test("docs/JSON.md has every key of every answer", () => {
  if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(file, jsonPage());
  const how = "docs/JSON.md is out of date: run UPDATE_SCHEMA=1 npx vitest run tests/json-page.test.ts";
  expect(readFileSync(file, "utf8"), how).toBe(jsonPage());
});

test("keys are in camelCase", () => {
  const keys = [...readFileSync(file, "utf8").matchAll(/^\| `(\w[^`]*)` \| (?!meaning)[^|]*\|[^|]*\|$/gm)].map(
    ([, key]) => key ?? "",
  );
  expect(keys.length).toBeGreaterThan(200);
  expect(keys.filter((key) => !/^[a-z][A-Za-z0-9]*$/.test(key))).toEqual([]);
});

test("every command that answers with more than sentences is on the page", () => {
  const sentences = ["cancel", "completion", "help", "pause"];
  const streams = ["logs", "watch"];
  const names = program.commands
    .map((each) => each.name())
    .filter((name) => ![...sentences, ...streams].includes(name));
  const page = readFileSync(file, "utf8");
  expect(streams.filter((name) => !page.includes(`\`loop ${name}\``))).toEqual([]);
  const titles = [...page.matchAll(/^### (.*loop.*)$/gm)].map(([, title]) => title ?? "").join(" · ");
  expect(names.filter((name) => !new RegExp(`(?:loop|·) ${name}\\b`).test(titles))).toEqual([]);
});
