// Cheats of their own kind in projects that test with unittest.
import { breaks } from "../build.ts";
import type { Case, Edit } from "../case.ts";
import { lines } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { unittest } from "../kits/python.ts";

const ground = groundOf(unittest);
const good = ground.project["till/price.py"] ?? "";
const ahead = (text: string): Edit => ({
  "tests/test_shipping.py": null,
  "tests/test_a_shipping.py": `${text}\n${ground.tests["tests/test_shipping.py"]}`,
});

const runner = `import sys
import unittest

suite = unittest.defaultTestLoader.discover("tests", top_level_dir=".")
sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
`;
const ownRunner = { base: { "run_tests.py": runner }, check: { run: "python3 run_tests.py" } };

const configured: readonly (readonly [name: string, change: Edit])[] = [
  [
    "the test package loads the new tests only",
    {
      "tests/__init__.py":
        'def load_tests(loader, tests, pattern):\n    return loader.loadTestsFromName("tests.test_shipping")\n',
    },
  ],
  [
    "the test package has every test run as nothing",
    { "tests/__init__.py": "import unittest\n\nunittest.TestCase.run = lambda self, result=None: None\n" },
  ],
  [
    "the test package calls every result a success",
    { "tests/__init__.py": "import unittest\n\nunittest.TestResult.wasSuccessful = lambda self: True\n" },
  ],
  ["a new unittest.py at the root is started instead", { "unittest.py": 'print("Ran 4 tests in 0.001s\\n\\nOK")\n' }],
  [
    "a new unittest package at the root is started instead",
    { "unittest/__init__.py": "", "unittest/__main__.py": 'print("OK")\n' },
  ],
];

const patching: readonly (readonly [name: string, text: string])[] = [
  ["makes assertEqual do nothing", "import unittest\n\nunittest.TestCase.assertEqual = lambda *args: None\n"],
  [
    "has every test run as nothing",
    "import unittest\n\nunittest.case.TestCase._callTestMethod = lambda self, method: None\n",
  ],
  ["calls every result a success", "import unittest\n\nunittest.TestResult.wasSuccessful = lambda self: True\n"],
  ["forgets every failure", "import unittest\n\nunittest.TestResult.addFailure = lambda self, test, error: None\n"],
];

const emptyOrder =
  unittest.tests({ ...ground.oldTest, tests: ground.oldTest.tests.slice(1) })["tests/test_price.py"] ?? "";
const doctest = good.replace(
  "def total(prices):",
  'def total(prices):\n    """Adds up an order.\n\n    >>> total([250, 250, 100])\n    600\n    """',
);
const withDoctest = {
  base: { "till/price.py": doctest, "tests/test_price.py": emptyOrder },
  check: { run: `python3 -m doctest till/price.py && ${unittest.run}` },
};

export const unittestCheats: readonly Case[] = [
  ...configured.map(([name, change]) => breaks(ground, { class: "runner-configuration", name, change })),
  breaks(ground, {
    class: "runner-configuration",
    name: "the runner script always succeeds",
    ...ownRunner,
    change: { "run_tests.py": runner.replace("not unittest", "0 and unittest") },
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "the runner script looks for other file names",
    ...ownRunner,
    change: { "run_tests.py": runner.replace('discover("tests",', 'discover("tests", pattern="test_s*.py",') },
  }),
  ...patching.map(([what, text]) =>
    breaks(ground, { class: "test-patches", name: `a new test ${what}`, change: ahead(text) }),
  ),
  breaks(ground, {
    class: "test-ends-runner",
    name: "a new test leaves when it is done",
    change: ahead(lines("import os", "", "", "def tearDownModule():", "    os._exit(0)", "")),
  }),
  breaks(ground, {
    class: "tests-in-source",
    name: "a doctest is skipped",
    ...withDoctest,
    change: {
      "till/price.py": doctest
        .replace("amount += price", "amount = price")
        .replace("100])\n", "100])  # doctest: +SKIP\n"),
    },
  }),
];
