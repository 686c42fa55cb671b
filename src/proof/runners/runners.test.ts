import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { View } from "../view.ts";
import { askForNames } from "./ask.ts";
import { runnersOf } from "./command/runners-of.ts";
import { readNames } from "./read.ts";
import { keysOf, type Names, type TestResult } from "./runner.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "loop runners ")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;
type Ran = { names: Names | null; tests: readonly string[]; exit: number | null; output: string; selects: boolean };
let rooms = 0;

/** Runs a command in a folder with the files, with the asking's variables and shims, and returns the result. */
function run(files: Files, command: string, also: { only?: string[]; declared?: string[]; links?: Files } = {}): Ran {
  rooms += 1;
  const [cwd, out, bin] = ["tree", "out", "bin"].map((name) => join(scratch, String(rooms), name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [cwd, out, bin]) mkdirSync(dir, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text, { mode: 0o755 });
  }
  for (const [path, to] of Object.entries(also.links ?? {})) symlinkSync(to, join(cwd, path));
  const view: View = { paths: Object.keys(files).sort(), text: (path) => files[path] ?? null };
  const uses = runnersOf(command, view);
  const asking = askForNames({ uses, cwd, out, ...(also.only === undefined ? {} : { only: also.only }) });
  for (const { name, script } of asking.shims) writeFileSync(join(bin, name), script, { mode: 0o755 });
  const { NODE_OPTIONS: _, PYTHONPATH: __, VITEST: ___, ...env } = process.env;
  const path = `${bin}:${join(cwd, "node_modules/.bin")}:${env["PATH"]}`;
  const ran = spawnSync("sh", ["-c", `{ ${command}\n} 2>&1`], {
    ...{ cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 50_000 },
    env: { ...env, CI: "1", npm_config_update_notifier: "false", PATH: path, ...asking.env },
  });
  const names = readNames({
    ...{ folder: out, mark: asking.mark, uses, cwd, output: ran.stdout, declared: also.declared ?? null },
  });
  const told = ([key, { how, worksAnyway }]: [string, TestResult]): string =>
    `${how}${worksAnyway === true ? " (works anyway)" : ""} ${key}`;
  const tests = [...keysOf(names?.tests ?? [])].map(told).sort();
  return { names, tests, exit: ran.status, output: ran.stdout, selects: asking.selects };
}

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: "ignore" }).status === 0;
const scripts = (of: Files): string => JSON.stringify({ scripts: of });
describe("node", () => {
  const files = {
    "test/a.test.js": `const { test, describe, it } = require("node:test");
test("top", async (t) => { await t.test("inner", () => {}); });
describe("group", () => { it("bad", () => { throw new Error("no"); }); it.skip("left out", () => {}); it.todo("later"); it("works", { todo: true }, () => {}); it("fails", { todo: true }, () => { throw 1; }); });
test("same", () => {}); test("same", () => {});`,
    "test/[b] c.test.js": `require("node:test").test("b", () => {});`,
    "test/empty.test.js": "",
    "test/crash.test.js": "throw new Error();",
    "package.json": scripts({
      test: "node --test",
      dot: "node --test --test-reporter=dot",
      options: "NODE_OPTIONS=--no-warnings node --test --test-concurrency 1 test",
      plain: "node test/a.test.js",
      exits: "node exits.js",
    }),
    "exits.js": `const { test } = require("node:test"); test("one", () => {}); test("two", () => process.exit(0));`,
  };
  const inA = [
    "failed test/a.test.js > group > bad",
    "passed test/a.test.js > same",
    "passed test/a.test.js > same (2)",
    "passed test/a.test.js > top",
    "passed test/a.test.js > top > inner",
    "skipped (works anyway) test/a.test.js > group > later",
    "skipped (works anyway) test/a.test.js > group > works",
    "skipped test/a.test.js > group > fails",
    "skipped test/a.test.js > group > left out",
  ];

  test("reports every test through npm, no file as a test, and a file that fails", () => {
    const { names, tests, exit, output } = run(files, "npm test");
    expect(tests).toEqual([...inA, "failed test/crash.test.js > (file)", "passed test/[b] c.test.js > b"].sort());
    expect(names).toMatchObject({ complete: true, problem: null });
    expect(exit).toBe(1);
    expect(output).toContain("✖ bad"); // People see the usual output.
  });

  test("processes that a test starts see the environment as it would be without us, and report nothing", () => {
    const nested = `const { test } = require("node:test"); const { spawnSync } = require("child_process");
test("outer", () => {
  const seen = ["NODE_OPTIONS", "LOOP_NAMES"].filter((name) => name in process.env);
  if (seen.length > 0 || process.env.PATH.includes("/bin:" + process.cwd())) throw new Error(seen + process.env.PATH);
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  if (spawnSync("node", ["--test", "fixture.js"], { env }).status !== 1) throw new Error("no");
});`;
    const files = { "a.test.js": nested, "fixture.js": `require("node:test").test("inner", () => { throw 1; });` };
    expect(run(files, "node --test a.test.js")).toMatchObject({ exit: 0, tests: ["passed a.test.js > outer"] });
  });

  test("reports a script that contains tests", () => {
    expect(run(files, "npm run plain").tests).toEqual(inA);
  });

  test.each(["npm test", "npm run dot", "npm run options", "node --test"])(
    "runs the selected files of %s",
    (command) => {
      const ran = run(files, command, { only: ["test/[b] c.test.js"] });
      expect(ran).toMatchObject({ selects: true, exit: 0, tests: ["passed test/[b] c.test.js > b"] });
    },
  );

  test("a run that exits early is not complete", () => {
    const { names, exit } = run(files, "npm run exits");
    expect(names?.complete).toBe(false);
    expect(names?.problem).toMatch(/only the exit code of the check counts\.$/);
    expect(exit).toBe(0);
  });

  test("packages of a workspace report with their paths, and one without a selected file runs nothing", () => {
    const files = {
      "package.json": JSON.stringify({ workspaces: ["p/*"], scripts: { test: "npm test --workspaces" } }),
      "p/a/package.json": JSON.stringify({ name: "a", version: "1.0.0", scripts: { test: "node --test" } }),
      "p/a/a.test.js": `require("node:test").test("a", () => {});`,
      "p/b/package.json": JSON.stringify({ name: "b", version: "1.0.0", scripts: { test: "node --test" } }),
      "p/b/b.test.js": `require("node:test").test("b", () => {});`,
    };
    expect(run(files, "npm test").tests).toEqual(["passed p/a/a.test.js > a", "passed p/b/b.test.js > b"]);
    expect(run(files, "npm test", { only: ["p/b/b.test.js"] })).toMatchObject({
      exit: 0,
      tests: ["passed p/b/b.test.js > b"],
    });
  });

  test("an unknown runner is asked all the same", () => {
    const own = {
      "go.js": `require("child_process").spawnSync(process.execPath, ["--test"], { stdio: "inherit" });`,
      ...files,
    };
    expect(run(own, "node go.js").tests).toEqual(run(files, "npm test").tests);
  });
});

describe("vitest", () => {
  const links = { node_modules: join(root, "node_modules") };
  const files = {
    "a.test.js": `import { describe, expect, test } from "vitest";
describe("group", () => { test("good", () => { for (const name of ["NODE_OPTIONS", "LOOP_NAMES"]) if (process.env[name]) throw new Error(name); }); test("bad", () => expect(1).toBe(2)); test.skip("no", () => {}); test.fails("known", () => expect(1).toBe(2)); });`,
    "b.test.js": `import { test } from "vitest"; test("b", () => {});`,
    "broken.test.js": `import "./missing.js";`,
    "vitest.config.js": `export default { test: { reporters: ["dot"], outputFile: "own.json", pool: "threads" } };`,
    "package.json": JSON.stringify({ type: "module", scripts: { test: "vitest --watch" } }),
  };

  test("reports through npm, never watches, and respects the configuration", () => {
    const { names, tests, exit } = run(files, "npm test", { links });
    expect(names).toMatchObject({ complete: true, problem: null });
    expect(tests).toEqual([
      "failed a.test.js > group > bad",
      "failed broken.test.js > (file)",
      "passed a.test.js > group > good",
      "passed b.test.js > b",
      "skipped a.test.js > group > known",
      "skipped a.test.js > group > no",
    ]);
    expect(exit).toBe(1);
  });

  test("runs the selected files", () => {
    const ran = run(files, "npx vitest run a b broken", { links, only: ["b.test.js"] });
    expect(ran).toMatchObject({ selects: true, exit: 0, tests: ["passed b.test.js > b"] });
  });
});

describe.skipIf(!has("python3", "-m", "pytest", "--version"))(
  "pytest (skipped where python3 or pytest is missing)",
  () => {
    const files = {
      "src/pkg.py": "def add(a, b): return a + b\n",
      "tests/test_a.py": `import os, pytest
from pkg import add
def test_good(): assert add(1, 2) == 3 and "LOOP_NAMES" not in os.environ and "runners/assets" not in os.environ["PYTHONPATH"]
def test_bad(): assert add(1, 2) == 4
@pytest.mark.skip
def test_no(): pass
@pytest.mark.xfail
def test_known(): assert False
@pytest.mark.xfail
def test_works(): pass
@pytest.mark.xfail
def test_works_late(late): pass
@pytest.mark.parametrize("n", [1, 2])
def test_each(n): pass
@pytest.fixture
def late():
    yield
    raise RuntimeError
def test_late(late): pass
class TestIn:
    def test_it(self): pass
`,
      "tests/test_b.py": "def test_b(): pass\n",
      Makefile: "test:\n\tPYTHONPATH=src pytest -q\nselected:\n\tPYTHONPATH=src python3 -m pytest -q tests\n",
    };

    test("reports although the command sets PYTHONPATH", () => {
      const { names, tests, exit } = run(files, "make test");
      expect(names).toMatchObject({ complete: true, problem: null });
      expect(tests).toEqual([
        "failed tests/test_a.py > test_bad",
        "failed tests/test_a.py > test_late",
        "passed tests/test_a.py > TestIn > test_it",
        "passed tests/test_a.py > test_each[1]",
        "passed tests/test_a.py > test_each[2]",
        "passed tests/test_a.py > test_good",
        "passed tests/test_b.py > test_b",
        "skipped (works anyway) tests/test_a.py > test_works",
        "skipped tests/test_a.py > test_known",
        "skipped tests/test_a.py > test_no",
        "skipped tests/test_a.py > test_works_late",
      ]);
      expect(exit).toBe(2); // make's.
    });

    test("runs the selected files, and does not load the others", () => {
      const ran = run({ ...files, "tests/test_c.py": "1 / 0\n" }, "make selected", { only: ["tests/test_b.py"] });
      expect(ran).toMatchObject({ selects: true, exit: 0, tests: ["passed tests/test_b.py > test_b"] });
    });

    test("a file that cannot be loaded has failed", () => {
      const ran = run({ "test_x.py": "import missing\n" }, "python3 -m pytest -q");
      expect(ran.tests).toEqual(["failed test_x.py > (file)"]);
    });

    test("a run that exits early is not complete", () => {
      const { names, exit } = run(
        { "test_x.py": "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n" },
        "pytest",
      );
      expect(names).toMatchObject({ complete: false, tests: [{ name: "test_a" }] });
      expect(exit).toBe(0);
    });

    test("a command that cannot be reached runs as it would without us", () => {
      const { names, exit } = run(
        { "test_x.py": "def test_a(): pass\n" },
        "PYTHONPATH= $(which -a pytest | tail -1) -q",
      );
      expect(names).toEqual(null);
      expect(exit).toBe(0);
    });
  },
);

describe.skipIf(!has("python3", "--version"))("unittest (skipped where python3 is missing)", () => {
  const files = {
    "tests/__init__.py": "",
    "tests/test_a.py": `import os, unittest
class A(unittest.TestCase):
    def test_good(self): self.assertNotIn("LOOP_NAMES", os.environ)
    def test_bad(self): self.fail()
    @unittest.skip("x")
    def test_no(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_parts(self):
        for part in range(3):
            with self.subTest(part=part): self.assertNotEqual(part, 1)
class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError
    def test_never(self): pass
`,
    "tests/test_b.py": "import unittest\nclass B(unittest.TestCase):\n    def test_b(self): pass\n",
    "tests/test_c.py": "import missing\n",
    "own/sitecustomize.py": "print('own sitecustomize')\n",
  };

  test("reports every test, and loads other sitecustomize modules", () => {
    const { names, tests, output } = run(files, "PYTHONPATH=own python3 -m unittest discover");
    expect(names).toMatchObject({ complete: true, problem: null });
    expect(tests).toEqual([
      "failed tests/test_a.py > A > test_bad",
      "failed tests/test_a.py > A > test_parts",
      "failed tests/test_a.py > setUpClass (tests.test_a.B)",
      "failed tests/test_c.py > (file)",
      "passed tests/test_a.py > A > test_good",
      "passed tests/test_b.py > B > test_b",
      "skipped tests/test_a.py > A > test_known",
      "skipped tests/test_a.py > A > test_no",
    ]);
    expect(output).toContain("own sitecustomize");
  });

  test("runs the selected files", () => {
    const ran = run(files, "python3 -m unittest discover -s tests", { only: ["tests/test_b.py"] });
    expect(ran).toMatchObject({ selects: true, exit: 0, tests: ["passed tests/test_b.py > B > test_b"] });
    // A selected module that cannot be loaded must not pass just because it was left out.
    expect(run(files, "python3 -m unittest tests.test_c", { only: ["tests/test_c.py"] }).exit).not.toBe(0);
  });
});

describe.skipIf(!has("go", "version"))("go (skipped where go is missing)", () => {
  const files = {
    "go.mod": "module example.com/thing\n\ngo 1.19\n",
    "a_test.go": `package thing
import "testing"
func TestGood(t *testing.T) {}
func TestBad(t *testing.T) { t.Run("in it", func(t *testing.T) { t.Error("boom") }) }
func TestNo(t *testing.T) { t.Skip() }
`,
    "sub/s_test.go": `package sub\nimport "testing"\nfunc TestSub(t *testing.T) {}\n`,
    "broken/b_test.go": `package broken\nimport "testing"\nfunc TestX(t *testing.T) { missing() }\n`,
    Makefile: "test:\n\tgo vet ./sub\n\tgo test ./... -count 1\n",
  };

  test("reports tests by file, and a package that cannot be built", () => {
    const { names, tests, output } = run(files, "make test");
    expect(names).toMatchObject({ complete: true, problem: null });
    expect(tests).toEqual([
      "failed a_test.go > TestBad",
      "failed a_test.go > TestBad/in_it",
      "failed broken > example.com/thing/broken > (package)",
      "passed a_test.go > TestGood",
      "passed sub/s_test.go > TestSub",
      "skipped a_test.go > TestNo",
    ]);
    // Packages are tested in parallel, and reported in the order in which they end.
    expect(output).toMatch(/--- FAIL: TestBad/);
    expect(output).toMatch(/ok\s+example.com\/thing\/sub/);
    expect(output).not.toContain('"Action"');
  });

  test("runs the packages of the selected files", () => {
    const ran = run(files, "make test", { only: ["sub/s_test.go"] });
    expect(ran).toMatchObject({ selects: true, exit: 0, tests: ["passed sub/s_test.go > TestSub"] });
  });
});

describe.skipIf(!has("cargo", "--version"))("cargo (skipped where cargo is missing)", () => {
  test("reports by crate and file", () => {
    const files = {
      "Cargo.toml": '[package]\nname = "my-thing"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        "pub fn one() -> i32 { 1 }\n#[cfg(test)] mod tests { #[test] fn good() {} #[test] #[ignore] fn no() {} }\n",
      "tests/it.rs": "#[test] fn bad() { assert_eq!(my_thing::one(), 2) }\n",
    };
    expect(run(files, "cargo test -q --offline --lib -- --quiet").tests).toEqual([
      "passed src/lib.rs > my_thing > tests::good",
      "skipped src/lib.rs > my_thing > tests::no",
    ]);
    const ran = run(files, "cargo test --offline --lib --test it", { only: ["tests/it.rs"] });
    expect(ran.tests).toEqual([
      "failed tests/it.rs > it > bad",
      "passed src/lib.rs > my_thing > tests::good",
      "skipped src/lib.rs > my_thing > tests::no",
    ]);
    expect(ran).toMatchObject({ selects: false, names: { complete: true, problem: null } });
  });
});

describe.skipIf(!has("bats", "--version"))("bats (skipped where bats is missing)", () => {
  test("reports by file", () => {
    const files = {
      "t/a.bats": '@test "a > b" { true; }\n@test "no" { skip; }\n',
      "t/b.bats": '@test "bad" { false; }\n',
    };
    expect(run(files, "bats t").tests).toEqual(["failed b.bats > bad", "passed a.bats > a > b", "skipped a.bats > no"]);
  });
});

test("reads TAP from the output, but prefers a report that the check names", () => {
  const files = { "t.sh": "#!/bin/sh\nprintf '1..2\\nok 1 a\\nnot ok 2 b\\n'\n" };
  expect(run(files, "./t.sh").tests).toEqual(["failed b", "passed a"]);
  const declared = ['<testsuite><testcase name="x" file="./x.py"/></testsuite>'];
  expect(run(files, "./t.sh", { declared }).tests).toEqual(["passed x.py > x"]);
  expect(run(files, "true", { declared: ["<testsuite>"] }).names).toMatchObject({ complete: false, tests: [] });
  expect(run(files, "true", { declared: [] }).names?.problem).toContain("is missing");
  expect(run(files, "echo done").names).toBeNull();
});

test("assets work from a folder with special characters in its name", () => {
  // The folder of this test has spaces; the installation's may have them too.
  const copy = join(scratch, "a 'folder\" $x");
  cpSync(join(root, "src/proof/runners/assets"), copy, { recursive: true });
  const ran = spawnSync(process.execPath, ["-e", "console.log(process.execArgv.length)"], {
    ...{
      encoding: "utf8",
      env: { NODE_OPTIONS: `--require=${JSON.stringify(join(copy, "node-hook.cjs"))}`, LOOP_NAMES: "{" },
    },
  });
  expect(ran).toMatchObject({ status: 0 });
});
