// Import edges of a file, resolved to files of the tree. Imports from outside (a package, the standard library) are
// left out. Uses patterns on the text: an import in a comment counts, which is harmless where edges are used.
import { posix } from "node:path";

import type { View } from "../../view.ts";
import { languageOf } from "../names/code.ts";
import { treeOf } from "../tree.ts";
import { cImports, goImports, rustImports } from "./compiled.ts";
import { javascriptImports, resolved } from "./javascript.ts";
import { modulesNamed, pythonImports } from "./python.ts";
import { phpImports, rubyImports, shellImports } from "./scripts.ts";
import { linkedFiles } from "./web.ts";

export function importsOf(path: string, view: View): readonly string[] {
  const tree = treeOf(view);
  const text = tree.text(path);
  if (text === null) return [];
  return [...new Set(found(path, text, view))].filter((to) => to !== path);
}

/** The files that a module's name means where this file imports it. */
export function filesOfModule(path: string, module: string, view: View): readonly string[] {
  if (path.endsWith(".py")) return modulesNamed(path, module, [], treeOf(view));
  const file = resolved(path, module, treeOf(view));
  return file === null ? [] : [file];
}

/** Files among these that import it. The name is looked for first: a large repository has many files. */
export function importersOf(path: string, among: readonly string[], view: View): string[] {
  const stem = /__init__\.py$|\/index\.\w+$/.test(path)
    ? posix.basename(posix.dirname(path))
    : posix.basename(path).replace(/\.\w+$/, "");
  return among.filter(
    (one) => one !== path && view.text(one)?.includes(stem) === true && importsOf(one, view).includes(path),
  );
}

function found(path: string, text: string, view: View): readonly string[] {
  const tree = treeOf(view);
  const language = languageOf(path, text);
  switch (language) {
    case "javascript":
      return javascriptImports(path, text, tree);
    case "python":
      return pythonImports(path, text, tree);
    case "rust":
      return rustImports(path, text, tree);
    case "go":
      return goImports(path, text, tree);
    case "c":
      return cImports(path, text, tree);
    case "shell":
      return shellImports(path, text, tree);
    case "ruby":
      return rubyImports(path, text, tree);
    case "php":
      return phpImports(path, text, tree);
    case "other":
      return [];
    case null:
      return linkedFiles(path, text, tree);
  }
}
