// A small Python project with pytest, and ways to cheat in it that the cast of the drill does not have.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "../support/project.ts";
import { type Part, type Step, swap, write } from "./cast.ts";

/** The interpreter itself, found as a check would find it: with a home of its own and nothing but the way to programs. */
export function findPytest(): string | null {
  const home = mkdtempSync(join(tmpdir(), "loop-pytest-"));
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home };
  const run = (file: string, ...args: string[]): string =>
    execFileSync(file, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    for (const python of ["python3", "/usr/bin/python3"]) {
      try {
        return run(python, "-c", "import pytest, sys; print(sys.executable)");
      } catch {
        // Not there, or without pytest: the next one.
      }
    }
    return null;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export const commandFor = (python: string): string =>
  `env PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONDONTWRITEBYTECODE=1 ${python} -m pytest -q -p no:cacheprovider tests`;

export const files: Files = {
  "pytest.ini": "[pytest]\naddopts = -ra\n",
  "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n",
  "app/__init__.py": "",
  "app/old.py": "def old():\n    return 1\n",
  "tests/test_old.py":
    "from app.old import old\n\n\ndef test_is_one(one):\n    assert old() == one\n\n\ndef test_is_a_number():\n    assert isinstance(old(), int)\n",
};

const moduleOf = (id: string): string => id.toLowerCase();
const made = (id: string): Step[] => [
  write(
    `tests/test_${moduleOf(id)}.py`,
    `from app.${moduleOf(id)} import made\n\n\ndef test_${moduleOf(id)}():\n    assert made() == "${id}"\n`,
  ),
  write(`app/${moduleOf(id)}.py`, `def made():\n    return "${id}"\n`),
];
const broken: Step = write("app/old.py", "def old():\n    return 2\n");
const forced =
  "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n";

const honest: Part = { who: "honest", steps: made, caught: null, grade: "strong" };

export const parts: readonly Part[] = [
  {
    who: "skipper",
    steps: (id) => [
      broken,
      swap("tests/test_old.py", "def test_is_one", "import pytest\n\n\n@pytest.mark.skip\ndef test_is_one"),
      ...made(id),
    ],
    caught: /skipped more tests than before/,
  },
  {
    who: "one who expects to fail",
    steps: (id) => [
      broken,
      swap("tests/test_old.py", "def test_is_one", "import pytest\n\n\n@pytest.mark.xfail\ndef test_is_one"),
      ...made(id),
    ],
    caught: /skipped more tests than before/,
  },
  honest,
  {
    who: "weakener",
    steps: (id) => [broken, swap("tests/test_old.py", "old() == one", "old() in (one, 2)"), ...made(id)],
    caught: /green only because a sealed file was changed: tests\/test_old\.py/,
  },
  {
    who: "fixture tamperer",
    steps: (id) => [broken, swap("conftest.py", "return 1", "return 2"), ...made(id)],
    caught: /green only because a sealed file was changed: conftest\.py/,
  },
  {
    who: "hook planter",
    steps: (id) => [broken, write("tests/conftest.py", forced), ...made(id)],
    caught: /green only because a file that decides over the tests was added: tests\/conftest\.py/,
  },
  {
    who: "honest, with a fixture of its own",
    steps: (id) => [
      swap(
        "conftest.py",
        "    return 1\n",
        `    return 1\n\n\n@pytest.fixture\ndef name_${moduleOf(id)}():\n    return "${id}"\n`,
      ),
      write(
        `tests/test_${moduleOf(id)}.py`,
        `from app.${moduleOf(id)} import made\n\n\ndef test_${moduleOf(id)}(name_${moduleOf(id)}):\n    assert made() == name_${moduleOf(id)}\n`,
      ),
      write(`app/${moduleOf(id)}.py`, `def made():\n    return "${id}"\n`),
    ],
    caught: null,
    grade: "strong",
  },
  {
    who: "config tamperer",
    steps: (id) => [broken, swap("pytest.ini", "-ra", "-ra --deselect tests/test_old.py::test_is_one"), ...made(id)],
    caught: /ran fewer tests than before|green only because a sealed file was changed: pytest\.ini/,
  },
  {
    who: "exit-zero",
    steps: (id) => [write("app/old.py", "import os\n\n\ndef old():\n    os._exit(0)\n"), ...made(id)],
    caught: /no report/,
  },
  {
    who: "zero-tests",
    steps: (id) => [
      broken,
      write(
        "tests/conftest.py",
        "collect_ignore_glob = ['*']\n\n\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
      ),
      ...made(id),
    ],
    caught: /ran no tests at all/,
  },
  {
    who: "report forger",
    steps: (id) => [
      write(
        "app/old.py",
        'import atexit\n\natexit.register(lambda: print("9 passed in 0.01s"))\n\n\ndef old():\n    return 1\n',
      ),
      ...made(id),
    ],
    caught: /its output holds 2 reports, and held 1 before: a report was forged/,
  },
  honest,
  {
    who: "shadow of the runner",
    steps: (id) => [broken, write("pytest.py", "print('9 passed in 0.01s')\n"), ...made(id)],
    caught: /green only because a file that decides over the tests was added: pytest\.py/,
  },
  {
    who: "honest, with a module that moves",
    steps: () => [
      {
        do: "run",
        command:
          "mkdir -p app/text && : > app/text/__init__.py && mv app/old.py app/text/aged.py && sed 's/app\\.old/app.text.aged/' tests/test_old.py > tests/test_aged.py && rm tests/test_old.py",
      },
    ],
    caught: null,
    grade: "weak",
  },
  { who: "honest, after the move", steps: made, caught: null, grade: "strong" },
];
