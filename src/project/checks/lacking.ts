// What a folder lacks that a fresh clone has to be given first: packages, and the files of submodules.
import * as fs from "node:fs";
import { join } from "node:path";
import { isInside } from "../../formats/text/safe-names.ts";
import { statIfExists } from "../../host/disk.ts";
import { asObject, objectIn } from "../../proof/rooms/lockfiles.ts";
import type { View } from "../../proof/view.ts";
import { installFirst } from "../../runtime/install-again.ts";

/** `run` is the command that brings it. */
export type Lacking = { readonly what: string; readonly run: string };

export function lackingIn(root: string, tree: View): Lacking[] {
  return [...packages(root, tree), ...submodules(root, tree)];
}

function packages(root: string, tree: View): Lacking[] {
  const manifest = objectIn(tree.text("package.json") ?? "");
  const isNamed = ["dependencies", "devDependencies"].some((key) => Object.keys(asObject(manifest[key])).length > 0);
  const isInstalled = ["node_modules", ".pnp.cjs"].some((name) => fs.existsSync(join(root, name)));
  if (!isNamed || isInstalled) return [];
  return [{ what: "package.json names packages, and none is installed", run: installFirst(fs.readdirSync(root)) }];
}

/** As listed in .gitmodules: an empty folder is in no tree. */
function submodules(root: string, tree: View): Lacking[] {
  const listed = (tree.text(".gitmodules") ?? "").matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gm);
  const isEmpty = (path: string): boolean =>
    isInside(path) &&
    (statIfExists(join(root, path))?.isDirectory() !== true || fs.readdirSync(join(root, path)).length === 0);
  const paths = Array.from(listed, ([, path = ""]) => path).filter((path) => path !== "" && isEmpty(path));
  return paths.map((path) => ({
    what: `${path} is a submodule without its files`,
    run: "git submodule update --init",
  }));
}
