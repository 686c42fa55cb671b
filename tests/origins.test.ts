// docs/ORIGINS.md maps the documents that Loopwright brings together. A row that names what does not exist is a lie.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Row = { id: string; asks: string; here: string; shown: string };
const page = read("docs/ORIGINS.md");
const rows: Row[] = page.split("\n").flatMap((line) => {
  const [, id, asks, here, shown] = /^\| ([A-E]\d+\.\d+) \| (.+?) \| (.+?) \|(.*)\|$/.exec(line) ?? [];
  if (id === undefined || asks === undefined || here === undefined || shown === undefined) return [];
  return [{ id, asks, here, shown: shown.trim() }];
});

const paths = /`((?:src|tests|docs|plugin)\/[\w./-]+)`/g;
/** `file`: "title", as many as there are. */
const named = /`([\w./-]+)`: "([^"]+)"/g;

test("every document has rows, and each row has a different name", () => {
  for (const document of ["A", "B", "C", "D"]) {
    expect(rows.filter(({ id }) => id.startsWith(document)).length).toBeGreaterThan(20);
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test("no line that begins like a row is left out", () => {
  const begun = page.split("\n").filter((line) => /^\| [A-E]\d/.test(line));
  expect(begun).toHaveLength(rows.length);
});

test("each row says how it stands, in files that exist", () => {
  const wrong = rows.flatMap(({ id, here }) => [
    ...(/^(?:As asked|Differs)\b/.test(here) ? [] : [`${id} does not begin with As asked or Differs`]),
    ...Array.from(here.matchAll(paths), ([, path = ""]) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${id}: there is no ${path}`),
  ]);
  expect(wrong).toEqual([]);
});

test("each row names tests that exist, or says why it has none", () => {
  expect(rows.flatMap(wrongTests)).toEqual([]);
});

function wrongTests({ id, here, shown }: Row): string[] {
  const tests = Array.from(shown.matchAll(named), ([, file = "", title = ""]) => ({ file, title }));
  const missing = tests.filter(({ file, title }) => !hasTest(file, title));
  const rest = shown.replaceAll(named, "").replace(/[;\s]/g, "");
  return [
    ...missing.map(({ file, title }) => `${id}: ${file} has no test "${title}"`),
    ...(rest === "" ? [] : [`${id}: ${rest} is no test`]),
    ...(tests.length > 0 || /^Differs: .{40,}/.test(here) ? [] : [`${id} has neither a test nor a reason`]),
  ];
}

function hasTest(file: string, title: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const text = read(file);
  return [`"${title}"`, `\`${title}\``, `'${title}'`].some((quoted) => text.includes(quoted));
}
