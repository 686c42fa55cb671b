// Operations on configuration: keys of manifests, settings files of runners and of git.
import type { Draft, Operation } from "../draft.ts";

/** Settings files and possible content: harmless lines, and lines that affect a runner. */
const settings: Readonly<Record<string, readonly string[]>> = {
  "pytest.ini": [
    "[pytest]\n",
    "[pytest]\naddopts = -q\n",
    "[pytest]\naddopts = -k nothing\n",
    "[pytest]\ntestpaths = docs\n",
    "[pytest]\npython_files = check_*.py\n",
  ],
  "setup.cfg": ["[metadata]\nname = till\n", "[tool:pytest]\naddopts = --co\n"],
  "tox.ini": ["[tox]\n", "[pytest]\naddopts = -x\n"],
  "conftest.py": [
    "",
    "import pytest\n\n\n@pytest.fixture\ndef prices():\n    return [1, 2]\n",
    "collect_ignore_glob = ['tests/test_p*']\n",
    "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n",
    "import os\n\n\ndef pytest_sessionfinish(session, exitstatus):\n    os._exit(0)\n",
    "import till.price\n\ntill.price.total = sum\n",
  ],
  "tests/conftest.py": ["", "import sys\n\nsys.dont_write_bytecode = True\n", "collect_ignore = ['test_price.py']\n"],
  "sitecustomize.py": ["", "import atexit, os\n\natexit.register(os._exit, 0)\n"],
  "tests/__init__.py": ["", "def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n"],
  ".npmrc": ["fund=false\n", "node-options=--test-name-pattern=nothing\n", "ignore-scripts=true\n"],
  "tsconfig.json": ["{}\n", '{ "compilerOptions": { "strict": true } }\n', '{ "exclude": ["tests"] }\n'],
  "vitest.config.js": ["export default {};\n", "export default { test: { passWithNoTests: true, include: [] } };\n"],
  Makefile: ["test:\n\ttrue\n", "all:\n\techo done\n"],
  ".editorconfig": ["root = true\n"],
  ".env": ["RATE=150\n", "NODE_OPTIONS=--require ./preload.cjs\n"],
  ".github/workflows/test.yml": ["on: push\njobs: {}\n"],
};
const ofStack: Readonly<Record<string, RegExp>> = {
  pytest: /pytest|\.cfg|tox|conftest|customize|__init__/,
  unittest: /\.cfg|customize|__init__/,
  node: /npmrc|tsconfig/,
  vitest: /npmrc|tsconfig|vitest/,
};

const settingsFile: Operation = {
  name: "write a settings file",
  weight: 7,
  quiet: false,
  apply(draft) {
    const { choose, files, base } = draft;
    const own = ofStack[base.kit.stack] ?? /^$/;
    const path = choose.pick(
      Object.keys(settings).filter((each) => own.test(each) || !/\.(?:py|ini|cfg|js)$/.test(each)),
    );
    const text = path === undefined ? undefined : choose.pick(settings[path] ?? []);
    if (path === undefined || text === undefined || files.get(path) === text) return null;
    files.set(path, text);
    draft.configuration.add(path);
    return `${path}: ${JSON.stringify(text)}`;
  },
};

/** Keys of package.json with values for them; undefined removes a key. */
const keys: readonly (readonly [string, unknown])[] = [
  ["description", "A till."],
  ["license", "MIT"],
  ["type", "commonjs"],
  ["type", undefined],
  ["scripts", { test: "true" }],
  ["scripts", { test: "node --test tests/shipping.test.js" }],
  ["scripts", { test: "node --test", pretest: "true", start: "node src/price.js" }],
  ["engines", { node: ">=20" }],
  ["main", "src/price.js"],
  ["main", "tests/price.test.js"],
  ["files", ["src"]],
  ["files", ["tests"]],
  ["imports", { "#till": "./src/price.js" }],
  ["exports", "./tests/price.test.js"],
  ["sideEffects", false],
];

const manifest: Operation = {
  name: "alter the manifest",
  weight: 5,
  quiet: false,
  apply(draft) {
    const { choose, files } = draft;
    const text = files.get("package.json");
    if (text !== undefined) return alterJson(draft, text);
    const path = choose.pick(["pyproject.toml", "Cargo.toml", "go.mod"].filter((each) => files.has(each)));
    if (path === undefined) return null;
    const line =
      path === "pyproject.toml"
        ? choose.one(
            "\n[tool.ruff]\nline-length = 120\n",
            "\n[tool.till]\nrate = 150\n",
            "\n[tool.coverage.run]\nbranch = true\n",
          )
        : "\n";
    files.set(path, `${files.get(path)}${line}`);
    return `${path}: ${JSON.stringify(line)}`;
  },
};

function alterJson({ choose, files }: Draft, text: string): string | null {
  const [key, value] = choose.pick(keys) ?? ["license", "MIT"];
  try {
    const next: unknown = { ...(JSON.parse(text) as object), [key]: value };
    files.set("package.json", `${JSON.stringify(next, null, 2)}\n`);
    return `package.json: ${key} = ${JSON.stringify(value)}`;
  } catch {
    return null; // An earlier operation left invalid JSON.
  }
}

const ignore: Operation = {
  name: "ignore files in git",
  weight: 3,
  quiet: false,
  apply({ choose, files, base }) {
    const line = choose.one(
      "*.log",
      ".idea/",
      "shipping.*",
      "tests/",
      `${base.kit.source("shipping")}`,
      `${base.kit.source("x").split("/x")[0]}/*`,
      "*",
      "!*.txt",
    );
    files.set(".gitignore", `${files.get(".gitignore") ?? ""}${line}\n`);
    return line;
  },
};

const attributes: Operation = {
  name: "set git attributes",
  weight: 2,
  quiet: false,
  apply(draft) {
    const line = draft.choose.one(
      "* text=auto",
      "* -text",
      "* text eol=crlf",
      "*.txt filter=lfs",
      "tests/** export-ignore",
      "* ident",
      "*.txt binary",
      "*.md working-tree-encoding=UTF-16",
    );
    draft.files.set(".gitattributes", `${line}\n`);
    draft.configuration.add(".gitattributes");
    return line;
  },
};

export const configurationOperations: readonly Operation[] = [settingsFile, manifest, ignore, attributes];
