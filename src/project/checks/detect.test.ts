import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { detectChecks } from "./detect.ts";

let root = "";
let bin = "";
const before = process.env["PATH"];
beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), "loop-detect-"));
  bin = fs.mkdtempSync(join(tmpdir(), "loop-detect-bin-"));
  process.env["PATH"] = bin;
  for (const name of ["pnpm", "yarn", "bun", "python"]) fs.writeFileSync(join(bin, name), "", { mode: 0o755 });
});
afterEach(() => {
  process.env["PATH"] = before;
  for (const dir of [root, bin]) fs.rmSync(dir, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;
function detected(files: Files, mode = 0o644): string[] {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text, { mode });
  }
  return detectChecks(root).map(({ run }) => run);
}

const script = JSON.stringify({ scripts: { test: "vitest run" } });
const managed = (packageManager: string) => JSON.stringify({ scripts: { test: "vitest run" }, packageManager });
const unittests = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
const functions = "def test_a():\n    assert True\n";

describe("the test script of package.json", () => {
  test.each<{ files: Files; run: string[] }>([
    { files: { "package.json": script }, run: ["npm test"] },
    { files: { "package.json": script, "package-lock.json": "{}" }, run: ["npm test"] },
    { files: { "package.json": script, "pnpm-lock.yaml": "" }, run: ["pnpm test"] },
    { files: { "package.json": script, "yarn.lock": "" }, run: ["yarn test"] },
    { files: { "package.json": script, "bun.lock": "" }, run: ["bun run test"] },
    { files: { "package.json": script, "bun.lockb": "" }, run: ["bun run test"] },
    { files: { "package.json": script, "yarn.lock": "", "package-lock.json": "{}" }, run: ["npm test"] },
    { files: { "package.json": script, "yarn.lock": "", "pnpm-lock.yaml": "" }, run: ["npm test"] },
    { files: { "package.json": managed("pnpm@9.1.0"), "yarn.lock": "" }, run: ["pnpm test"] },
    { files: { "package.json": managed("npm@10.0.0"), "yarn.lock": "" }, run: ["npm test"] },
    { files: { "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, run: [] },
    { files: { "package.json": '{"scripts":{}}', "pnpm-lock.yaml": "" }, run: [] },
    { files: { "package.json": "null" }, run: [] },
    { files: { "package.json": "{ broken" }, run: [] },
    { files: { "package.json/index.js": "a folder" }, run: [] },
  ])("$files gives $run", ({ files, run }) => {
    expect(detected(files)).toEqual(run);
  });

  test("is run by npm if its own manager is not installed", () => {
    fs.rmSync(join(bin, "pnpm"));
    expect(detected({ "package.json": script, "pnpm-lock.yaml": "" })).toEqual(["npm test"]);
  });

  test("is not needed for files that import node's own runner", () => {
    const file = 'import test from "node:test";\n';
    expect(detected({ "package.json": "{}", "test/a.test.mjs": file })).toEqual(["node --test"]);
    expect(detected({ "package.json": script })).toEqual(["npm test"]);
  });
});

describe("Python", () => {
  test.each<{ what: string; files: Files; run: string[] }>([
    { what: "pytest.ini", files: { "pytest.ini": "" }, run: ["pytest -q"] },
    { what: "pyproject.toml", files: { "pyproject.toml": "[tool.pytest.ini_options]\n" }, run: ["pytest -q"] },
    { what: "setup.cfg", files: { "setup.cfg": "[tool:pytest]\n" }, run: ["pytest -q"] },
    { what: "a requirement", files: { "requirements-dev.txt": "pytest==8.0\n" }, run: ["pytest -q"] },
    { what: "test functions", files: { "tests/test_a.py": functions }, run: ["pytest -q"] },
    {
      what: "functions beside test cases",
      files: { "tests/test_a.py": functions, "tests/test_b.py": unittests },
      run: ["pytest -q"],
    },
    {
      what: "test cases that import pytest",
      files: { "tests/test_a.py": `import pytest\n${unittests}` },
      run: ["pytest -q"],
    },
    {
      what: "test cases in a folder",
      files: { "tests/test_a.py": unittests },
      run: ["python -m unittest discover -s tests"],
    },
    {
      what: "test cases in a package",
      files: { "tests/__init__.py": "", "tests/test_a.py": unittests },
      run: ["python -m unittest"],
    },
    { what: "test cases at the root", files: { "test_a.py": unittests }, run: ["python -m unittest"] },
    {
      what: "test cases and a pytest configuration",
      files: { "tests/test_a.py": unittests, "pytest.ini": "" },
      run: ["pytest -q"],
    },
    {
      what: "a Django project",
      files: { "manage.py": "", "shop/tests.py": "from django.test import TestCase\nclass T(TestCase): pass\n" },
      run: ["python manage.py test"],
    },
    { what: "tests of what is installed", files: { ".venv/lib/test_a.py": functions }, run: [] },
    { what: "a project without tests", files: { "pyproject.toml": "[project]\n", "src/a.py": "x = 1\n" }, run: [] },
  ])("$what gives $run", ({ files, run }) => {
    expect(detected(files)).toEqual(run);
  });

  test("python3 is used if there is no python", () => {
    fs.rmSync(join(bin, "python"));
    expect(detected({ "test_a.py": unittests })).toEqual(["python3 -m unittest"]);
  });
});

describe("others", () => {
  test.each<{ what: string; files: Files; run: string[] }>([
    { what: "go.mod", files: { "go.mod": "module x\n" }, run: ["go test ./..."] },
    { what: "Cargo.toml", files: { "Cargo.toml": "" }, run: ["cargo test"] },
    { what: "a rule", files: { Makefile: "build:\n\ttrue\ntest: build\n\ttrue\n" }, run: ["make test"] },
    { what: "a rule with two targets", files: { makefile: "check test:\n\ttrue\n" }, run: ["make test"] },
    { what: "a variable", files: { Makefile: "test := x\ntest-all:\n\ttrue\n" }, run: [] },
    { what: "a comment", files: { Makefile: "# how to test: see below\n" }, run: [] },
    { what: "a script", files: { "test.sh": "#!/bin/sh\n" }, run: ["sh test.sh"] },
    { what: "a bash script", files: { "tests/run.sh": "#!/usr/bin/env bash\n" }, run: ["bash tests/run.sh"] },
    { what: "a script beside a rule", files: { "test.sh": "", Makefile: "test:\n\t./test.sh\n" }, run: ["make test"] },
    { what: "an empty folder", files: {}, run: [] },
  ])("$what gives $run", ({ files, run }) => {
    expect(detected(files)).toEqual(run);
  });

  test("an executable script is run directly", () => {
    expect(detected({ "test.sh": "#!/bin/zsh\n" }, 0o755)).toEqual(["./test.sh"]);
  });

  test("every way to test a project is a separate check", () => {
    const files = { "package.json": script, "go.mod": "module x\n", Makefile: "test:\n\ttrue\n" };
    expect(detected(files)).toEqual(["npm test", "go test ./...", "make test"]);
    expect(new Set(detectChecks(root).map(({ name }) => name)).size).toBe(3);
  });
});
