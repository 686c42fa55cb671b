// How a lockfile is installed, and whether the result matches it.
import { expect, test } from "vitest";
import { installersFor, scriptsOf, unlike } from "./installers.ts";

const commands = (of: "node" | "python", files: Record<string, string>, environments: string[] = []) =>
  installersFor(of, new Map(Object.entries(files)), environments).map(({ at, run }) => `${at}: ${run}`);

test.each([
  {
    files: { "package-lock.json": "{}", "web/package-lock.json": "{}" },
    runs: [/^: npm ci --ignore-scripts/, /^web\/: npm ci --ignore-scripts/],
  },
  { files: { "pnpm-lock.yaml": "" }, runs: [/^: pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile$/] },
  { files: { "yarn.lock": "# yarn lockfile v1" }, runs: [/--frozen-lockfile --ignore-scripts/] },
  { files: { "yarn.lock": "__metadata:\n  version: 8" }, runs: [/--immutable --mode=skip-build/] },
  { files: { "package.json": "{}" }, runs: [/npm install --ignore-scripts .*--no-package-lock/] },
  { files: { "go.sum": "" }, runs: [] },
])("$files", ({ files, runs }) => {
  const found = commands("node", files as unknown as Record<string, string>);
  expect(found).toHaveLength(runs.length);
  runs.forEach((run, at) => void expect(found[at]).toMatch(run));
});

test.each([
  { files: { "uv.lock": "" }, run: ": uv sync --frozen --inexact" },
  { files: { "poetry.lock": "" }, run: ": poetry install --no-interaction" },
  {
    files: { "requirements.txt": "", "requirements-dev.txt": "" },
    run: ": '.venv/bin/python' -m pip install --disable-pip-version-check -r 'requirements-dev.txt' -r 'requirements.txt'",
  },
])("$files in an environment", ({ files, run }) => {
  expect(commands("python", files as unknown as Record<string, string>, [".venv"])).toEqual([run]);
});

const lock = (packages: Record<string, object>) =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages } });

test("compares an install with its lockfile, except for optional packages", () => {
  const wanted = lock({
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/c": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0", optional: true },
    "node_modules/e": { link: true },
  });
  const there = lock({ "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "2.0.0" } });
  expect(unlike(wanted, there)).toEqual(["b is 2.0.0 where the lockfile says 1.0.0", "c@1.0.0 is missing"]);
});

test("only packages that the base had at the same version may run install scripts", () => {
  const script = { hasInstallScript: true };
  const base = lock({
    "node_modules/a": { version: "1.0.0", ...script },
    "node_modules/b": { version: "1.0.0", ...script },
  });
  const now = lock({
    "node_modules/a": { version: "1.0.0", ...script },
    "node_modules/b": { version: "1.0.1", ...script },
    "node_modules/x/node_modules/c": { version: "3.0.0", ...script },
  });
  expect(scriptsOf(now, base)).toEqual({ known: ["a@1.0.0"], fresh: ["b@1.0.1", "c@3.0.0"] });
});
