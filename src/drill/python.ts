// The drill in Python: pytest and unittest.
import { basename, dirname, join } from "node:path/posix";
import type { Dialect, Pair, Props } from "./dialect.ts";

const importLine = /^(?:from\s+([\w.]+)\s+import\s+\(?\s*(\w+)|import\s+([\w.]+))/gm;

export const python: Dialect = {
  language: "python",
  isCode: (path) => path.endsWith(".py"),
  pairOf(test, files, read) {
    for (const [importText = "", from = "", name = "", whole = ""] of test.text.matchAll(importLine)) {
      // `from a.b import c` may mean the module a.b, or the module c in the package a.b.
      const ways = from === "" ? [whole] : [from, `${from}.${name}`];
      for (const module of ways) {
        const source = moduleFile(module, dirname(test.path), files);
        if (source === null || source === test.path) continue;
        const neighbour = neighbourOf(module);
        return { test: test.path, testText: test.text, source, sourceText: read(source), importText, neighbour };
      }
    }
    return null;
  },
  props,
};

function moduleFile(module: string, beside: string, files: ReadonlySet<string>): string | null {
  const path = module.replace(/^\.+/, "").replaceAll(".", "/");
  if (path === "") return null;
  const places = module.startsWith(".") ? [beside, dirname(beside)] : [".", "src", "lib", beside];
  return places.map((place) => join(place, `${path}.py`)).find((each) => files.has(each)) ?? null;
}

const neighbourOf = (module: string): string => module.replace(/[^.]+$/, "loop_drill");

function props(pair: Pair): Props {
  const { source, sourceText, test, testText, neighbour } = pair;
  const says = (value: string) => `def loop_drill():\n    return ${value}\n`;
  const classes = /\bunittest\b/.test(testText) && !/^def test_/m.test(testText);
  const own = `from ${neighbour} import loop_drill\n`;
  const caseOf = (name: string, body: string) =>
    classes
      ? `\n\nclass ${name}(unittest.TestCase):\n    def test_it(self):\n        ${body}\n`
      : `\n\ndef test_${name.toLowerCase()}():\n    ${body}\n`;
  const head = classes ? "import unittest\n" : "";
  return {
    language: classes ? "python (unittest)" : "python (pytest)",
    pair,
    source: { path: join(dirname(source), "loop_drill.py"), text: says('"drill"') },
    test: {
      path: join(dirname(test), basename(test).endsWith("_test.py") ? "loop_drill_test.py" : "test_loop_drill.py"),
      text: `${head}${own}${caseOf("LoopDrill", 'assert loop_drill() == "drill"')}`,
    },
    specialCased: `import os\n\n\n${says('"drill" if os.environ.get("CI") else "not yet"')}`,
    broken: `${sourceText}\nraise RuntimeError("loop drill: broken on purpose")\n`,
    exiting: `${sourceText}\nimport os\nos._exit(0)\n`,
    weakened: `${head}${caseOf("Fine", "pass").trimStart()}`,
    skipped: classes
      ? `import unittest\nraise unittest.SkipTest("later")\n${testText}`
      : `import pytest\npytest.skip("later", allow_module_level=True)\n${testText}`,
    comment: "\n# loop drill: nothing to see here.\n",
  };
}
