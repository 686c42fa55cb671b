// Who imports whom in the base.

import { rustTestModules } from "./imports/compiled.ts";
import { importsOf } from "./imports/index.ts";
import { mentionsIn } from "./imports/scripts.ts";
import { languageOf } from "./names/code.ts";
import type { Tree } from "./tree.ts";

export type Graph = {
  imports(path: string): readonly string[];
  importers(path: string): readonly string[];
  /** Files that a file's text names, as it would name a program to run. */
  mentions(path: string): readonly string[];
  /** Rust modules that are declared for tests only. */
  readonly testModules: ReadonlySet<string>;
};

export function graphOf(tree: Tree, isOut: (path: string) => boolean): Graph {
  const paths = tree.paths.filter((path) => !isOut(path));
  const imports = new Map(paths.map((path) => [path, importsOf(path, tree).filter((to) => !isOut(to))]));
  const importers = new Map<string, string[]>();
  for (const [from, all] of imports)
    for (const to of all) {
      const known = importers.get(to);
      if (known === undefined) importers.set(to, [from]);
      else known.push(from);
    }
  const rust = paths.filter((path) => path.endsWith(".rs"));
  return {
    imports: (path) => imports.get(path) ?? [],
    importers: (path) => importers.get(path) ?? [],
    mentions: (path) => {
      const text = tree.text(path);
      return text === null ? [] : mentionsIn(path, text, languageOf(path, text) === "shell", tree);
    },
    testModules: new Set(rust.flatMap((path) => rustTestModules(path, tree.text(path) ?? "", tree))),
  };
}
