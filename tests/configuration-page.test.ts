// The page of every key of loop.yaml is the schema's.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { configurationPage } from "./support/configuration-page.ts";

const file = fileURLToPath(new URL("../docs/CONFIGURATION.md", import.meta.url));

test("docs/CONFIGURATION.md has every key of loop.yaml", () => {
  if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(file, configurationPage());
  const how =
    "docs/CONFIGURATION.md is out of date: run UPDATE_SCHEMA=1 npx vitest run tests/configuration-page.test.ts";
  expect(readFileSync(file, "utf8"), how).toBe(configurationPage());
});
