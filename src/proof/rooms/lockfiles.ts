// The files that decide which packages are installed: lockfiles, and the dependency tables of manifests.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import picomatch from "picomatch";
import type { Ecosystem } from "./dependency-folders.ts";

/** Relevant files of a tree, by path. */
export type Texts = ReadonlyMap<string, string>;
export type DependencyKeys = Readonly<Record<Ecosystem, string>>;

export const nodeLocks = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
export const pythonLocks = ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"];
const otherLocks = ["Gemfile.lock", "composer.lock", "go.sum", "go.mod", "Cargo.lock", "mix.lock", "Podfile.lock"];
const alike = ["pnpm-workspace.yaml", ".npmrc", "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile"];
const isRequirements = (path: string): boolean => /(?:^|\/)(?:requirements[^/]*|requirements\/[^/]+)\.txt$/.test(path);

/** Whether a file can affect what is installed. */
export function decidesDependencies(path: string): boolean {
  const name = posix.basename(path);
  return [...nodeLocks, ...pythonLocks, ...otherLocks, ...alike].includes(name) || isRequirements(path);
}

/** Equal keys: the same packages are required. */
export function dependencyKeys(texts: Texts): DependencyKeys {
  const named = (names: readonly string[]): string[] =>
    [...texts.keys()].filter((path) => names.includes(posix.basename(path)));
  const whole = (paths: readonly string[]): string[] => paths.map((path) => `${path}\0${texts.get(path)}`);
  const packages = nodePackages(texts).map((path) => `${path}\0${nodeTables(texts.get(path) ?? "")}`);
  const locks = named(pythonLocks);
  const projects = locks.length > 0 ? [] : named(["pyproject.toml", "setup.py", "setup.cfg", "Pipfile"]);
  return {
    node: hashOf([...whole(named([...nodeLocks, "pnpm-workspace.yaml"])), ...packages]),
    python: hashOf([
      ...whole([...locks, ...[...texts.keys()].filter(isRequirements)]),
      ...projects.map((path) => `${path}\0${pythonTables(path, texts.get(path) ?? "")}`),
    ]),
    other: hashOf(whole(named(otherLocks))),
  };
}

const hashOf = (parts: readonly string[]): string =>
  createHash("sha256")
    .update([...parts].sort().join("\0\0"))
    .digest("hex")
    .slice(0, 24);

/** The manifests that an install reads: at the top, next to a lockfile, and the packages of a workspace. */
export function nodePackages(texts: Texts): string[] {
  const tops = new Set([
    "",
    ...[...texts.keys()].filter((path) => nodeLocks.includes(posix.basename(path))).map(above),
  ]);
  const patterns = [...tops].flatMap((top) => workspacesOf(texts, top).map((pattern) => top + pattern));
  const isMember = patterns.length === 0 ? () => false : picomatch(patterns);
  return [...texts.keys()].filter((path) => {
    if (posix.basename(path) !== "package.json") return false;
    return tops.has(above(path)) || isMember(above(path).replace(/\/$/, ""));
  });
}

const above = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

function workspacesOf(texts: Texts, top: string): string[] {
  const { workspaces } = objectIn(texts.get(`${top}package.json`) ?? "");
  const listed = Array.isArray(workspaces) ? workspaces : asObject(workspaces)["packages"];
  const pnpm = Array.from((texts.get(`${top}pnpm-workspace.yaml`) ?? "").matchAll(/^\s*-\s*['"]?([^'"#\n]+)/gm));
  const all = [...(Array.isArray(listed) ? listed : []), ...pnpm.map((match) => match[1]?.trim())];
  return all.flatMap((pattern) =>
    typeof pattern === "string" && !pattern.startsWith("!") ? [pattern.replace(/^\.\/|\/+$/g, "")] : [],
  );
}

const tables = [
  ...["name", "dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"],
  ...["overrides", "resolutions", "pnpm", "workspaces", "packageManager", "os", "cpu"],
];
const nodeTables = (text: string): string => {
  const manifest = objectIn(text);
  return JSON.stringify(tables.map((name) => manifest[name] ?? null));
};

export function objectIn(json: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return {}; // Checks of the candidate will notice a broken manifest.
  }
}
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

// Sections with a dependency heading, and lists of that name. Including too much only costs an install.
function pythonTables(path: string, text: string): string {
  if (!path.endsWith("pyproject.toml")) return text;
  const sections = text.split(/^(?=\s*\[)/m);
  const wanted = sections.filter((section) => /^\s*\[+[^\]\n]*(?:dependenc|build-system|tool\.uv)/.test(section));
  const lists = sections.flatMap((section) =>
    Array.from(section.matchAll(/^(?:optional-)?dependencies\s*=\s*\[[\s\S]*?\]\s*$/gm), (match) => match[0]),
  );
  return [...wanted, ...lists].join("\n");
}
