// A key of loop.yaml that nothing reads is a false promise. Each key has a reader outside formats/.
import * as fs from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { defaultProofTerms } from "../src/core/contract.ts";
import { limitNames, limitRow } from "../src/core/limits.ts";
import { type JsonSchema, loopJsonSchema } from "../src/formats/config/loop-schema.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function codeBelow(dir: string): string[] {
  return fs.readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(dir, entry.name);
    if (entry.isDirectory()) return codeBelow(path);
    return /\.m?[jt]s$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/** Declaring a setting, or only comparing it with an earlier one, does not count as using it. */
const isNoReader = (path: string): boolean =>
  /^src\/(?:formats|testing)\//.test(path) ||
  /^src\/(?:core\/(?:contract|limits)|project\/config\/configured)\.ts$/.test(path);
/** Files that can hold a setting: they import its type, from the settings or as part of a contract. */
const knows = /from "[./]*(?:formats\/config\/[a-z-]+|core\/contract|\/run)\.ts"|\bSettings\b/;
const readers = codeBelow("src")
  .filter((path) => !isNoReader(path))
  .map((path) => ({
    path,
    text: fs.readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, " "),
  }))
  // Browser steps are run by a separate program, which imports nothing.
  .filter(({ path, text }) => knows.test(text) || path.startsWith("src/checks/browser/"))
  .map(({ text }) => text);

/** As a property, destructured, or as the name of a step's function: `x.name`, `{ name }`, `name(page, …)`. */
const isRead = (name: string): boolean => {
  const reading = new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[,:}=]|^\\s+(?:async )?${name}\\(page`, "m");
  return readers.some((text) => reading.test(text));
};

const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function keysOf(schema: JsonSchema): string[] {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  const branches = (schema["anyOf"] ?? []) as JsonSchema[];
  const items = schema["items"] as JsonSchema | undefined;
  return [
    ...properties.flatMap(([key, below]) => [key, ...keysOf(below)]),
    ...branches.flatMap(keysOf),
    ...(items === undefined ? [] : keysOf(items)),
  ];
}

/** The contract passes these to the prover as one value. */
const terms = Object.keys(defaultProofTerms);
/** `version` exists so that later versions can recognize the format. */
const keys = [...new Set(keysOf(loopJsonSchema()))].filter((key) => key !== "version" && !terms.includes(key));

/** The table of limits gives them other names. */
const isLimit = (key: string): boolean => limitNames.some((name) => limitRow(name).key === key);

describe("every key of loop.yaml", () => {
  test.each(keys)("%s is read", (key) => {
    expect(isLimit(key) || isRead(key) || isRead(camel(key))).toBe(true);
  });

  test.each(limitNames)("the limit %s stops a run, or is read by its name", (name) => {
    expect(limitRow(name).cap !== undefined || isRead(name)).toBe(true);
  });

  test("that is a proof term reaches the prover with the contract", () => {
    expect(isRead("proof")).toBe(true);
  });

  test("would be found if nothing read it", () => {
    expect(keys.length).toBeGreaterThan(60);
    expect(["countersign", "perWeekUsd", "catchDown"].filter(isRead)).toEqual([]);
  });
});
