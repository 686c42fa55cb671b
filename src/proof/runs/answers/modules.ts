// Modules that a change could spoil without a test that loads them: changed files, and everything that imports them.
import { posix } from "node:path";
import { importersOf, importsOf } from "../../classify/index.ts";
import { exportedNames, publicNames } from "../../rules/public-names.ts";
import type { Sides } from "../../sides.ts";
import type { View } from "../../view.ts";
import type { Asked } from "./program.ts";

const modulesMax = 12;
const namesMax = 60;

/** Loading these would start something. */
const starts =
  /^#!|\bprocess\.(?:exit|argv)\b|\.listen\(|^\s*(?:await )?main\(\)|^sys\.exit|\bsys\.argv\b|\bparse_args\(/m;

/**
 * Files that are new are only loaded; modules that were there are asked for the names they had. At last, what loading
 * all of them has changed in the process.
 */
export function moduleQuestions(sides: Sides, isOfLanguage: (path: string) => boolean): Asked[] {
  const { base, candidate } = sides;
  const { loaded, exported } = affectedModules(sides, isOfLanguage);
  if (loaded.length === 0) return [];
  return [
    ...loaded.map(
      (path): Asked => ({
        ...{ ask: "names", path, name: "" },
        ...(base.has(path) ? { names: namesOf(path, base, candidate, exported) } : { names: [], isNew: true }),
      }),
    ),
    { ask: "process", path: "", name: "" },
  ];
}

/** Functions of files that the change does not reach, and the modules it reaches that pass them on. */
export function importedThrough(
  sides: Sides,
  isOfLanguage: (path: string) => boolean,
): readonly { readonly path: string; readonly name: string; readonly from: string }[] {
  const { base, candidate } = sides;
  const { loaded, affected, product, exported } = affectedModules(sides, isOfLanguage);
  const untouched = product.filter((path) => base.has(path) && !affected.has(path));
  const definers = new Map<string, string[]>();
  for (const from of untouched)
    for (const name of publicNames(from, base.text(from) ?? ""))
      definers.set(name, [...(definers.get(name) ?? []), from]);
  return loaded
    .filter((path) => base.has(path))
    .flatMap((path) =>
      namesOf(path, base, candidate, exported).flatMap((name) => {
        const [from, ...more] = definers.get(name) ?? [];
        return from === undefined || more.length > 0 ? [] : [{ path, name, from }];
      }),
    );
}

function affectedModules(sides: Sides, isOfLanguage: (path: string) => boolean) {
  const { candidate, changes, classes } = sides;
  const sideOf = new Map<string, string>(changes.map(({ path, side }) => [path, side]));
  const isProduct = (path: string): boolean =>
    isOfLanguage(path) && (sideOf.get(path) ?? classes.of(path).kind) === "product";
  const product = candidate.paths.filter(isProduct);
  const changed = product.filter((path) => sideOf.has(path));
  // A module is a name in its package.
  const packages = changed.map((path) => posix.join(posix.dirname(path), "__init__.py"));
  const affected = new Set([...changed, ...packages.filter((path) => candidate.has(path) && isProduct(path))]);
  for (const path of affected) for (const one of importersOf(path, product, candidate)) affected.add(one);
  const exported = new Set(product.flatMap((path) => ownNames(path, candidate)));
  const loaded = [...affected]
    .slice(0, 2 * modulesMax)
    .filter((path) => !reaches(path, candidate, starts))
    .slice(0, modulesMax);
  return { loaded, affected, product, exported };
}

/** Names that it had, without those that it no longer lists itself: whether they may go is another rule's question. */
function namesOf(path: string, base: View, candidate: View, exported: ReadonlySet<string>): string[] {
  const left = new Set(ownNames(path, candidate));
  const own = ownNames(path, base).filter((name) => left.has(name));
  const passed = [...passedOn(path, base, new Set([path]))].filter((name) => exported.has(name));
  return [...new Set([...own, ...passed])].sort().slice(0, namesMax);
}

/** Names of other files that it passes on: by `export * from`, and what a package of Python imports. */
function passedOn(path: string, view: View, seen: Set<string>): ReadonlySet<string> {
  const text = view.text(path) ?? "";
  if (path.endsWith("__init__.py")) return new Set(importedNames(text));
  const found = new Set<string>();
  const to = importsOf(path, view);
  for (const [, from = ""] of text.matchAll(/\bexport\s*\*\s*from\s*["'](\.[^"']+)["']/g)) {
    const file = to.find((one) => one === posix.join(posix.dirname(path), from) && !seen.has(one));
    if (file === undefined) continue;
    seen.add(file);
    for (const name of [...ownNames(file, view), ...passedOn(file, view, seen)]) found.add(name);
  }
  return found;
}

function importedNames(text: string): string[] {
  const lists = [...text.matchAll(/^from\s+\.\S*\s+import\s+(?:\(([^)]*)\)|([^(\n]*))/gm)];
  const entries = lists.flatMap(([, long, short]) => (long ?? short ?? "").split(","));
  return entries
    .map(
      (entry) =>
        entry
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? "",
    )
    .filter((name) => /^[A-Za-z]\w*$/.test(name));
}

function ownNames(path: string, view: View): readonly string[] {
  const text = view.text(path) ?? "";
  if (!path.endsWith(".py")) return exportedNames(path, text);
  return [...text.matchAll(/^(?:async )?(?:def|class)\s+([A-Za-z]\w*)/gm)].map(([, name = ""]) => name);
}

/** The file itself, or a file of the project that it imports. */
export function reaches(path: string, view: View, pattern: RegExp): boolean {
  const known = new Set([path]);
  for (const each of known) {
    if (pattern.test(view.text(each) ?? "")) return true;
    for (const to of importsOf(each, view)) known.add(to);
    if (known.size > 50) return true;
  }
  return false;
}
