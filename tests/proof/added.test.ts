// What a change adds: its lines, also of files that call themselves binary, and its dependencies.
import { describe, expect, test } from "vitest";
import { addedLines, linesOfDiff } from "../../src/runtime/proof/added-lines.ts";
import { dependenciesIn, isManifest, newDependencies } from "../../src/runtime/proof/dependencies.ts";
import type { Change, Workspace } from "../../src/workspace/workspace.ts";
import { tree, workspace } from "./trees.ts";

const changed = (path: string, kind: Change["kind"] = "added", binary = false): Change => ({
  path,
  kind,
  binary,
  lines: 1,
});

describe("added lines", () => {
  const patch = (path: string, ...lines: string[]): string =>
    [
      `--- a/${path}`,
      `+++ b/${path}`,
      `@@ -1 +1,${lines.length + 1} @@`,
      " old",
      ...lines.map((line) => `+${line}`),
      "",
    ].join("\n");
  const read = (diff: string, changes: readonly Change[], files: Record<string, string> = {}) => {
    const to = tree(files);
    return addedLines({ ...workspace, diff: async () => diff } as Workspace, { from: tree({}), to }, changes);
  };

  test("are those of the files that are the work's, and not of the loop's own", async () => {
    const found = await read(patch("src/a.js", "one", "two") + patch("docs/LOOP.md", "x"), [changed("src/a.js")]);
    expect(found).toEqual({
      lines: [
        { path: "src/a.js", line: 2, text: "one" },
        { path: "src/a.js", line: 3, text: "two" },
      ],
      cut: false,
    });
  });

  test.each<{ what: string; change: Change; text: string; is: string[] }>([
    {
      what: "text that is called binary",
      change: changed("a.dat", "added", true),
      text: "one\ntwo",
      is: ["one", "two"],
    },
    { what: "a changed one", change: changed("a.dat", "modified", true), text: "one", is: ["one"] },
    { what: "what really is binary", change: changed("a.dat", "added", true), text: "one\0", is: [] },
    { what: "a deleted one", change: changed("a.dat", "deleted", true), text: "one", is: [] },
    { what: "what the diff shows anyway", change: changed("a.dat"), text: "one", is: [] },
    { what: "a file that is not there", change: changed("b.dat", "added", true), text: "one", is: [] },
    { what: "one too large", change: changed("a.dat", "added", true), text: "x".repeat((16 << 20) + 1), is: [] },
  ])("are read from $what as $is", async ({ change, text, is }) => {
    const { lines } = await read("", [change], { "a.dat": text });
    expect(lines).toEqual(is.map((each, at) => ({ path: "a.dat", line: at + 1, text: each })));
  });

  test("are known to be cut where the diff is as large as it may be", async () => {
    expect((await read(" ".repeat((16 << 20) - 1), [])).cut).toBe(false);
    expect((await read(" ".repeat(16 << 20), [])).cut).toBe(true);
  });

  test.each([
    { heading: "b/src/a.js", path: "src/a.js" },
    { heading: "b/with space.js\t", path: "with space.js" },
    { heading: '"b/\\303\\244\\t\\"\\\\.js"', path: 'ä\t"\\.js' },
    { heading: '"b/line\\nfeed\\r\\a\\b\\f\\v"', path: "line\nfeed\r\u0007\b\f\v" },
    { heading: "src/plain.js", path: "src/plain.js" },
  ])("of the file $heading are of $path", ({ heading, path }) => {
    expect(linesOfDiff(`+++ ${heading}\n@@ -0,0 +1 @@\n+x`)).toEqual([{ path, line: 1, text: "x" }]);
  });

  test("of a file that is gone are none, and numbers go on over what stayed and what went", () => {
    expect(linesOfDiff("+++ /dev/null\n@@ -1 +0,0 @@\n-x\n+++ b/a\n@@ -1 +1 @@\n-x\n+y")).toEqual([
      { path: "a", line: 1, text: "y" },
    ]);
    const hunks =
      "+++ b/a\n@@ -10,3 +20,3 @@ f() {\n one\n-two\n+TWO\n three\n@@ -40,0 +50,2 @@\n+four\n+five\nno heading";
    expect(linesOfDiff(hunks).map(({ line, text }) => [line, text])).toEqual([
      [21, "TWO"],
      [50, "four"],
      [51, "five"],
    ]);
  });
});

describe("new dependencies", () => {
  const json = (names: string[]) =>
    JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "1"])) });
  const look = (changes: readonly Change[]) =>
    newDependencies(
      workspace,
      {
        from: tree({ "package.json": json(["a"]), "b.txt": "" }),
        to: tree({ "package.json": json(["a", "b"]), "b.txt": "x" }),
      },
      changes,
    );

  test.each<{ what: string; change: Change; is: string[] }>([
    { what: "a changed manifest", change: changed("package.json", "modified"), is: ["b"] },
    { what: "an added manifest", change: changed("package.json", "added"), is: ["a", "b"] },
    { what: "a deleted manifest", change: changed("package.json", "deleted"), is: [] },
    { what: "another file", change: changed("b.txt", "modified"), is: [] },
    { what: "a manifest that cannot be read", change: changed("sub/package.json", "modified"), is: [] },
  ])("of $what are $is", async ({ change, is }) => {
    expect((await look([change])).map(({ name }) => name)).toEqual(is);
  });

  test.each([
    ["package.json", "not json", []],
    ["package.json", "null", []],
    ["deno.json", '{"imports":{"x":"jsr:x"}}', ["x"]],
    [
      "Pipfile",
      '[packages]\nflask = "*"\n[dev-packages]\n"py-test" = "*"\n[requires]\npython = "3"\n',
      ["flask", "py-test"],
    ],
    [
      "pyproject.toml",
      '[[tool.poetry.source]]\nname = "x"\n[tool.poetry.group.dev.dependencies]\nruff = "1"\n',
      ["ruff"],
    ],
    [
      "pyproject.toml",
      '[project.optional-dependencies]\ndev = [\n  "ruff[extra]>=1",\n  "mypy"\n]\n',
      ["ruff", "mypy"],
    ],
    ["pyproject.toml", '[project]\nname = "x"\nreadme = "README.md"\nauthors = [{ name = "Pat" }]\n', []],
    ["x.gemspec", 'spec.add_development_dependency "rspec"', ["rspec"]],
    ["README.md", "gem 'x'", []],
  ])("%s with %j names %j", (path, text, names) => {
    expect(dependenciesIn(path, text)).toEqual(names);
  });

  test("what is no manifest names none", () => {
    expect(["a/package.json", "go.mod", "src/main.go", "package.jsonc"].map(isManifest)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
