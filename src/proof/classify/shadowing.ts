// New files that would shadow a library that tests use: `json.py` next to the tests' own imports, `assert.h` on the
// include path. In the old judge's room they would replace the judge's assertions.
import type { Base } from "./base.ts";
import { baseUrls } from "./imports/ts-paths.ts";
import type { Class } from "./kinds.ts";
import { isTestLibrary } from "./libraries.ts";
import { languageOf } from "./names/code.ts";
import { requiredIn } from "./packages/required.ts";
import { folderOf, isBelow, joined, nameOf, seenFrom, withoutExtension } from "./paths.ts";
import { pythonLibrary } from "./python-library.ts";

/** Why a new path is not allowed; null: it shadows nothing. */
export function shadows(base: Base, of: (path: string) => Class): (path: string) => string | null {
  const roots = importRoots(base);
  const headers = systemHeaders(base);
  const judges = new Map(
    base.tree.paths
      .filter((path) => of(path).kind === "judge" && base.isCode(path))
      .map((path) => [moduleKey(path), path]),
  );
  return (path) => {
    if (headers.has(nameOf(path))) return `it would take the place of <${nameOf(path)}>`;
    const judge = base.isCode(path) ? judges.get(moduleKey(path)) : undefined;
    if (judge !== undefined) return `it would take the place of ${judge}`;
    const taken = roots.map((root) => takenName(path, root, base)).find((name) => name !== null);
    return taken === undefined || taken === null ? null : `it would take the place of the library ${taken}`;
  };
}

/** Files with the same key match the same import: `helpers.py` and `helpers/__init__.py`, `setup.js` and `setup.ts`. */
const moduleKey = (path: string): string =>
  withoutExtension(path)
    .replace(/\.d$/, "")
    .replace(/\/(?:index|__init__|mod)$/, "")
    .toLowerCase();

type ImportRoot = { readonly folder: string; readonly files: RegExp; isLibrary(name: string): boolean };

function importRoots(base: Base): readonly ImportRoot[] {
  const required = dependencyNames(base);
  const isPython = (name: string): boolean => pythonLibrary.has(name) || isTestLibrary(name) || required.has(name);
  const isScript = (name: string): boolean => isTestLibrary(name) || required.has(name);
  const loaded = rubyLibraries(base);
  const folders = new Set(
    base.packages.flatMap(({ folder }) => ["", "src", "lib", "python"].flatMap((name) => joined(folder, name) ?? [])),
  );
  return [
    ...[...folders].map((folder) => ({ folder, files: /\.(?:py[ciw]?|so|pyd)$/i, isLibrary: isPython })),
    ...[...folders].map((folder) => ({
      folder,
      files: /\.rb$/i,
      isLibrary: (name: string) => loaded.has(name) || required.has(name),
    })),
    ...baseUrls(base.tree).map((folder) => ({ folder, files: /\.(?:[cm]?[jt]sx?|json)$/i, isLibrary: isScript })),
  ];
}

/** The first part of the path below the root, without extension, if a library has that name and the base does not. */
function takenName(path: string, { folder, files, isLibrary }: ImportRoot, { tree }: Base): string | null {
  if (!files.test(path) || !isBelow(folder, path)) return null;
  const first = seenFrom(folder, path).split("/")[0] ?? "";
  const name = (first.split(".")[0] ?? "").toLowerCase();
  if (!isLibrary(name)) return null;
  const place = joined(folder, first.split(".")[0] ?? "") ?? "";
  const isKnown = tree.hasFolder(place) || tree.filesIn(folder).some((file) => file.startsWith(`${place}.`));
  return isKnown ? null : name;
}

/** Names of the dependencies in manifests and requirement lists. */
function dependencyNames({ tree, named }: Base): ReadonlySet<string> {
  const files = tree.paths.filter((path) => ["manifest", "dependencies"].includes(named(path).is));
  return new Set(files.flatMap((path) => requiredIn(path, tree.text(path))));
}

/** Libraries that Ruby code of the base requires and the base does not contain. */
function rubyLibraries({ tree }: Base): ReadonlySet<string> {
  const sources = tree.paths.filter((path) => languageOf(path, null) === "ruby");
  const required = sources.flatMap((path) =>
    Array.from((tree.text(path) ?? "").matchAll(/^[ \t]*require[ \t(]+["']([\w-]+)/gm), (match) => match[1] ?? ""),
  );
  return new Set(["minitest", "rspec", "test", ...required]);
}

/** Headers in angle brackets that are not files of the base. */
function systemHeaders({ tree }: Base): ReadonlySet<string> {
  const sources = tree.paths.filter((path) => languageOf(path, null) === "c");
  const included = sources.flatMap((path) =>
    Array.from(
      (tree.text(path) ?? "").matchAll(/^[ \t]*#[ \t]*include[ \t]*<([^>\n]{1,200})>/gm),
      (match) => match[1] ?? "",
    ),
  );
  const own = new Set(sources.map(nameOf));
  return new Set(included.map(nameOf).filter((name) => !own.has(name) && folderOf(name) === ""));
}
