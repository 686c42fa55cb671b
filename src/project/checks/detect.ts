// What can be detected without configuration: which agents are on PATH, and how this project is tested.
import * as fs from "node:fs";
import { delimiter, join } from "node:path";
import type { AgentSettings, CheckSettings } from "../../formats/config/settings.ts";
import { settle } from "../../formats/config/settings.ts";
import { has, type Look, makeTest, nodeTest, packageTest, pytest, shellTest, unittest } from "./detect-tests.ts";

export function onPath(name: string, path = process.env["PATH"] ?? ""): string | null {
  for (const dir of path.split(delimiter)) {
    const file = join(dir, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // Missing or not executable: try the next one.
    }
  }
  return null;
}

/** claude, then codex. */
export function detectAgent(): AgentSettings | null {
  const kind = (["claude", "codex"] as const).find((name) => onPath(name) !== null);
  return kind === undefined ? null : settle({ agents: { maker: kind } }).agents.maker;
}

type Guess = { readonly name: string; readonly look: Look };

const isHere = (program: string): boolean => onPath(program) !== null;
const when =
  (isThere: (root: string) => boolean, run: string): Look =>
  (root) =>
    isThere(root) ? run : null;

const guesses: readonly Guess[] = [
  { name: "test", look: packageTest(isHere) },
  { name: "node", look: nodeTest },
  { name: "pytest", look: pytest },
  { name: "unittest", look: unittest(isHere) },
  { name: "go", look: when(has("go.mod"), "go test ./...") },
  { name: "cargo", look: when(has("Cargo.toml"), "cargo test") },
  { name: "maven", look: when(has("pom.xml"), "mvn -q test") },
  { name: "gradle", look: when(has("gradlew"), "./gradlew test") },
  { name: "rspec", look: when(has(".rspec"), "bundle exec rspec") },
  { name: "phpunit", look: when(has("phpunit.xml", "phpunit.xml.dist"), "vendor/bin/phpunit") },
  { name: "make", look: makeTest },
];
/** A script can do anything, so it is used only if nothing else says how the project is tested. */
const lastGuess: Guess = { name: "script", look: shellTest };

export function detectChecks(root: string): CheckSettings[] {
  const found = guesses.flatMap((guess) => checkBy(guess, root));
  return found.length > 0 ? found : checkBy(lastGuess, root);
}

function checkBy({ name, look }: Guess, root: string): CheckSettings[] {
  const run = look(root);
  if (run === null) return [];
  return [{ name, run, must: "stay-green", timeoutS: 600, tests: [], before: null, after: null }];
}

/** A command to propose where no check was found: what such a project would use. It is never run unasked. */
export function suggestCheck(root: string): string | null {
  if (has("package.json")(root)) return "node --test";
  if (has("pyproject.toml", "setup.py", "requirements.txt")(root)) return "python3 -m pytest";
  return null;
}
