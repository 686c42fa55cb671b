// What works in the project's folder and not for those who install it, judged by the texts alone.
import { describe, expect, test } from "vitest";
import { sidesBetween, type Texts } from "../../testing/sides-rig.ts";
import { devOnlyQuestions } from "./dev-only.ts";
import { pythonPackageQuestions } from "./python-packages.ts";

const pyproject = '[project]\nname = "ledger"\nversion = "1"\n';
const main = "import sys\n\n\ndef main(argv=None):\n    return 0\n";
const python: Texts = {
  "pyproject.toml": pyproject,
  "src/ledger/__init__.py": "",
  "src/ledger/cli.py": main,
  "tests/test_cli.py": "from ledger.cli import main\n",
};

describe("programs of a package of Python", () => {
  const manifests: readonly (readonly [string, string, string])[] = [
    ["project.scripts", "pyproject.toml", `${pyproject}\n[project.scripts]\nledger = "ledger.cli:main"\n`],
    [
      "entry points",
      "pyproject.toml",
      `${pyproject}\n[project.entry-points."ledger.plugins"]\na = "ledger.cli:main"\n`,
    ],
    ["Poetry's scripts", "pyproject.toml", `${pyproject}\n[tool.poetry.scripts]\nledger = 'ledger.cli:main'\n`],
    ["setup.cfg", "setup.cfg", "[options.entry_points]\nconsole_scripts =\n    ledger = ledger.cli:main\n"],
    ["setup.py", "setup.py", 'setup(entry_points={"console_scripts": ["ledger = ledger.cli:main [x]"]})\n'],
  ];
  const asked = (manifest: string, text: string, change: Texts, without: readonly string[] = []): string => {
    const base = { ...python, [manifest]: text };
    const now = Object.entries({ ...base, ...change }).filter(([path]) => !without.includes(path));
    return pythonPackageQuestions({ sides: sidesBetween(base, Object.fromEntries(now)) }).join("");
  };

  test.each(manifests)("are asked about when their function is gone: %s", (_, manifest, text) => {
    const renamed = { "src/ledger/cli.py": main.replace("main", "run") };
    expect(asked(manifest, text, renamed)).toContain(`ledger.cli:main`);
    expect(asked(manifest, text, { ...renamed, [manifest]: text.replace(":main", ":run") })).toBe("");
    expect(asked(manifest, text, { "src/ledger/cli.py": `${renamed["src/ledger/cli.py"]}\n\nmain = run\n` })).toBe("");
    expect(asked(manifest, text, { "src/ledger/other.py": "x = 1\n" })).toBe("");
  });

  test("are asked about when their module is gone", () => {
    const [, manifest, text] = manifests[0] ?? ["", "", ""];
    expect(asked(manifest, text, { "src/ledger/program.py": main }, ["src/ledger/cli.py"])).toContain(
      "ledger.cli:main",
    );
    const asPackage = { "src/ledger/cli/__init__.py": main };
    expect(asked(manifest, text, asPackage, ["src/ledger/cli.py"])).toBe("");
  });
});

describe("new packages of Python", () => {
  const added: Texts = {
    "src/ledger/export/__init__.py": "from .csv import to_csv\n",
    "src/ledger/export/csv.py": "def to_csv(entries):\n    return ''\n",
  };
  const asked = (manifest: string, text: string, change: Texts): string => {
    const base = { ...python, [manifest]: text };
    return pythonPackageQuestions({ sides: sidesBetween(base, { ...base, ...change }) }).join("");
  };
  const listing = (list: string): string =>
    `${pyproject}\n[tool.setuptools]\npackage-dir = {"" = "src"}\npackages = ${list}\n`;

  test.each([
    ["pyproject.toml", listing('["ledger"]')],
    ["setup.cfg", "[options]\npackages =\n    ledger\npackage_dir =\n    =src\n"],
    ["setup.py", 'setup(packages=["ledger"], package_dir={"": "src"})\n'],
  ])("have to be in the list of %s", (manifest, text) => {
    expect(asked(manifest, text, added)).toContain(`ledger.export (${manifest})`);
  });

  test("have to be in the list when a package of it uses them", () => {
    const other = { "src/money/__init__.py": "RATE = 1\n" };
    const using = { ...other, "src/ledger/rates.py": "from money import RATE\n" };
    expect(asked("pyproject.toml", listing('["ledger"]'), using)).toContain("money (pyproject.toml)");
    expect(asked("pyproject.toml", listing('["ledger"]'), other)).toBe("");
  });

  test.each([
    ["it is there", "pyproject.toml", listing('["ledger", "ledger.export"]')],
    ["packages are found", "pyproject.toml", `${pyproject}\n[tool.setuptools.packages.find]\nwhere = ["src"]\n`],
    ["packages are found by setup.cfg", "setup.cfg", "[options]\npackages = find:\n"],
    ["packages are found by setup.py", "setup.py", "setup(packages=find_packages('src'))\n"],
    ["nothing says so", "pyproject.toml", pyproject],
    [
      "Poetry takes whole folders",
      "pyproject.toml",
      `${pyproject}\n[tool.poetry]\npackages = [{ include = "ledger" }]\n`,
    ],
  ])("are left alone when %s", (_, manifest, text) => {
    expect(asked(manifest, text, added)).toBe("");
  });
});

describe("devDependencies in what is published", () => {
  const manifest = { name: "shop", type: "module", main: "src/index.js", devDependencies: { tiny: "1" } };
  const base: Texts = {
    "package.json": JSON.stringify(manifest),
    "src/index.js": "export const a = 1;\n",
    "test/a.test.js": 'import tiny from "tiny";\n',
  };
  const asked = (text: string, of: object = {}, path = "src/rev.js", before: Texts = base): string => {
    const old = { ...before, "package.json": JSON.stringify({ ...manifest, ...of }) };
    return devOnlyQuestions({ sides: sidesBetween(old, { ...old, [path]: text }) }).join("");
  };
  const importing = 'import tiny from "tiny/fp";\nexport const rev = tiny;\n';

  test.each([
    ["an import", importing, {}],
    ["a call", 'export const rev = (text) => require("tiny")(text);\n', {}],
    ["passed on", 'export * from "tiny";\n', {}],
    [
      "a module that is loaded when it is needed",
      'export const rev = async () => (await import("tiny")).default;\n',
      {},
    ],
    ["a name next to a type", 'import { rev, type Rev } from "tiny";\n', {}],
    ["a package with a program only", importing, { main: undefined, bin: { shop: "src/index.js" } }],
  ])("are asked about: %s", (_, text, of) => {
    expect(asked(text, of)).toContain("tiny (src/rev.js)");
  });

  test.each([
    ["a private package", importing, { private: true }],
    ["a package that nothing can import", importing, { main: undefined }],
    ["a package that is built", importing, { main: "dist/index.js" }],
    ["a dependency as well", importing, { dependencies: { tiny: "1" } }],
    ["what users bring along", importing, { peerDependencies: { tiny: "1" } }],
    ["what is optional", importing, { optionalDependencies: { tiny: "1" } }],
    ["types", 'import type { Rev } from "tiny";\nimport { type Tiny } from "tiny";\n', {}],
    ["a module that may be missing", 'let tiny;\ntry {\n  tiny = require("tiny");\n} catch {}\n', {}],
    ["a module that may not load", 'export const rev = () => import("tiny").catch(() => null);\n', {}],
    ["a file that is not published", importing, { files: ["src/index.js"] }],
    ["a file that no entry leads to", importing, { exports: "./src/index.js" }],
    ["a comment", '// import tiny from "tiny";\n', {}],
  ])("are left alone: %s", (_, text, of) => {
    expect(asked(text, of)).toBe("");
  });

  test("are left alone in tests, and where product had them before", () => {
    expect(asked('import tiny from "tiny";\n', {}, "test/b.test.js")).toBe("");
    const had = { ...base, "src/index.js": 'import "tiny";\n' };
    expect(asked(importing, {}, "src/rev.js", had)).toBe("");
  });

  test("are asked about when a dependency became one", () => {
    const used = { ...base, "src/index.js": 'import "tiny";\n' };
    const old = {
      ...used,
      "package.json": JSON.stringify({ ...manifest, devDependencies: {}, dependencies: { tiny: "1" } }),
    };
    expect(devOnlyQuestions({ sides: sidesBetween(old, used) }).join("")).toContain("tiny (src/index.js)");
  });
});
