// What a person runs to install packages: before the first run, or after a commit that changed them.
import { posix } from "node:path";
import type { Setup } from "../core/contract.ts";

/** Cargo and go fetch what is missing when they build. */
const installers: Readonly<Record<string, string>> = {
  "package-lock.json": "npm ci",
  "npm-shrinkwrap.json": "npm ci",
  "pnpm-lock.yaml": "pnpm install",
  "yarn.lock": "yarn install",
  "bun.lock": "bun install",
  "uv.lock": "uv sync",
  "poetry.lock": "poetry install",
  "pdm.lock": "pdm sync",
  "Pipfile.lock": "pipenv sync",
  "Gemfile.lock": "bundle install",
  "composer.lock": "composer install",
};

/** Null: none of these files is a lockfile. `setup` is the person's own command, and wins. */
export function installAgain(changed: readonly string[], setup: Pick<Setup, "run"> | null): string | null {
  const locks = changed.filter((path) => Object.hasOwn(installers, posix.basename(path)));
  if (locks.length === 0) return null;
  const commands = setup === null ? [...new Set(locks.map(commandFor))] : [setup.run];
  return `${locks.join(", ")} changed. In your folder: ${commands.join("; ")}`;
}

/** For a folder whose packages were never installed, by the lockfiles at its top. */
export function installFirst(names: readonly string[]): string {
  const lock = Object.keys(installers).find((name) => names.includes(name));
  return (lock === undefined ? null : installers[lock]) ?? "npm install";
}

function commandFor(lock: string): string {
  const command = installers[posix.basename(lock)] ?? "";
  const above = posix.dirname(lock);
  return above === "." ? command : `(cd '${above.replaceAll("'", "'\\''")}' && ${command})`;
}
