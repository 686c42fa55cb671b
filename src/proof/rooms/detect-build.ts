// Whether the checks need a build first: code imports from a folder that is not tracked.
import { posix } from "node:path";
import type { View } from "../view.ts";
import { asObject, nodePackages, objectIn } from "./lockfiles.ts";

const scripts = ["build", "compile", "generate", "prepare"];
const codeFile = /\.[cm]?[jt]sx?$/;
const filesMax = 4000;

/**
 * The command that builds it; null: nothing that is missing is imported. A test script that builds by itself is left
 * alone.
 */
export function detectBuild(view: View): string | null {
  const texts = new Map(
    view.paths.filter((path) => posix.basename(path) === "package.json").map((path) => [path, view.text(path) ?? ""]),
  );
  const packages = nodePackages(texts).map((path) => ({
    top: path.slice(0, -"package.json".length),
    ...readPackage(texts.get(path) ?? ""),
  }));
  const root = packages.find(({ top }) => top === "");
  if (
    root === undefined ||
    /\b(?:build|compile|tsc)\b/.test(`${root.scripts["test"] ?? ""} ${root.scripts["pretest"] ?? ""}`)
  )
    return null;
  const unbuilt = packages
    .map((one) => ({ ...one, entries: one.entries.filter((entry) => isMissing(view, one.top, entry)) }))
    .filter(({ entries }) => entries.length > 0);
  if (unbuilt.length === 0 || !isImported(view, unbuilt)) return null;
  return commandFor(view, root.scripts, unbuilt);
}

type Package = {
  readonly top: string;
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
};

function readPackage(text: string): Omit<Package, "top"> {
  const manifest = objectIn(text);
  const own = Object.entries(asObject(manifest["scripts"])).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  const entries = [manifest["main"], manifest["module"], manifest["exports"], manifest["bin"]].flatMap(textsIn);
  return {
    name: typeof manifest["name"] === "string" ? manifest["name"] : "",
    scripts: Object.fromEntries(own),
    entries: entries.filter((entry) => codeFile.test(entry) && !/\*|\.d\.[cm]?ts$/.test(entry)),
  };
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(asObject(value)).flatMap(textsIn);

function isMissing(view: View, top: string, entry: string): boolean {
  const path = posix.normalize(top + entry);
  const folder = path.split("/").slice(0, -1).join("/");
  return folder !== "" && !view.paths.some((other) => other === path || other.startsWith(`${folder}/`));
}

/** By the package's name, or by a path into the missing folder. */
function isImported(view: View, unbuilt: readonly Package[]): boolean {
  const folders = unbuilt.flatMap(({ top, entries }) =>
    entries.map((entry) => ({ top, folder: posix.normalize(entry).split("/")[0] ?? "" })),
  );
  const names = unbuilt.map(({ name }) => name).filter((name) => name !== "");
  const code = view.paths.filter((path) => codeFile.test(path)).slice(0, filesMax);
  return code.some((path) => {
    const wanted = importsIn(view.text(path) ?? "");
    return wanted.some((to) =>
      to.startsWith(".")
        ? folders.some(({ top, folder }) => posix.join(posix.dirname(path), to).startsWith(`${top}${folder}/`))
        : names.some((name) => to === name || to.startsWith(`${name}/`)),
    );
  });
}

const importsIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\(|\bresolve\s*\()\s*['"]([^'"\n]+)['"]/g),
    (match) => match[1] ?? "",
  );

function commandFor(view: View, root: Readonly<Record<string, string>>, unbuilt: readonly Package[]): string | null {
  const has = (name: string): boolean => view.paths.includes(name);
  const run = has("pnpm-lock.yaml") ? "pnpm run" : has("yarn.lock") ? "yarn run" : "npm run";
  const own = scripts.find((script) => root[script] !== undefined);
  if (own !== undefined) return `${run} ${own}`;
  if (!unbuilt.some((one) => one.scripts["build"] !== undefined)) return null;
  return has("pnpm-lock.yaml")
    ? "pnpm --recursive run build"
    : has("yarn.lock")
      ? null
      : "npm run build --workspaces --if-present";
}
