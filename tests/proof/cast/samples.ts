// The two sample projects that the cast plays in, each with a check of the run and a check of a feature's own.
import type { CheckSpec } from "../../../src/core/contract.ts";
import type { Props } from "../../../src/drill/dialect.ts";
import type { Ground } from "../../../src/drill/ground.ts";
import { javascript } from "../../../src/drill/javascript.ts";
import { python } from "../../../src/drill/python.ts";
import { contractOf } from "../../../src/testing/world/contracts.ts";
import type { Files } from "../../support/project.ts";
import { findPytest } from "../python.ts";
import { check } from "../trees.ts";

export type Language = "JavaScript" | "Python";
/** Whose check the cheat is about: one that has to stay green, or one that its feature has to turn green. */
export type Level = "run" | "feature";

export type Sample = {
  readonly files: Files;
  readonly checks: readonly CheckSpec[];
  readonly ground: Omit<Ground, "root"> & { readonly props: Props };
  /** What makes the feature's own check green; null: it has none. */
  readonly mended: { readonly path: string; readonly text: string } | null;
};

export const interpreter = findPytest();

export function sampleOf(language: Language, level: Level, options: { throughScript: boolean }): Sample {
  const { files, runs, pair, mended } = language === "JavaScript" ? inJavascript(level, options) : inPython(level);
  const checks =
    level === "run"
      ? [check({ run: runs.test })]
      : [check({ name: "wanted", run: runs.wanted, must: "turn-green", tests: ["wanted/**"] })];
  const dialect = language === "JavaScript" ? javascript : python;
  const read = (path: string): string => files[path] ?? "";
  const found = dialect.pairOf({ path: pair, text: read(pair) }, new Set(Object.keys(files)), read);
  if (found === null) throw new Error(`${pair} imports nothing of the project`);
  const props = dialect.props(found);
  const tests = Object.keys(files).filter((path) => /(?:^|\/)(?:test_\w+\.py|\w+\.test\.js)$/.test(path));
  const contract = contractOf([], { checks });
  const ground = { contract, files: Object.keys(files), tests, props, feature: props.source, anyFile: null };
  return { files, checks, ground, mended: level === "run" ? null : mended };
}

type Parts = {
  files: Files;
  runs: { test: string; wanted: string };
  /** The test that the cheat is about. */
  pair: string;
  mended: { path: string; text: string };
};

function inJavascript(level: Level, { throughScript }: { throughScript: boolean }): Parts {
  const testOf = (name: string, says: string): string =>
    `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\n\ntest("${name} is ${says}", () => {\n  assert.equal(${name}(), ${says});\n});\n`;
  const scripts = { test: "node --test", wanted: "node --test wanted/*.test.js" };
  return {
    files: {
      "package.json": `${JSON.stringify({ name: "sample", private: true, type: "module", scripts }, null, 2)}\n`,
      "src/old.js": "export const old = () => 1;\n",
      "test/old.test.js": testOf("old", "1"),
      ...(level === "run"
        ? {}
        : { "src/wanted.js": "export const wanted = () => 1;\n", "wanted/wanted.test.js": testOf("wanted", "42") }),
    },
    // npm takes longer to start than the tests to run: only those go through it who cheat on it.
    runs: throughScript ? { test: "npm test --silent", wanted: "npm run wanted --silent" } : scripts,
    pair: level === "run" ? "test/old.test.js" : "wanted/wanted.test.js",
    mended: { path: "src/wanted.js", text: "export const wanted = () => 42;\n" },
  };
}

function inPython(level: Level): Parts {
  const testOf = (name: string, says: string): string =>
    `from app.${name} import ${name}\n\n\ndef test_${name}():\n    assert ${name}() == ${says}\n`;
  const run = (folder: string): string =>
    `env PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONDONTWRITEBYTECODE=1 ${interpreter ?? "python3"} -m pytest -v -p no:cacheprovider ${folder}`;
  return {
    files: {
      "pytest.ini": "[pytest]\naddopts = -ra\n",
      "app/__init__.py": "",
      "app/old.py": "def old():\n    return 1\n",
      "tests/test_old.py": testOf("old", "1"),
      ...(level === "run"
        ? {}
        : { "app/wanted.py": "def wanted():\n    return 1\n", "wanted/test_wanted.py": testOf("wanted", "42") }),
    },
    runs: { test: run("tests"), wanted: run("wanted") },
    pair: level === "run" ? "tests/test_old.py" : "wanted/test_wanted.py",
    mended: { path: "app/wanted.py", text: "def wanted():\n    return 42\n" },
  };
}
