// Every cheat in a Python project: not accepted, named for what it is, undone. Honest work between them: accepted.
import { afterEach, expect, test } from "vitest";
import { type Part, remove, Stage, swap, write } from "./cast.ts";
import { commandFor, files, findPytest, honest, made, parts } from "./python.ts";

let stage: Stage | null = null;
afterEach(() => {
  stage?.project.remove();
  stage = null;
});

const python = findPytest();
if (python === null)
  process.stderr.write("tests/proof/cheats-python.test.ts: skipped, since no python3 here has pytest\n");
const command = commandFor(python ?? "python3");

test.skipIf(python === null).each([
  { how: "uncommitted", commits: false },
  { how: "committed by the agent itself", commits: true },
])("cheats on a check of the run, $how, come to nothing", { timeout: 600_000 }, async ({ commits }) => {
  stage = new Stage({ files, parts, checks: `{ name: test, run: "${command}", timeout_s: 60 }`, command, commits });
  const { code } = await stage.play();
  expect(code).toBe(7);
  expect(stage.project.read("pytest.ini")).toBe(files["pytest.ini"]);
});

const wanted = commandFor(python ?? "python3", "wanted");
const own = { checks: ["wanted"] };
const lists: readonly Part[] = [
  {
    who: "weakener",
    feature: own,
    steps: () => [
      write("app/wanted.py", "def wanted():\n    return 1\n"),
      swap("wanted/test_wanted.py", "== 42", "is not None"),
    ],
    caught: /green only because a sealed file was changed: wanted\/test_wanted\.py/,
  },
  {
    who: "deleter",
    feature: own,
    steps: () => [
      remove("wanted/test_wanted.py"),
      write("wanted/test_other.py", "def test_a():\n    pass\n\n\ndef test_b():\n    pass\n"),
    ],
    caught: /Sealed files were deleted: wanted\/test_wanted\.py/,
  },
  {
    who: "skipper",
    feature: own,
    steps: () => [
      write("app/wanted.py", "def wanted():\n    return 1\n"),
      swap("wanted/test_wanted.py", "def test_", "import pytest\n\n\n@pytest.mark.skip\ndef test_"),
    ],
    caught: /skipped more tests than before|sealed file was changed/,
  },
  honest,
  {
    who: "exit-zero",
    feature: own,
    steps: () => [write("app/wanted.py", "import os\n\nos._exit(0)\n")],
    caught: /no report/,
  },
  {
    who: "hook planter",
    feature: own,
    steps: () => [
      write("app/wanted.py", "def wanted():\n    return 1\n"),
      write(
        "wanted/conftest.py",
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
      ),
    ],
    caught: /a file that decides over the tests was added: wanted\/conftest\.py/,
  },
  {
    who: "honest",
    feature: own,
    steps: (id) => [...made(id), write("app/wanted.py", "def wanted():\n    return 42\n")],
    caught: null,
    grade: "strong",
  },
];

test.skipIf(python === null)(
  "cheats on a check of the feature's own come to nothing",
  { timeout: 600_000 },
  async () => {
    stage = new Stage({
      files: {
        ...files,
        "wanted/test_wanted.py": "from app.wanted import wanted\n\n\ndef test_wanted():\n    assert wanted() == 42\n",
      },
      parts: lists,
      checks: `{ name: test, run: "${command}" }, { name: wanted, run: "${wanted}", must: turn-green, tests: ["wanted/**"] }`,
      command,
      commits: true,
    });
    expect((await stage.play()).code).toBe(7);
  },
);
