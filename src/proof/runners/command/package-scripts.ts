// Scripts of package.json, run by npm, pnpm, yarn, bun, lerna, turbo and nx, alone or in every package of a workspace.
import { posix } from "node:path";
import picomatch from "picomatch";
import type { RunnerUse } from "../runner.ts";
import { enter, joined, type Place, type ReadLine } from "./place.ts";

type Scripts = { readonly dir: string; readonly scripts: Readonly<Record<string, string>> };

/** The uses of the named scripts; a name may be a pattern, as in npm-run-all. */
export function scriptUses(
  names: readonly string[],
  from: readonly Scripts[],
  place: Place,
  read: ReadLine,
): RunnerUse[] {
  return from.flatMap(({ dir, scripts }) =>
    names.flatMap((name) => matching(scripts, name)).flatMap((name) => usesOf(name, dir, scripts, place, read)),
  );
}

function usesOf(
  name: string,
  dir: string,
  scripts: Scripts["scripts"],
  place: Place,
  read: ReadLine,
): readonly RunnerUse[] {
  const inside = enter(place, dir, name);
  if (inside === null) return [];
  return [`pre${name}`, name, `post${name}`].flatMap((part) => {
    const line = Object.hasOwn(scripts, part) ? scripts[part] : undefined;
    return line === undefined ? [] : read(line, inside);
  });
}

function matching(scripts: Scripts["scripts"], name: string): readonly string[] {
  if (Object.hasOwn(scripts, name)) return [name];
  if (!/[*?{]/.test(name)) return [];
  // npm-run-all separates the parts of a name by colons, as a path does by slashes.
  const matches = picomatch(name.replaceAll(":", "/"));
  return Object.keys(scripts).filter((script) => matches(script.replaceAll(":", "/")));
}

/** The manifest that a package manager in this folder would use. */
export function nearest(place: Place): readonly Scripts[] {
  for (let dir = place.dir; ; dir = posix.dirname(dir)) {
    const found = scriptsAt(place, dir === "." ? "" : dir);
    if (found !== null) return [found];
    if (dir === "" || dir === ".") return [];
  }
}

export function everyPackage(place: Place): readonly Scripts[] {
  return place.view.paths
    .filter((path) => posix.basename(path) === "package.json" && !path.includes("node_modules/"))
    .flatMap((path) => scriptsAt(place, joined("", posix.dirname(path))) ?? []);
}

function scriptsAt({ view }: Place, dir: string): Scripts | null {
  const text = view.text(joined(dir, "package.json"));
  if (text === null) return null;
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    const entries = Object.entries(typeof scripts === "object" && scripts !== null ? scripts : {});
    return { dir, scripts: Object.fromEntries(entries.filter((entry) => typeof entry[1] === "string")) };
  } catch {
    return null;
  }
}

const valued =
  /^(?:--prefix|-C|--dir|--cwd|--filter|-F|-w|--workspace|--scope|--concurrency|-p|--projects|--parallel|-t|--target)$/;
const folders = /^(?:--prefix|-C|--dir|--cwd)(?:=|$)/;
const everywhere =
  /^(?:-r|--recursive|--workspaces|-ws|--filter|-F|-w|--workspace|--scope|-A|--all)(?:=|$)|^(?:workspaces?|foreach|run-many|affected|-t|--target)(?:=|$)/;

/** `npm test`, `pnpm -r run test`, `yarn workspace x test`, `turbo run test`, `nx run-many -t test`. */
export function managerUses(words: readonly string[], place: Place, read: ReadLine): readonly RunnerUse[] {
  const [program = "", ...args] = words;
  const ended = args.indexOf("--");
  const own = ended < 0 ? args : args.slice(0, ended);
  const dir = own.flatMap((word, at) => (folders.test(word) ? [word.split("=", 2)[1] ?? own[at + 1] ?? ""] : []))[0];
  const here = dir === undefined ? place : { ...place, dir: joined(place.dir, dir) };
  const names = own.filter(
    (word, at) => !word.startsWith("-") && !(valued.test(own[at - 1] ?? "") && !isTarget(own[at - 1])),
  );
  const isWhole = ["lerna", "turbo", "nx"].includes(program) || own.some((word) => everywhere.test(word));
  const from = isWhole ? everyPackage(here) : nearest(here);
  const called = names.map((name) => (program === "npm" && /^(?:t|tst)$/.test(name) ? "test" : name));
  // Words that are not scripts (run, workspaces, a package's name) are in no manifest. The first script counts.
  const script = called.find((name) => from.some(({ scripts }) => Object.hasOwn(scripts, name)));
  return script === undefined ? [] : scriptUses([script], from, here, read);
}

const isTarget = (word: string | undefined): boolean => word === "-t" || word === "--target";
