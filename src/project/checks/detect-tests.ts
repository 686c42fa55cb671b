// How a project is tested, according to its own files: its package manager, what its Python tests are written for, its
// scripts.
import * as fs from "node:fs";
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";

/** The command line; null if nothing indicates one. */
export type Look = (root: string) => string | null;

/** Whether a program of this name can be started here. */
export type IsHere = (program: string) => boolean;

/** What is read here are short files. */
const textBytesMax = 8 << 20;

/** The readable ones of these files, concatenated; a folder of that name, or an unreadable file, counts as empty. */
export function textOf(root: string, ...names: readonly string[]): string {
  return names.map((name) => readOr(join(root, name), "")).join("\n");
}

function readOr(path: string, otherwise: string): string {
  try {
    return readIfExists(path, textBytesMax) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const has =
  (...names: readonly string[]) =>
  (root: string): boolean =>
    names.some((name) => fs.existsSync(join(root, name)));

// ---- JavaScript

type Manager = { readonly name: string; readonly run: string; readonly lockfiles: readonly string[] };
/** `bun test` would be bun's own runner; people mean the project's script. */
const managers: readonly Manager[] = [
  { name: "pnpm", run: "pnpm test", lockfiles: ["pnpm-lock.yaml"] },
  { name: "yarn", run: "yarn test", lockfiles: ["yarn.lock"] },
  { name: "bun", run: "bun run test", lockfiles: ["bun.lock", "bun.lockb"] },
];
const npm = "npm test";

/**
 * The script, run by the project's package manager. npm can run any script, so it replaces a manager that is not
 * installed.
 */
export const packageTest =
  (isHere: IsHere): Look =>
  (root) => {
    const { script, manager } = packageOf(root);
    // npm's default test script only fails, so it does not count.
    if (script === null || script.includes("no test specified")) return null;
    const used = managers.find(({ name }) => name === manager) ?? (manager === null ? byLockfile(root) : undefined);
    return used !== undefined && isHere(used.name) ? used.run : npm;
  };

/** With two lockfiles it is unclear which one is current; npm's own may be one of them. */
function byLockfile(root: string): Manager | undefined {
  if (has("package-lock.json", "npm-shrinkwrap.json")(root)) return undefined;
  const found = managers.filter(({ lockfiles }) => has(...lockfiles)(root));
  return found.length === 1 ? found[0] : undefined;
}

function packageOf(root: string): { script: string | null; manager: string | null } {
  try {
    const json = JSON.parse(textOf(root, "package.json")) as { scripts?: { test?: unknown }; packageManager?: unknown };
    const { test } = json?.scripts ?? {};
    const manager = typeof json.packageManager === "string" ? json.packageManager.split("@")[0] : undefined;
    return { script: typeof test === "string" ? test : null, manager: manager ?? null };
  } catch {
    return { script: null, manager: null };
  }
}

/** Without a script: node's own runner, if test files import it. */
export const nodeTest: Look = (root) => {
  if (packageOf(root).script !== null) return null;
  const files = testFiles(root, /(?:^|[.\-_])test\.[cm]?js$/);
  const isNodes = (path: string): boolean => /["']node:test["']/.test(readOr(path, ""));
  return files.some(isNodes) ? "node --test" : null;
};

// ---- Python

const testFile = /^(?:test_.*|.*_test|tests)\.py$/;

/** pytest if anything names it, or if tests are not written for unittest alone: it runs those as well. */
export const pytest: Look = (root) => {
  const isNamed =
    has("pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py")(root) ||
    /\bpytest\b/.test(textOf(root, "pyproject.toml", "tox.ini", ...requirements)) ||
    /\[tool:pytest\]/.test(textOf(root, "setup.cfg"));
  if (isNamed) return "pytest -q";
  return pythonTests(root) === "plain" ? "pytest -q" : null;
};
const requirements = ["requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements/dev.txt"];

export const unittest =
  (isHere: IsHere): Look =>
  (root) => {
    if (pytest(root) !== null) return null;
    const python = isHere("python") ? "python" : "python3";
    if (has("manage.py")(root) && pythonTests(root) !== "none") return `${python} manage.py test`;
    if (pythonTests(root) !== "unittest") return null;
    // Discovery only enters packages, so a folder without __init__.py has to be named.
    const bare = ["tests", "test"].find(
      (name) => testFiles(join(root, name), testFile).length > 0 && !has(join(name, "__init__.py"))(root),
    );
    return bare === undefined ? `${python} -m unittest` : `${python} -m unittest discover -s ${bare}`;
  };

/** What the tests are written for; `plain`: functions, which only pytest finds. */
function pythonTests(root: string): "none" | "unittest" | "plain" {
  const texts = testFiles(root, testFile).map((path) => readOr(path, ""));
  if (texts.some((text) => /^\s*(?:import|from)\s+pytest\b/m.test(text))) return "plain";
  if (texts.some((text) => /^(?:async\s+)?def\s+test/m.test(text))) return "plain";
  return texts.some((text) => /\bTestCase\b/.test(text)) ? "unittest" : "none";
}

// ---- make and scripts

const makefiles = ["GNUmakefile", "makefile", "Makefile"];

/** A rule whose targets include `test`; an assignment to a variable of that name does not count. */
export const makeTest: Look = (root) =>
  /^(?:[^\s:#=]+[ \t]+)*test(?:[ \t]+[^\s:#=]+)*[ \t]*::?(?![:=])/m.test(textOf(root, ...makefiles))
    ? "make test"
    : null;

const scripts = ["test.sh", "tests/run.sh", "test/run.sh", "tests/test.sh", "scripts/test.sh"];

export const shellTest: Look = (root) => {
  const script = scripts.find((name) => fs.existsSync(join(root, name)));
  if (script === undefined) return null;
  if (isExecutable(join(root, script))) return `./${script}`;
  return `${/^#!.*\bbash\b/.test(textOf(root, script)) ? "bash" : "sh"} ${script}`;
};

function isExecutable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// ---- looking around

const depthMax = 3;
const filesMax = 200;
const foldersMax = 400;
const notOurs = /^(?:\..*|node_modules|venv|env|site-packages|__pycache__|target|vendor|dist|build)$/;

/** Test files near the root. Bounded, since folders may be of any size and a few files are enough. */
function testFiles(root: string, pattern: RegExp): string[] {
  const found: string[] = [];
  const folders = [{ dir: root, depth: 0 }];
  for (let at = 0; at < Math.min(folders.length, foldersMax) && found.length < filesMax; at++) {
    const { dir, depth } = folders[at] ?? { dir: root, depth: depthMax };
    for (const entry of entriesOf(dir)) {
      if (entry.isFile() && pattern.test(entry.name)) found.push(join(dir, entry.name));
      if (entry.isDirectory() && depth < depthMax && !notOurs.test(entry.name))
        folders.push({ dir: join(dir, entry.name), depth: depth + 1 });
    }
  }
  return found;
}

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
