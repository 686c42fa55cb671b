// How the packages of a lockfile are installed, without running the packages' own code.
import { posix } from "node:path";
import type { Ecosystem } from "./dependency-folders.ts";
import { asObject, objectIn, type Texts } from "./lockfiles.ts";

export type Installer = {
  readonly of: Ecosystem;
  /** The folder that it runs in, "" for the top. */
  readonly at: string;
  readonly run: string;
  /** For when the first command refuses a lockfile that is honest but incomplete. */
  readonly fallback: { readonly when: RegExp; readonly run: string } | null;
};

const npmFlags = "--ignore-scripts --no-audit --no-fund";
/** Lockfiles that were written on another platform lack the optional packages of this one. */
const outOfSync = /EUSAGE|can only install (?:packages )?when your package\.json|Missing: \S+ from lock file/;

/** One for each lockfile of the ecosystem; empty: unknown. */
export function installersFor(of: Ecosystem, texts: Texts, environments: readonly string[]): Installer[] {
  return of === "node" ? nodeInstallers(texts) : of === "python" ? pythonInstallers(texts, environments) : [];
}

function nodeInstallers(texts: Texts): Installer[] {
  const found = [...texts.keys()].flatMap((path): Installer[] => {
    const run = nodeCommand(posix.basename(path), texts.get(path) ?? "");
    if (run === null) return [];
    const isNpm = run.startsWith("npm ");
    const fallback = isNpm ? { when: outOfSync, run: `npm install ${npmFlags} --no-save` } : null;
    return [{ of: "node", at: above(path), run, fallback }];
  });
  if (found.length > 0 || !texts.has("package.json")) return found;
  return [{ of: "node", at: "", run: `npm install ${npmFlags} --no-package-lock`, fallback: null }];
}

function nodeCommand(lock: string, text: string): string | null {
  switch (lock) {
    case "package-lock.json":
    case "npm-shrinkwrap.json":
      return `npm ci ${npmFlags}`;
    case "pnpm-lock.yaml":
      return "pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile";
    case "yarn.lock":
      return /^__metadata:/m.test(text)
        ? "yarn install --immutable --mode=skip-build"
        : "yarn install --frozen-lockfile --ignore-scripts --non-interactive";
    case "bun.lock":
      return "bun install --frozen-lockfile --ignore-scripts";
    default:
      return null;
  }
}

// Into the copy of the person's environment: other packages in it stay.
function pythonInstallers(texts: Texts, environments: readonly string[]): Installer[] {
  const one = (run: string): Installer => ({ of: "python", at: "", run, fallback: null });
  if (texts.has("uv.lock")) return [one("uv sync --frozen --inexact")];
  if (texts.has("poetry.lock")) return [one("poetry install --no-interaction")];
  const environment = environments[0];
  const requirements = [...texts.keys()].filter((path) =>
    /^requirements[^/]*\.txt$|^requirements\/[^/]+\.txt$/.test(path),
  );
  if (environment === undefined || requirements.length === 0) return [];
  const files = requirements.sort().map((path) => `-r ${quoted(path)}`);
  return [one(`${quoted(`${environment}/bin/python`)} -m pip install --disable-pip-version-check ${files.join(" ")}`)];
}

const above = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

type Locked = {
  readonly name: string;
  readonly version: string;
  readonly optional: boolean;
  readonly scripts: boolean;
};

/** Packages by the path that they are installed at, from package-lock.json. */
function lockedPackages(text: string): Map<string, Locked> {
  const found = new Map<string, Locked>();
  for (const [path, entry] of Object.entries(asObject(objectIn(text)["packages"]))) {
    const { version, link, optional, devOptional, hasInstallScript, name } = asObject(entry);
    if (!path.includes("node_modules/") || link === true || typeof version !== "string") continue;
    const own =
      typeof name === "string" ? name : path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const isOptional = optional === true || devOptional === true || asObject(entry)["peer"] === true;
    found.set(path, { name: own, version, optional: isOptional, scripts: hasInstallScript === true });
  }
  return found;
}

/** Installed packages that differ from the lockfile; empty: none. */
export function unlike(lock: string, installed: string): string[] {
  const there = lockedPackages(installed);
  return [...lockedPackages(lock)].flatMap(([path, { name, version, optional }]) => {
    const found = there.get(path);
    if (found === undefined) return optional ? [] : [`${name}@${version} is missing`];
    return found.version === version ? [] : [`${name} is ${found.version} where the lockfile says ${version}`];
  });
}

/** Packages with install scripts: those that the base had at the same version may run them, others may not. */
export function scriptsOf(
  lock: string,
  baseLock: string,
): { readonly known: readonly string[]; readonly fresh: readonly string[] } {
  const named = (text: string): Set<string> =>
    new Set(
      [...lockedPackages(text).values()]
        .filter(({ scripts }) => scripts)
        .map(({ name, version }) => `${name}@${version}`),
    );
  const before = named(baseLock);
  const now = [...named(lock)];
  return { known: now.filter((name) => before.has(name)), fresh: now.filter((name) => !before.has(name)) };
}
