// The packages of a tree: every folder with a manifest. A file belongs to the nearest one above it.
import { objectIn } from "../json.ts";
import { manifestFormat } from "../names/dependencies.ts";
import { isContainer, isShowFolder } from "../names/folders.ts";
import { folderOf, foldersOf, nameOf } from "../paths.ts";
import type { Tree } from "../tree.ts";

export type Package = { readonly folder: string; readonly manifests: readonly string[] };
export type PackageOf = (path: string) => Package;

/** Manifests without dependencies that we could mix, but that still begin a package. */
const others =
  /^(?:pom\.xml|build\.gradle(?:\.kts)?|.+\.(?:cs|fs|vb)proj|mix\.exs|Package\.swift|deno\.jsonc?|pubspec\.ya?ml|build\.sbt|.+\.cabal)$/;

/** `isOut`: caches and tests, where a manifest is installed or a fixture. The top is always a package. */
export function packagesOf(tree: Tree, isOut: (path: string) => boolean): readonly Package[] {
  const found = new Map<string, string[]>([["", []]]);
  for (const path of tree.paths.filter((each) => isPackageManifest(each, tree) && !isOut(each))) {
    const folder = folderOf(path);
    found.set(folder, [...(found.get(folder) ?? []), path]);
  }
  for (const folder of [...found.keys()].flatMap((folder) => children(folder, tree)))
    if (!found.has(folder)) found.set(folder, []);
  return [...found]
    .map(([folder, manifests]) => ({ folder, manifests }))
    .filter(({ folder }) => isReal(folder, tree, isOut));
}

function isPackageManifest(path: string, tree: Tree): boolean {
  const name = nameOf(path);
  // A bare `{"type": "module"}` marks a folder; it is not a package.
  if (name === "package.json") {
    const keys = Object.keys(objectIn(tree.text(path)) ?? { name: "" });
    return keys.some((key) => /^(?:name|main|exports|bin|scripts|(?:dev|peer)?[dD]ependencies|workspaces)$/.test(key));
  }
  return manifestFormat(path) !== null || others.test(name);
}

/** `packages/a` is a package even where only the top has a manifest. */
function children(folder: string, tree: Tree): readonly string[] {
  return tree
    .foldersIn(folder)
    .filter((each) => isContainer(nameOf(each)))
    .flatMap((each) => tree.foldersIn(each));
}

/** An example is a package only where it has its own tests; otherwise the project's tests may use it. */
function isReal(folder: string, tree: Tree, isOut: (path: string) => boolean): boolean {
  if (!isInShow(folder)) return true;
  return tree.paths.some((path) => path.startsWith(`${folder}/`) && isOut(path));
}

export const isInShow = (folder: string): boolean => foldersOf(`${folder}/x`).some(isShowFolder);

export function nearest(packages: readonly Package[]): PackageOf {
  const byFolder = new Map(packages.map((each) => [each.folder, each]));
  const top = byFolder.get("") ?? { folder: "", manifests: [] };
  return (path) => {
    for (let at = folderOf(path); at !== ""; at = folderOf(at)) {
      const found = byFolder.get(at);
      if (found !== undefined) return found;
    }
    return top;
  };
}
