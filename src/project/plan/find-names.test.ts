// Names of a request are found in file names and in code; links, generated folders and unprintable names are left alone.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { namesWanted } from "../../intake/names.ts";
import { findNames } from "./find-names.ts";

let root = "";
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function found(request: string, files: Readonly<Record<string, string>>): Record<string, string> {
  root = fs.mkdtempSync(join(tmpdir(), "names-"));
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(join(root, path, ".."), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
  return Object.fromEntries(findNames(root, namesWanted(request)).map(({ name, from }) => [name, from]));
}

test.each([
  ["a file that is called so", "Sort the invoices by date", { "src/invoice.ts": "" }, { invoices: "src/invoice.ts" }],
  ["a folder", "Add paging to billing", { "lib/billing/a.py": "" }, { billing: "lib/billing" }],
  ["a name in code", "Rename UserManager", { "a.go": "type UserManager struct" }, { UserManager: "a.go" }],
  ["nothing that only resembles it", "Sort the invoices", { "src/invoicing.ts": "invoices" }, {}],
  ["nothing in installed packages", "Sort the invoices", { "node_modules/invoice.js": "" }, {}],
  ["no name with control characters", "Sort the invoices", { "\u001b[2J/invoice.js": "" }, {}],
] as const)("%s", (_title, request, files, expected) => {
  expect(found(request, files)).toEqual(expected);
});

test("a link out of the workspace is not followed", () => {
  expect(found("Sort the invoices", {})).toEqual({});
  fs.symlinkSync("/usr", join(root, "linked"));
  expect(findNames(root, { words: ["bin"], codes: [] })).toEqual([]);
});
