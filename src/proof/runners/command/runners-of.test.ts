import { expect, test } from "vitest";
import type { View } from "../../view.ts";
import { runnersOf } from "./runners-of.ts";

const view = (files: Readonly<Record<string, string>>): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => files[path] ?? null,
});
const scripts = (of: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: of });

const shown = (command: string, files: Readonly<Record<string, string>> = {}): string[] =>
  runnersOf(command, view(files)).map(
    ({ kind, programs, selects }) => `${kind} by ${programs.join(" ")}${selects ? "" : ", whole"}`,
  );

test.each([
  ["node --test", ["node by node"]],
  ["node --import tsx --test 'test/**/*.ts'", ["node by node"]],
  ["tsx --test src", ["node by tsx"]],
  ["npx vitest run --coverage", ["vitest by npx vitest"]],
  ["./node_modules/.bin/jest --ci", ["jest by "]],
  ["node --experimental-vm-modules node_modules/jest/bin/jest.js", ["jest by node"]],
  ["NODE_ENV=test mocha -r ts-node/register 'test/*.ts'", ["mocha by mocha"]],
  ["cross-env NODE_OPTIONS=--max-old-space-size=4096 jest", ["jest by jest"]],
  ["c8 --reporter text node --test", ["node by c8 node"]],
  ["nyc mocha", ["mocha by nyc mocha"]],
  ["pnpm exec playwright test --project=chromium", ["playwright by pnpm playwright"]],
  ["playwright install", []],
  ["PYTHONPATH=src pytest -q", ["pytest by pytest"]],
  ["python -W error -m pytest tests", ["pytest by python"]],
  ["python3.12 -m unittest discover -s tests", ["unittest by python3.12"]],
  ["uv run --extra dev pytest -x", ["pytest by uv pytest"]],
  ["poetry run python -m pytest", ["pytest by poetry python"]],
  ["coverage run --source pkg -m pytest", ["pytest by coverage"]],
  ["python -m coverage run -m unittest", ["unittest by python"]],
  [".venv/bin/python -m pytest", ["pytest by "]],
  ["python manage.py test", ["unittest by python"]],
  ["go vet ./... && go test -race ./...", ["go by go"]],
  ["cargo +nightly test --all", ["cargo by cargo, whole"]],
  ["cargo build", []],
  ["bats test", ["bats by bats, whole"]],
  ["timeout 60 env -u X A=1 pytest", ["pytest by pytest"]],
  ["tsc --noEmit; vitest run | tee log.txt", ["vitest by vitest"]],
  ["pytest && npx vitest run", ["pytest by pytest", "vitest by npx vitest"]],
  ["sh -c 'cd api && pytest'", ["pytest by pytest"]],
  ["echo jest", []],
  ["git commit -m 'run pytest'", []],
  ["if true; then pytest; fi", ["pytest by pytest"]],
  ["(cd web; vitest run) > out.log 2>&1", ["vitest by vitest"]],
  ["# pytest", []],
  ["", []],
])("%j runs %j", (command, is) => {
  expect(shown(command)).toEqual(is);
});

test.each([
  ["npm test", { test: "vitest run" }, ["vitest by vitest"]],
  ["npm t", { test: "node --test" }, ["node by node"]],
  [
    "npm run test:all",
    { "test:all": "npm run lint && npm run unit", lint: "eslint .", unit: "jest" },
    ["jest by jest"],
  ],
  [
    "yarn test",
    { test: "run-s test:*", "test:a": "mocha", "test:b": "vitest" },
    ["mocha by mocha", "vitest by vitest"],
  ],
  ["pnpm unit", { unit: "ava" }, ["ava by ava"]],
  ["bun run test", { test: "vitest" }, ["vitest by vitest"]],
  ["node --run test", { test: "node --test" }, ["node by node"]],
  ["npm test -- --silent", { pretest: "tsc", test: "jest" }, ["jest by jest"]],
  [
    "npm test",
    { test: 'concurrently "npm:unit" "playwright test"', unit: "vitest" },
    ["vitest by vitest", "playwright by playwright"],
  ],
  ["npm test", { test: "npm run test" }, []],
  ["npm test", { test: "a", constructor: "jest" }, []],
  ["npm test", {}, []],
])("%s with %j runs %j", (command, of, is) => {
  expect(shown(command, { "package.json": scripts(of) })).toEqual(is);
});

test("looks at every package of a workspace, with its scripts in its own folder", () => {
  const files = {
    "package.json": scripts({ test: "npm test --workspaces", each: "turbo run unit" }),
    "packages/a/package.json": scripts({ test: "node test.js", unit: "vitest" }),
    "packages/a/test.js": 'import test from "node:test";',
    "packages/b/package.json": scripts({ test: "jest", unit: "vitest" }),
  };
  expect(shown("npm test", files)).toEqual(["node by node, whole", "jest by jest"]);
  expect(shown("npm run each", files)).toEqual(["vitest by vitest"]);
  expect(shown("npm --prefix packages/b test", files)).toEqual(["jest by jest"]);
  expect(shown("cd packages/b && npm test", files)).toEqual(["jest by jest"]);
});

test("reading a huge command line ends", () => {
  for (const word of ["npx ", "env A=1 ", "sh -c ", "(", "'", "$(", "a && ", "-m "])
    expect(shown(word.repeat(50_000))).toEqual([]);
});

test("reading packages that run each other ends", () => {
  const names = Array.from({ length: 40 }, (_, at) => `packages/p${at}/package.json`);
  const all = scripts({
    test: "npm run a -ws && npm run b -ws",
    a: "npm test -ws; npm run b -ws",
    b: "npm test -ws; npm run a -ws",
  });
  expect(shown("npm test -ws", Object.fromEntries(names.map((name) => [name, all])))).toEqual([]);
});

test.each([
  ["make test", "test: lint\n\t@$(PYTHON) -m pytest \\\n\t  -q\nPYTHON := python3\n", []],
  [
    "make test",
    "PYTHON ?= python3\n.PHONY: test\ntest: lint\n\t@$(PYTHON) -m pytest \\\n\t  -q\nlint:\n\truff .\n",
    ["pytest by python3"],
  ],
  ["make", "all: test\ntest: ; go test ./...\n", ["go by go"]],
  ["make -C sub check", "", ["bats by bats, whole"]],
  [
    "make test",
    "test:\n\t$(MAKE) unit\nunit:\n\tcd x && for t in a b; do node $$t.js; done\n\tnpx jest\n",
    ["jest by npx jest"],
  ],
  ["make missing", "test:\n\tpytest\n", []],
])("%s with %j runs %j", (command, makefile, is) => {
  expect(shown(command, { Makefile: makefile, "sub/Makefile": "check:\n\tbats t\n" })).toEqual(is);
});

test.each([
  ["./run.sh", "#!/usr/bin/env bash\nset -e\n# comment\npytest -q\n", ["pytest by pytest"]],
  ["bash run.sh --fast", "vitest run", ["vitest by vitest"]],
  ["./run.sh", "#!/usr/bin/env python3\nimport unittest\nunittest.main()", ["unittest by python3"]],
  ["./run.sh", "#!/bin/sh\n./run.sh", []],
  ["./run.sh", "no program", []],
])("%s that holds %j runs %j", (command, text, is) => {
  expect(shown(command, { "run.sh": text })).toEqual(is);
});
