// The seal's rules: what is sealed and why, what is an addition, what is a move, what is laid back.
import { describe, expect, test } from "vitest";
import { isWelcome } from "../../src/runtime/proof/additive.ts";
import { openSeal, sealRule } from "../../src/runtime/proof/seal.ts";
import { changedParts } from "../../src/runtime/proof/sealed-parts.ts";
import { change, check, scope, tree, workspace } from "./trees.ts";

describe("without being told", () => {
  const rule = sealRule({ checks: [check()], scope: scope() });
  test.each([
    ...[
      "test/a.js",
      "packages/x/test/a.js",
      "src/a.test.ts",
      "src/__snapshots__/a.snap",
      "cypress/e2e/a.cy.js",
      "vitest.config.ts",
    ],
    ...[
      "packages/x/jest.config.js",
      ".mocharc.json",
      "tsconfig.json",
      ".npmrc",
      "tests/test_a.py",
      "pkg/test_a.py",
      "conftest.py",
    ],
    ...[
      "tests/conftest.py",
      "pytest.ini",
      "tox.ini",
      "setup.cfg",
      "a/b_test.go",
      "tests/it.rs",
      "build.rs",
      ".cargo/config.toml",
    ],
    ...[
      "src/test/java/ATest.java",
      "build.gradle.kts",
      "spec/a_spec.rb",
      ".rspec",
      "tests/ATest.php",
      "phpunit.xml.dist",
    ],
    ...[
      "App.Tests/A.cs",
      "Directory.Build.props",
      "Makefile",
      "GNUmakefile",
      "justfile",
      "Taskfile.yml",
      ".github/workflows/ci.yml",
      ".gitlab-ci.yml",
    ],
  ])("%s is sealed", (path) => {
    expect(rule.isSealed(path)).toBe(true);
    expect(rule.reason(path)).toMatch(/./);
  });

  test.each([
    "src/a.js",
    "lib/latest.py",
    "README.md",
    "docs/testing.md",
    "src/contest.ts",
    "cmd/main.go",
    "package.json",
    "pyproject.toml",
  ])("%s is not sealed as a whole", (path) => {
    expect(rule.isSealed(path)).toBe(false);
  });

  test("a check's own globs take the place of the usual ones, and may_change releases", () => {
    const own = sealRule({ checks: [check({ tests: ["checks/**"] })], scope: scope(["checks/free.js"]) });
    expect(["checks/a.js", "checks/free.js", "test/a.js", "pytest.ini"].map(own.isSealed)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(own.reason("checks/a.js")).toBe("tests of the check test");
  });
});

describe("files that a command leads to", () => {
  const files = {
    "package.json": '{"scripts":{"test":"node tools/run.mjs","pretest":"sh prepare.sh","e2e":"node src/main.js"}}',
    "tools/run.mjs": "",
    "prepare.sh": "node 'tools/more things.mjs'\n",
    "tools/more things.mjs": "",
    "src/main.js": "",
    "sub/check.mjs": "",
    "checks.sh": "",
    "cfg/my.yml": "",
  };
  test.each([
    { run: "npm test", sealed: ["tools/run.mjs", "prepare.sh", "tools/more things.mjs"] },
    { run: "npm run test --silent", sealed: ["tools/run.mjs", "prepare.sh", "tools/more things.mjs"] },
    { run: "yarn test", sealed: ["tools/run.mjs", "prepare.sh", "tools/more things.mjs"] },
    { run: "./checks.sh", sealed: ["checks.sh"] },
    { run: "sh './checks.sh' && echo ok", sealed: ["checks.sh"] },
    { run: 'CI=1 node "tools/more things.mjs"', sealed: ["tools/more things.mjs"] },
    { run: "cd sub && node ./check.mjs", sealed: ["sub/check.mjs"] },
    { run: "cd sub; node ../checks.sh", sealed: ["checks.sh"] },
    { run: "tool --config=cfg/my.yml", sealed: ["cfg/my.yml"] },
    // The program under test is what a script starts, not a test; named by the command itself, it is meant.
    { run: "npm run e2e", sealed: [] },
    { run: "node src/main.js", sealed: ["src/main.js"] },
    { run: "true", sealed: [] },
  ])("$run seals $sealed", async ({ run, sealed }) => {
    const rule = await openSeal(workspace, { checks: [check({ run })], scope: scope() }, tree(files));
    expect(Object.keys(files).filter(rule.isSealed).sort()).toEqual([...sealed].sort());
  });
});

describe("adding to a test", () => {
  const old = 'test("a", () => {\n  check(1);\n});\n\ntest("b", () => {\n  check(2);\n});\n';
  test.each([
    { what: "a test at the end", text: `${old}\ntest("c", () => {\n  return check(3);\n});\n` },
    { what: "a test in the middle", text: old.replace("\n\ntest", '\n\ntest("c", () => {\n  check(3);\n});\n\ntest') },
    { what: "an import before all", text: `import x from "x";\n${old}` },
    { what: "an assertion within", text: old.replace("check(1);", "check(1);\n  check(1.5);") },
    { what: "a comma and another row", before: "[\n  1\n]\n", text: "[\n  1,\n  2\n]\n" },
  ])("$what is welcome", ({ text, before }) => {
    expect(isWelcome(before ?? old, text)).toBe(true);
  });

  test.each([
    { what: "a changed line", text: old.replace("check(1)", "check(9)") },
    { what: "a line less", text: old.replace("  check(1);\n", "") },
    { what: "a comment around", text: `/*\n${old.replace("\n\ntest", "\n*/\n\ntest")}` },
    {
      what: "a condition around",
      text: old.replace('test("a"', 'if (false) {\ntest("a"').replace("});\n\n", "});\n}\n\n"),
    },
    { what: "an early return", text: old.replace("  check(1);", "  return;\n  check(1);") },
    { what: "an early exit", text: `process.exit(0);\n${old}` },
    { what: "a skipped test", text: `${old}test.skip("c", () => {});\n` },
    { what: "a test that runs alone", text: `${old}it.only("c", () => {});\n` },
    {
      what: "a decorator",
      before: "def test_a():\n    assert f()\n",
      text: "@pytest.mark.skip\ndef test_a():\n    assert f()\n",
    },
    { what: "a docstring around", before: "assert a\nassert b\n", text: '"""\nassert a\n"""\nassert b\n' },
  ])("$what is not an addition", ({ text, before }) => {
    expect(isWelcome(before ?? old, text)).toBe(false);
  });
});

describe("a file that is sealed in part", () => {
  const json = (value: object) => JSON.stringify(value);
  const manifest = { name: "a", scripts: { test: "node --test", build: "tsc" }, dependencies: {} };
  test.each([
    { what: "a dependency", after: { ...manifest, dependencies: { x: "1" } }, parts: null },
    { what: "a new script", after: { ...manifest, scripts: { ...manifest.scripts, lint: "eslint" } }, parts: null },
    {
      what: "another test script",
      after: { ...manifest, scripts: { test: "true", build: "tsc" } },
      parts: ["scripts.test"],
    },
    { what: "a script gone", after: { ...manifest, scripts: { build: "tsc" } }, parts: ["scripts.test"] },
    {
      what: "a hook before the tests",
      after: { ...manifest, scripts: { ...manifest.scripts, pretest: "rm -rf test" } },
      parts: ["scripts.pretest"],
    },
    { what: "a jest section", after: { ...manifest, jest: { testMatch: [] } }, parts: ["jest"] },
  ])("package.json: $what", ({ after, parts }) => {
    const found = changedParts("package.json", json(manifest), json(after));
    expect(found?.parts ?? null).toEqual(parts);
    if (found !== null)
      expect(JSON.parse(found.laid)).toEqual({ ...after, scripts: manifest.scripts, jest: undefined });
  });

  test("package.json that cannot be read any more goes back whole", () => {
    expect(changedParts("package.json", "{}", "{")?.laid).toBe("{}");
  });

  test("pyproject.toml: a dependency may come in, and pytest's section may not change unseen", () => {
    const before = '[project]\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
    expect(changedParts("pyproject.toml", before, before.replace("[]", '["x"]'))).toBeNull();
    const after = before.replace("[]", '["x"]').replace("-q", "-q --deselect tests");
    const found = changedParts("pyproject.toml", before, after);
    expect(found?.parts).toEqual(["[tool.pytest.ini_options]"]);
    expect(found?.laid).toBe('[project]\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n');
  });

  test("Cargo.toml: a [[test]] with harness = false is seen", () => {
    const found = changedParts(
      "Cargo.toml",
      "[dependencies]\n",
      '[dependencies]\n\n[[test]]\nname = "x"\nharness = false\n',
    );
    expect(found?.parts).toEqual(["[test]"]);
  });
});

describe("what a named script loads", () => {
  const files = {
    "scripts/verify.mjs":
      'import { rules } from "./lib.mjs";\nimport { main } from "../src/main.js";\nconst more = await import("./more/index.mjs");\n',
    "scripts/lib.mjs": 'export * from "./deep/rules.mjs";\nimport "./verify.mjs";\n',
    "scripts/deep/rules.mjs": "export const rules = [];\n",
    "scripts/more/index.mjs": 'export { default } from "../../core/engine.js";\n',
    "scripts/unused.mjs": "",
    "scripts/typed.ts": 'import { a } from "./helper.js";\n',
    "scripts/helper.ts": "",
    "scripts/old.cjs": 'const { a } = require("./common");\n',
    "scripts/common.cjs": "",
    "scripts/all.sh": '. "$(dirname "$0")/common.sh"\n',
    "scripts/common.sh": "",
    "src/main.js": "",
    "core/engine.js": "",
    "verify.mjs": 'import "./engine.mjs";\n',
    "engine.mjs": "",
    "tools/check.py":
      "import json\nfrom tools.rules import rule\nfrom .near import x\nimport beside\nfrom app.main import main\n",
    "tools/rules.py": "",
    "tools/near.py": "",
    "tools/beside/__init__.py": "",
    "app/main.py": "",
  };
  test.each([
    {
      run: "node scripts/verify.mjs",
      sealed: ["scripts/verify.mjs", "scripts/lib.mjs", "scripts/deep/rules.mjs", "scripts/more/index.mjs"],
    },
    { run: "tsx scripts/typed.ts", sealed: ["scripts/typed.ts", "scripts/helper.ts"] },
    { run: "node scripts/old.cjs", sealed: ["scripts/old.cjs", "scripts/common.cjs"] },
    { run: "sh scripts/all.sh", sealed: ["scripts/all.sh", "scripts/common.sh"] },
    {
      run: "python3 tools/check.py",
      sealed: ["tools/check.py", "tools/rules.py", "tools/near.py", "tools/beside/__init__.py"],
    },
    // Outside a folder of tools it may be the program itself, which a feature is there to change.
    { run: "node verify.mjs", sealed: ["verify.mjs"] },
  ])("$run seals $sealed", async ({ run, sealed }) => {
    const rule = await openSeal(workspace, { checks: [check({ run })], scope: scope() }, tree(files));
    expect(
      Object.keys(files)
        .filter((path) => rule.isSealed(path))
        .sort(),
    ).toEqual(sealed.toSorted());
  });

  test("is laid back when a change made it say yes", async () => {
    const report = await change(
      files,
      { "scripts/deep/rules.mjs": "export const rules = null;\n" },
      { checks: [check({ run: "node scripts/verify.mjs" })] },
    );
    expect(report.lay.map(({ path }) => path)).toEqual(["scripts/deep/rules.mjs"]);
  });
});

describe("what a change does to the seal", () => {
  const test1 =
    'import { words } from "../src/words.js";\nimport assert from "node:assert";\nassert.equal(words("a b"), 2);\nassert.equal(words(""), 0);\n';
  const before = { "src/words.js": "code", "test/words.test.js": test1, "package.json": "{}" };

  test("a new test lays nothing back", async () => {
    expect((await change(before, { "test/new.test.js": "x" })).lay).toEqual([]);
  });

  test("a changed test is laid back, and what came with the change is left out", async () => {
    const report = await change(before, { "test/words.test.js": "assert(true)", "test/new.test.js": "x" });
    expect(report.lay.map(({ path, content }) => [path, content === null ? null : String(content)])).toEqual([
      ["test/words.test.js", test1],
      ["test/new.test.js", null],
    ]);
    expect(report.layWithTests.map(({ path }) => path)).toEqual(["test/words.test.js"]);
    expect(report.rewritten).toEqual(["test/words.test.js"]);
  });

  test("a module that moves with its test is a move, and stays one for the features after it", async () => {
    const moved = {
      "src/words.js": null,
      "test/words.test.js": null,
      "src/text/count.js": "code",
      "test/text/count.test.js": test1.replace("../src/words.js", "../../src/text/count.js"),
    };
    const report = await change(before, moved);
    expect(report.renamed).toEqual([{ from: "test/words.test.js", to: "test/text/count.test.js" }]);
    expect([report.deleted, report.lay]).toEqual([[], []]);
    const after = {
      "src/text/count.js": "code",
      "test/text/count.test.js": moved["test/text/count.test.js"],
      "package.json": "{}",
    };
    expect((await change(after, { "src/other.js": "x" }, { origin: before })).lay).toEqual([]);
  });

  test("a Python module that moves with its test is a move", async () => {
    const python = "from app.old import old\n\n\ndef test_old():\n    assert old() == 1\n";
    const report = await change(
      { "app/old.py": "code", "tests/test_old.py": python },
      {
        "app/old.py": null,
        "tests/test_old.py": null,
        "app/text/aged.py": "code",
        "tests/test_aged.py": python.replace("app.old", "app.text.aged"),
      },
    );
    expect(report.renamed).toEqual([{ from: "tests/test_old.py", to: "tests/test_aged.py" }]);
  });

  test.each([
    { what: "an assertion less", text: test1.replace('assert.equal(words(""), 0);\n', "") },
    { what: "a weaker assertion", text: test1.replace("0);", "1);") },
    { what: "another assert", text: test1.replace("node:assert", "./fake.js") },
    { what: "another import", text: test1.replace("{ words }", "{ fake as words }") },
    { what: "nothing of the old", text: "assert(true);\n" },
    { what: "the test switched off", text: `${test1}process.exit(0);\n` },
  ])("a move with $what is a deletion", async ({ text }) => {
    const report = await change(before, {
      "test/words.test.js": null,
      "test/count.test.js": text,
      "src/words.js": null,
      "src/count.js": "code",
    });
    expect(report.renamed).toEqual([]);
    expect(report.deleted).toEqual(["test/words.test.js"]);
  });

  test.each([
    "conftest.py",
    "test/conftest.py",
    "vitest.config.ts",
    ".npmrc",
    "GNUmakefile",
    "pytest.ini",
    "sitecustomize.py",
  ])("%s that is added could decide over the old tests, and is left out", async (path) => {
    const report = await change(before, { [path]: "anything" });
    expect([report.steering, report.lay]).toEqual([[path], [{ path, content: null }]]);
  });

  test("configuration in a folder that was not there before decides over nothing old", async () => {
    expect((await change(before, { "packages/new/tsconfig.json": "{}", "packages/new/test/a.js": "x" })).lay).toEqual(
      [],
    );
  });

  test("a new test that ends the process is left out", async () => {
    expect(
      (await change(before, { "test/main_test.go": "func TestMain(m *testing.M) { os.Exit(0) }" })).steering,
    ).toEqual(["test/main_test.go"]);
  });

  test("a test that an earlier feature rewrote counts as it was before the run", async () => {
    const worn = { ...before, "test/words.test.js": "assert(true)" };
    const report = await change(worn, { "src/other.js": "x" }, { origin: before });
    expect(report.worn?.files.map(({ path }) => path)).toEqual(["test/words.test.js"]);
    expect(report.lay.map(({ content }) => String(content))).toEqual([test1]);
  });

  test("once a test was rewritten, the suite of that time is kept whole: what came later is left out, what moved stays", async () => {
    const first = await change(before, { "test/words.test.js": "assert(true)", "test/late.test.js": "x" });
    const worn = first.wornAfter;
    expect(worn?.files.map(({ path }) => path)).toEqual(["test/words.test.js"]);
    expect(worn?.added).toEqual(["test/late.test.js"]);
    const now = {
      ...before,
      "test/words.test.js": "assert(true)",
      "test/late.test.js": "x",
      "test/pad.test.js": test1,
    };
    const moved = await change(
      now,
      { "test/pad.test.js": null, "test/text/pad.test.js": test1, "test/later.test.js": "y" },
      { worn },
    );
    expect(moved.wornAfter?.added).toEqual(["test/late.test.js", "test/later.test.js"]);
    expect(moved.lay.map(({ path, content }) => [path, content === null])).toEqual([
      ["test/words.test.js", false],
      ["test/later.test.js", true],
      ["test/late.test.js", true],
    ]);
  });

  test("a lockfile may follow its manifest, and alone is named", async () => {
    const locked = { ...before, "package-lock.json": "1" };
    expect((await change(locked, { "package-lock.json": "2" })).locks).toEqual(["package-lock.json"]);
    expect((await change(locked, { "package-lock.json": "2", "package.json": '{"dependencies":{}}' })).locks).toEqual(
      [],
    );
  });

  test("what may change is not laid back", async () => {
    const report = await change(before, { "test/words.test.js": "y" }, { mayChange: ["test/words.test.js"] });
    expect([report.lay, report.released]).toEqual([[], ["test/words.test.js"]]);
  });
});
