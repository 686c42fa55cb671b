// Rule 1: caches and installed packages. Rooms leave them out, even when they are tracked.
import { foldersOf, joined, nameOf } from "../paths.ts";
import { filesNamed, type Tree } from "../tree.ts";

/** Folders that only tools write. On a case-insensitive disk, `Node_Modules` is the same folder. */
const folders =
  /^(?:node_modules|bower_components|jspm_packages|__pycache__|__pypackages__|site-packages|\.venv|venv|\.tox|\.nox|\.eggs|.+\.(?:egg|dist)-info|\.[\w-]*cache|\.nyc_output|\.vite|\.vitest|\.next|\.nuxt|\.svelte-kit|\.turbo|\.gradle|\.dart_tool|\.stack-work|\.bundle|\.hypothesis|\.ipynb_checkpoints)$/i;

const files = /\.(?:py[co]|pth|tsbuildinfo)$|^\.(?:eslint|stylelint)cache$|^\.coverage$/i;

/** Ordinary words, which mean the build folder only next to the tool's manifest. */
const buildFolders: readonly (readonly [folder: string, manifest: RegExp])[] = [
  ["target", /^(?:Cargo\.toml|pom\.xml|build\.sbt)$/],
  ["_build", /^(?:mix\.exs|dune-project)$/],
  ["env", /^pyvenv\.cfg$/],
];

/** Null: neither a cache nor installed. `tree` is the base, so that a candidate cannot turn a folder into a cache. */
export function cacheReason(path: string, tree: Tree): string | null {
  if (files.test(nameOf(path))) return "a file that a tool writes by itself";
  const way = foldersOf(path);
  const known = way.find((folder) => folders.test(folder));
  if (known !== undefined) return `in ${known}/, a folder of installed packages or caches`;
  const built = way.findIndex((folder, at) => isBuildFolder(folder, way.slice(0, at).join("/"), tree));
  return built < 0 ? null : `in ${way[built]}/, which a build tool writes`;
}

function isBuildFolder(folder: string, parent: string, tree: Tree): boolean {
  return buildFolders.some(
    ([name, manifest]) =>
      name === folder &&
      filesNamed(tree, name === "env" ? (joined(parent, folder) ?? "") : parent, manifest).length > 0,
  );
}
