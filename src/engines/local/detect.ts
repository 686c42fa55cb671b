// What can be known without being told: which agents are on PATH, and how this project is tested.
import * as fs from "node:fs";
import { delimiter, join } from "node:path";
import type { AgentSettings, CheckSettings } from "../../formats/settings.ts";
import { settle } from "../../formats/settings.ts";
import { readIfExists } from "../../host/disk.ts";

export function onPath(name: string, path = process.env["PATH"] ?? ""): string | null {
  for (const dir of path.split(delimiter)) {
    const file = join(dir, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // Not there, or not ours to run: the next one.
    }
  }
  return null;
}

/** claude, then codex. */
export function detectAgent(): AgentSettings | null {
  const kind = (["claude", "codex"] as const).find((name) => onPath(name) !== null);
  return kind === undefined ? null : settle({ agents: { maker: kind } }).agents.maker;
}

type Guess = { readonly name: string; readonly run: string; when(root: string): boolean };

const has =
  (...names: string[]) =>
  (root: string) =>
    names.some((name) => fs.existsSync(join(root, name)));
const contains = (name: string, pattern: RegExp) => (root: string) =>
  pattern.test(readIfExists(join(root, name)) ?? "");

const guesses: readonly Guess[] = [
  { name: "test", run: "npm test", when: (root) => npmTest(root) },
  {
    name: "pytest",
    run: "pytest -q",
    when: (root) =>
      has("pytest.ini", "conftest.py", "tests/conftest.py")(root) ||
      contains("pyproject.toml", /\bpytest\b/)(root) ||
      contains("setup.cfg", /\[tool:pytest\]/)(root),
  },
  { name: "go", run: "go test ./...", when: has("go.mod") },
  { name: "cargo", run: "cargo test", when: has("Cargo.toml") },
  { name: "maven", run: "mvn -q test", when: has("pom.xml") },
  { name: "gradle", run: "./gradlew test", when: has("gradlew") },
  { name: "rspec", run: "bundle exec rspec", when: has(".rspec") },
  { name: "phpunit", run: "vendor/bin/phpunit", when: has("phpunit.xml", "phpunit.xml.dist") },
  { name: "make", run: "make test", when: contains("Makefile", /^test:/m) },
];

export function detectChecks(root: string): CheckSettings[] {
  return guesses
    .filter((guess) => guess.when(root))
    .map(({ name, run }) => ({
      name,
      run,
      must: "stay-green" as const,
      timeoutS: 600,
      tests: [],
      setup: null,
      bring: [],
    }));
}

/** npm writes a test script that only fails; that one is nobody's. */
function npmTest(root: string): boolean {
  try {
    const { scripts } = JSON.parse(readIfExists(join(root, "package.json")) ?? "{}") as {
      scripts?: { test?: unknown };
    };
    return typeof scripts?.test === "string" && !scripts.test.includes("no test specified");
  } catch {
    return false;
  }
}
