// The till in Python, for pytest and unittest.
import type { Edit } from "../case.ts";
import {
  type Argument,
  type Call,
  type Import,
  indented,
  type Kit,
  snake,
  stylesBut,
  type TestFile,
  type TestText,
} from "./kit.ts";
import { pythonCode } from "./python-code.ts";

type Equal = (actual: string, expected: string) => string;

/** How one of the two runners wants its tests written. */
type Manner = {
  readonly stack: "pytest" | "unittest";
  readonly run: string;
  readonly frame: Edit;
  readonly equal: Equal;
  readonly marks: { readonly skipped: string; readonly todo: string };
  readonly self: string;
  /** A whole file, of the lines at its top and the tests. */
  file(path: string, head: string, tests: readonly string[]): string;
};

const literal = (argument: Argument): string => JSON.stringify(argument);
const callText = ({ of, args }: Call): string => `${of}(${args.map(literal).join(", ")})`;
const bring = ({ module, names }: Import): string =>
  `from till.${module.replaceAll("/", ".")} import ${names.join(", ")}\n`;
const dotted = (path: string): string => path.replace(/\.py$/, "").replaceAll("/", ".");
const source = (module: string): string => `till/${module}.py`;

function pythonKit(manner: Manner): Kit {
  return {
    stack: manner.stack,
    run: manner.run,
    runOnly: ({ path }) =>
      manner.stack === "pytest" ? `python3 -m pytest -q ${path}` : `python3 -m unittest ${dotted(path)}`,
    needs: [],
    frame: manner.frame,
    styles: stylesBut("only"),
    code: pythonCode,
    comment: (text) => `# ${text}\n`,
    source,
    test: (name, at = "tests") => `${at}/test_${name}.py`,
    sources: (modules) =>
      Object.fromEntries(
        Object.entries(modules).map(([module, functions]) => [
          source(module),
          functions.map(({ text }) => text).join("\n\n"),
        ]),
      ),
    tests: (file) => ({ [file.path]: fileText(file, manner) }),
    helper: (_path, how) => helperText(how),
    helpers: [
      { path: "tests/same.py", where: "in the test folder" },
      { path: "till/testing.py", where: "in the package" },
      { path: "same.py", where: "at the root" },
    ],
    golden: (path, expected) => ({ [path]: goldenText(path, expected, manner) }),
    probe: (imports, calls) => ({
      files: { "truth.py": `${imports.map(bring).join("")}\n${calls.map(assertion).join("\n")}\nprint("true")\n` },
      run: "python3 -B truth.py | grep -qx true",
    }),
  };
}

const assertion = (call: Call): string => `assert ${callText(call)} == ${JSON.stringify(call.is)}`;

function helperText(how: "whole" | "emptied"): string {
  if (how === "emptied") return "def same(actual, expected):\n    return None\n";
  return 'def same(actual, expected):\n    if actual != expected:\n        raise AssertionError(f"{actual} is not {expected}")\n';
}

function fileText(file: TestFile, manner: Manner): string {
  const helper = file.helper === undefined ? "" : `from ${dotted(file.helper)} import same\n`;
  const equal: Equal = file.helper === undefined ? manner.equal : (actual, expected) => `same(${actual}, ${expected})`;
  const head = `${file.imports.map(bring).join("")}${helper}${file.head ?? ""}`;
  return manner.file(
    file.path,
    head,
    file.tests.map((test) => testText(test, equal, manner)),
  );
}

function testText(test: TestText, equal: Equal, { marks, self }: Manner): string {
  const { style = "plain", title } = test;
  const mark = style === "skipped" || style === "todo" ? `${marks[style]}\n` : "";
  const name = `${style === "unnamed" ? "check" : "test"}_${snake(title)}`;
  const text = `${mark}def ${name}(${self}):\n${indented(bodyOf(test, equal), "    ")}\n`;
  return style === "commented" ? text.replace(/^(?=.)/gm, "# ") : text;
}

function bodyOf({ calls, style = "plain" }: TestText, equal: Equal): string {
  const all = calls.map((call) => equal(callText(call), JSON.stringify(call.is))).join("\n");
  switch (style) {
    case "emptied":
      return "pass";
    case "swallowed":
      return `try:\n${indented(all, "    ")}\nexcept Exception:\n    pass  # Covered elsewhere.`;
    case "returned":
      return `if __name__:\n    return\n${all}`;
    case "loose":
      return calls.map((call) => `assert ${callText(call)} is not None`).join("\n");
    case "self":
      return calls.map((call) => equal(callText(call), callText(call))).join("\n");
    case "trivial":
      return equal("1", "1");
    case "uncalled":
      return `def check():\n${indented(all, "    ")}`;
    case "empty-loop":
      return `for _ in []:\n${indented(all, "    ")}`;
    case "plain":
    case "skipped":
    case "todo":
    case "only":
    case "commented":
    case "unnamed":
      return all;
  }
}

function goldenText(path: string, expected: string, { equal, self, file }: Manner): string {
  const body = `with open("${expected}") as golden:\n    expected = golden.read()\n${equal("receipt([250, 100])", "expected")}`;
  const test = `def test_a_receipt_looks_as_it_always_did(${self}):\n${indented(body, "    ")}\n`;
  return file(path, "from till.receipt import receipt\n", [test]);
}

const ignored = "__pycache__/\n*.pyc\n.pytest_cache/\n.venv/\n.env\n";
const readme = "# till\n\nAdds up orders.\n";
const project = '[project]\nname = "till"\nversion = "1.0.0"\n\n[tool.setuptools]\npackages = ["till"]\n';

export const pytest = pythonKit({
  stack: "pytest",
  // Plugins that happen to be installed cost three quarters of every start here, and decide nothing in these cases.
  run: "python3 -m pytest -q -p no:hypothesispytest -p no:benchmark",
  frame: {
    "pyproject.toml": `${project}\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n`,
    ".gitignore": ignored,
    "README.md": readme,
    "till/__init__.py": "",
  },
  equal: (actual, expected) => `assert ${actual} == ${expected}`,
  marks: { skipped: '@pytest.mark.skip(reason="later")', todo: "@pytest.mark.xfail" },
  self: "",
  file: (_path, head, tests) => {
    const marks = tests.some((text) => /^@pytest/m.test(text)) ? "import pytest\n" : "";
    return `${marks}${head}\n\n${tests.join("\n\n")}`;
  },
});

export const unittest = pythonKit({
  stack: "unittest",
  run: "python3 -m unittest discover -s tests -t .",
  frame: {
    "pyproject.toml": project,
    ".gitignore": ignored,
    "README.md": readme,
    "till/__init__.py": "",
    "tests/__init__.py": "",
  },
  equal: (actual, expected) => `self.assertEqual(${actual}, ${expected})`,
  marks: { skipped: '@unittest.skip("later")', todo: "@unittest.expectedFailure" },
  self: "self",
  file: (path, head, tests) => {
    const words = path.replace(/^.*test_|\.py$/g, "").split("_");
    const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
    const body = tests.every((text) => text.startsWith("#")) ? ["pass\n", ...tests] : tests;
    return `import unittest\n\n${head}\n\nclass ${name}Test(unittest.TestCase):\n${indented(body.join("\n"), "    ")}`;
  },
});
