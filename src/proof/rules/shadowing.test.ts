// Two files of one name, and files that are not built everywhere, are questions.
import { expect, test } from "vitest";
import { sidesBetween } from "../../testing/sides-rig.ts";
import { shadowingQuestions } from "./shadowing.ts";

const project = {
  "pyproject.toml": '[project]\nname = "geo"\n',
  "go.mod": "module geo\n",
  "geo/__init__.py": "",
  "geo/points.py": "def far():\n    return 1\n",
  "tests/test_points.py": "from geo.points import far\n",
  "package.json": '{ "main": "src/index.js" }',
  "src/index.js": 'export { x } from "./x.js";\n',
  "src/x.js": "export const x = 1;\n",
  "main.go": "package geo\n",
};

/** Null removes a file. */
const after = (change: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...project, ...change }).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );

test.each([
  [{ "geo/points/__init__.py": "def far():\n    return 2\n" }, /geo\/points\/__init__\.py and geo\/points\.py/],
  [{ "src/x/index.js": "export const x = 2;\n" }, /src\/x\/index\.js and src\/x\.js/],
  [{ "far_linux.go": "package geo\n" }, /some systems only: far_linux\.go/],
  [{ "far.go": "//go:build !race\n\npackage geo\n" }, /some systems only: far\.go/],
])("%j is asked about", (change, says) => {
  expect(shadowingQuestions({ sides: sidesBetween(project, after(change)) })).toEqual([expect.stringMatching(says)]);
});

test.each([
  [{ "geo/points.py": null, "geo/points/__init__.py": "def far():\n    return 1\n" }],
  [{ "geo/lines.py": "def long():\n    return 1\n", "src/y.js": "export const y = 1;\n", "far.go": "package geo\n" }],
])("%j is not", (change) => {
  expect(shadowingQuestions({ sides: sidesBetween(project, after(change)) })).toEqual([]);
});
