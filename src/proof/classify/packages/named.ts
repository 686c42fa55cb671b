// Files and folders that a manifest names as parts of the package.
import { fileAt } from "../imports/javascript.ts";
import { type JsonObject, objectAt, objectIn, stringsIn } from "../json.ts";
import { scanToml, tomlKeys, tomlStrings, tomlValue } from "../manifests/toml.ts";
import { manifestFormat } from "../names/dependencies.ts";
import { isOutputFolder, isShowFolder, isToolFolder } from "../names/folders.ts";
import { folderOf, foldersOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";
import { pythonNames } from "./named-python.ts";
import type { Package } from "./packages.ts";

export type Named = { readonly path: string; readonly is: "file" | "folder"; readonly by: string };

/** Only files of the tree: a `main` that is built and not tracked names nothing. */
export function namedBy(pack: Package, tree: Tree): readonly Named[] {
  return pack.manifests.flatMap((manifest) =>
    [...new Set(namesIn(manifest, tree))].flatMap((name) => placesOf(name, manifest, pack.folder, tree)),
  );
}

function namesIn(manifest: string, tree: Tree): readonly string[] {
  const text = tree.text(manifest);
  if (text === null) return [];
  switch (manifestFormat(manifest)) {
    case "package-json":
      return inPackageJson(objectIn(text));
    case "composer-json":
      return Object.values(objectAt(objectIn(text), "autoload")).flatMap((value) => stringsIn(value));
    case "cargo": {
      const sections = scanToml(text);
      const paths = [
        ["lib", "path"],
        ["bin", "path"],
      ].flatMap((path) => tomlStrings(tomlValue(sections, path)));
      return tomlKeys(sections, ["package"]).length > 0 ? [...paths, "src"] : paths;
    }
    case "pyproject":
    case "setup-cfg":
    case "setup-py":
      return pythonNames(manifest, text);
    default:
      return [];
  }
}

const entryKeys = [
  "main",
  "module",
  "browser",
  "types",
  "typings",
  "source",
  "exports",
  "bin",
  "unpkg",
  "jsdelivr",
  "files",
];

function inPackageJson(manifest: JsonObject | null): readonly string[] {
  if (manifest === null) return [];
  const entries = entryKeys.flatMap((key) => stringsIn(manifest[key]));
  const folders = ["lib", "bin"].flatMap((key) => stringsIn(objectAt(manifest, "directories")[key]));
  const scripts = ["start", "dev", "serve"].flatMap((key) => stringsIn(objectAt(manifest, "scripts")[key]));
  const run = scripts.flatMap((line) => line.split(/\s+/)).filter((word) => isProgram(word));
  return [...entries, ...folders, ...run].filter((name) => !name.startsWith("!"));
}

/** The source of an output that is built and not tracked: `dist/config.cjs` is made of `config.js`. */
function sourceOf([output = "", ...rest]: readonly string[], folder: string, tree: Tree): string | null {
  if (!isOutputFolder(output) || rest.length === 0) return null;
  return fileAt(joined(folder, rest.join("/").replace(/(?:\.d)?\.\w+$/, "")), tree);
}

/** `node scripts/setup.mjs && node server.js` starts the second; the first is a tool. */
const isProgram = (word: string): boolean => /\.[cm]?[jt]sx?$/.test(word) && !foldersOf(word).some(isToolFolder);

/** A file adds its folder, unless that is the top of the package or a folder of tools. */
function placesOf(name: string, manifest: string, folder: string, tree: Tree): readonly Named[] {
  const fixed = name.replace(/^\.?\//, "").split("/");
  const wild = fixed.findIndex((part) => part.includes("*"));
  const way = (wild < 0 ? fixed : fixed.slice(0, wild)).join("/");
  const path = way === "" ? null : joined(folder, way);
  if (path === null || path === folder) return [];
  const file = wild < 0 ? (fileAt(path, tree) ?? sourceOf(fixed, folder, tree)) : null;
  const place = file === null || tree.hasFolder(path) ? path : folderOf(file);
  const files: Named[] = file === null ? [] : [{ path: file, is: "file", by: manifest }];
  const isOwn =
    place !== folder &&
    tree.hasFolder(place) &&
    !foldersOf(`${place}/x`).some((part) => isToolFolder(part) || isShowFolder(part));
  return isOwn ? [...files, { path: place, is: "folder", by: manifest }] : files;
}
