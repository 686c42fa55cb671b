// Which files a command leads to: how it is taken apart, what is followed, and where that ends.
import { describe, expect, test } from "vitest";
import { importedFiles } from "../../src/runtime/proof/imported-files.ts";
import { namedFiles, simpleCommands } from "../../src/runtime/proof/named-files.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { check, type Files, scope, tree, workspace } from "./trees.ts";

test.each<{ command: string; is: [string, ...string[]][] }>([
  { command: "node a.js", is: [["", "node", "a.js"]] },
  {
    command: "a;b&&c||d|e\nf",
    is: [
      ["", "a"],
      ["", "b"],
      ["", "c"],
      ["", "d"],
      ["", "e"],
      ["", "f"],
    ],
  },
  {
    command: "(a) `b`",
    is: [
      ["", "a"],
      ["", "b"],
    ],
  },
  { command: "a > out.txt <in.txt", is: [["", "a", "out.txt", "in.txt"]] },
  { command: `a "b c" 'd "e' f"g"h ''`, is: [["", "a", "b c", 'd "e', "fgh", ""]] },
  { command: 'a "b;c|d"', is: [["", "a", "b;c|d"]] },
  { command: "a --config=x.yml K=v=w", is: [["", "a", "--config=x.yml", "x.yml", "K=v=w", "v=w"]] },
  {
    command: "cd sub && a; cd ../other; b; cd /x; c; cd; d",
    is: [
      ["sub", "a"],
      ["other", "b"],
      ["other", "c"],
      ["other", "d"],
    ],
  },
  { command: "  ", is: [] },
  { command: `${"x".repeat(99_999)}yz`, is: [["", `${"x".repeat(99_999)}y`]] },
])("$command is taken apart", ({ command, is }) => {
  expect(simpleCommands(command, "").map(({ words, folder }) => [folder, ...words])).toEqual(is);
});

test("a command in a folder stays there until it leaves", () => {
  expect(simpleCommands("a; cd b; c", "start").map(({ folder }) => folder)).toEqual(["start", "start/b"]);
});

const found = async (files: Files, run: string, setup: string | null = null) =>
  Object.fromEntries(
    (await namedFiles(workspace, [check({ run, setup })], tree(files))).map(({ path, why }) => [path, why]),
  );

describe("a command leads to", () => {
  test("the files that it and its setup name, with the reason", async () => {
    expect(await found({ "a.mjs": "", "b.sh": "", "c.mjs": "" }, "node ./a.mjs", "sh b.sh")).toEqual({
      "a.mjs": "named by the command of test",
      "b.sh": "named by the command of test",
    });
  });

  test.each(["/a.mjs", "-a.mjs", "$a.mjs", "../a.mjs", "a/../../a.mjs", ""])("no file by %j", async (word) => {
    const files = { "a.mjs": "", "-a.mjs": "", "$a.mjs": "", "/a.mjs": "" };
    expect(await found(files, `node '${word}'`)).toEqual({});
  });

  test("a file by any way to it that stays inside", async () => {
    expect(Object.keys(await found({ "sub/a.mjs": "" }, "cd sub && node .././sub//a.mjs"))).toEqual(["sub/a.mjs"]);
  });

  const scripts = (lines: Record<string, unknown>): string => JSON.stringify({ scripts: lines });
  const all = {
    "package.json": scripts({
      test: "node t.mjs",
      pretest: "sh p.sh",
      posttest: "node o.mjs",
      e2e: "node e.mjs",
      odd: 7,
    }),
    "t.mjs": "",
    "p.sh": "",
    "o.mjs": "",
    "e.mjs": "",
  };
  test.each<[string, string[]]>([
    ["npm test", ["p.sh", "t.mjs", "o.mjs"]],
    ["npm t", ["p.sh", "t.mjs", "o.mjs"]],
    ["npm --silent run e2e", ["e.mjs"]],
    ["npm run-script e2e", ["e.mjs"]],
    ["npm run", []],
    ["npm", []],
    ["npm e2e", []],
    ["yarn e2e", ["e.mjs"]],
    ["pnpm run e2e", ["e.mjs"]],
    ["bun e2e", ["e.mjs"]],
    ["env CI=1 npm run e2e", ["e.mjs"]],
    ["npmx run e2e", []],
    ["npm run odd", []],
    ["npm run none", []],
  ])("what %s runs: %s", async (run, paths) => {
    expect(Object.keys(await found(all, run)).sort()).toEqual([...paths].sort());
  });

  test("a script's files by the script's name, in the folder where it runs", async () => {
    const files = { "sub/package.json": scripts({ test: "node t.mjs" }), "sub/t.mjs": "", "t.mjs": "" };
    expect(await found(files, "cd sub && npm test")).toEqual({ "sub/t.mjs": "named by the package script test" });
  });

  test.each(["{", "null", "{}"])("nothing by a manifest that is %s", async (manifest) => {
    expect(await found({ "package.json": manifest, "t.mjs": "" }, "npm test")).toEqual({});
  });

  test("what a shell script names, three deep and no deeper, each once", async () => {
    const files = { "a.sh": "sh b.sh", "b.sh": "sh c.sh; sh a.sh", "c.sh": "sh d.sh", "d.sh": "sh e.sh", "e.sh": "" };
    expect(await found(files, "sh a.sh")).toEqual({
      "a.sh": "named by the command of test",
      "b.sh": "named by a.sh",
      "c.sh": "named by b.sh",
      "d.sh": "named by c.sh",
    });
  });

  test("the program under test where the command names it, and not where a script does", async () => {
    for (const path of ["src/a.mjs", "x/lib/a.mjs", "app/a.mjs", "dist/a.mjs"]) {
      expect(Object.keys(await found({ [path]: "" }, `node ${path}`))).toEqual([path]);
      expect(Object.keys(await found({ [path]: "", "a.sh": `node ${path}` }, "sh a.sh"))).toEqual(["a.sh"]);
    }
    expect(Object.keys(await found({ "srcs/a.mjs": "", "a.sh": "node srcs/a.mjs" }, "sh a.sh"))).toContain(
      "srcs/a.mjs",
    );
  });

  test("no further by a file that is no script, or too long to be one", async () => {
    expect(Object.keys(await found({ "a.yml": "sh b.sh", "b.sh": "" }, "tool a.yml"))).toEqual(["a.yml"]);
    expect(Object.keys(await found({ "a.mjs": "sh b.sh", "b.sh": "" }, "node a.mjs"))).toEqual(["a.mjs"]);
    const long = (length: number): string => `sh b.sh #${"x".repeat(length - 9)}`;
    expect(Object.keys(await found({ "a.sh": long(99_999), "b.sh": "" }, "sh a.sh"))).toEqual(["a.sh", "b.sh"]);
    expect(Object.keys(await found({ "a.sh": long(100_000), "b.sh": "" }, "sh a.sh"))).toEqual(["a.sh"]);
  });

  test("what a program without an ending names", async () => {
    expect(Object.keys(await found({ "bin/check": "sh b.sh", "b.sh": "" }, "bin/check"))).toEqual([
      "bin/check",
      "b.sh",
    ]);
  });

  test("what its script loads, and what that loads, with the reason; five hundred at most", async () => {
    const files = { "scripts/a.mjs": 'import "./b.mjs"', "scripts/b.mjs": 'import "./c.json"', "scripts/c.json": "{}" };
    expect(await found(files, "node scripts/a.mjs")).toEqual({
      "scripts/a.mjs": "named by the command of test",
      "scripts/b.mjs": "loaded by scripts/a.mjs",
      "scripts/c.json": "loaded by scripts/b.mjs",
    });
    const many = Array.from({ length: 600 }, (_, at) => `scripts/${at}.mjs`);
    const text = many.map((_, at) => `import "./${at}.mjs";`).join("\n");
    const all600 = { ...Object.fromEntries(many.map((path) => [path, ""])), "scripts/a.mjs": text };
    expect(Object.keys(await found(all600, "node scripts/a.mjs"))).toHaveLength(500);
  });
});

describe("what a script loads", () => {
  test.each<[string, string, string[]]>([
    ["tools/a.mjs", 'import x from "./b.mjs"', ["tools/b.mjs"]],
    ["tools/a.mjs", 'import("./b.mjs"); require( "./c.cjs" )', ["tools/b.mjs", "tools/c.cjs"]],
    ["tools/a.mjs", 'import x from "b"; import y from "/c.js"', []],
    ["tools/sub/a.js", 'export * from "../b.js"', ["tools/b.js", "tools/b.ts"]],
    ["tools/a.cts", 'require("./b.cjs")', ["tools/b.cjs", "tools/b.cts"]],
    ["tools/a.mjs", 'import "../src/b.mjs"', []],
    ["src/a.mjs", 'import "./b.mjs"', []],
    ["x/scripts/a.mjs", 'import "./b.mjs"', ["x/scripts/b.mjs"]],
    ["ci/run.sh", '. "$(dirname "$0")/b.sh"; source $here/c.sh; bash ./d.sh', ["ci/b.sh", "ci/c.sh", "ci/d.sh"]],
    ["ci/run", ". ./b.sh", ["ci/b.sh"]],
    ["ci/a.py", "from .b import c", ["ci/b.py", "ci/b/c.py"]],
    ["ci/sub/a.py", "from ..b import c", ["ci/b.py"]],
    ["ci/a.py", "import b.c", ["ci/b/c.py"]],
    ["ci/a.py", "import ci.b", ["ci/b.py"]],
    ["ci/a.py", "from . import b", ["ci/b.py"]],
    ["ci/sub/a.py", "from .. import b", ["ci/b.py"]],
    ["ci/a.rb", 'require "./b"', []],
  ])("%s with %j: %j", (path, text, paths) => {
    const loaded = importedFiles(path, text);
    expect(loaded).toEqual(expect.arrayContaining(paths));
    if (paths.length === 0) expect(loaded).toEqual([]);
  });

  test("is never itself", () => {
    expect(importedFiles("tools/a.mjs", 'import "./a.mjs"')).not.toContain("tools/a.mjs");
  });

  test("of JavaScript is looked for as Node and TypeScript would", () => {
    const endings = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.mjs", "/index.ts"];
    expect(importedFiles("tools/a.js", 'require("./b")')).toEqual(endings.map((ending) => `tools/b${ending}`));
  });

  test("of Python is looked for beside it and from the top", () => {
    expect(importedFiles("ci/a.py", "import ci.b")).toEqual([
      "ci/ci/b.py",
      "ci/ci/b/__init__.py",
      "ci/b.py",
      "ci/b/__init__.py",
    ]);
  });
});

test("a hidden folder of tests is one, too", () => {
  const rule = sealRule({ checks: [check()], scope: scope([".free/**"]) });
  expect([".hidden/test/a.js", ".free/test/.a.js"].map(rule.isSealed)).toEqual([true, false]);
});

test("a path that a command names is sealed without its dots before it, and only those", () => {
  const rule = sealRule({ checks: [check({ run: "sh ././a.sh; sh x./b.sh" })], scope: scope() });
  expect(["a.sh", "x./b.sh"].map(rule.isSealed)).toEqual([true, true]);
});
