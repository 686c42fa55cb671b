// Tests of a simulated world: they pass or fail only by the content of a tree's files.
import type { Tree } from "./trees.ts";

/** A line of a test names a file and its required content: `src/F001.js: good`. */
export const testLine = (path: string, word: string): string => `${path}: ${word}\n`;

/** The failures of a tree by its own tests; none: it is green. */
export const redLines = (tree: Tree): string[] =>
  redIn(
    tree,
    [...tree.keys()].filter((path) => path.startsWith("test/")),
    () => tree,
  );

/** The failures of a tree by these tests, each taken from the tree that `from` names. */
export function redIn(tree: Tree, tests: readonly string[], from: (path: string) => Tree): string[] {
  return tests.flatMap((test) =>
    (from(test).get(test) ?? "").split("\n").filter((line) => {
      const [path = "", word = ""] = line.split(": ");
      return line !== "" && !(tree.get(path) ?? "").split(/\s+/).includes(word);
    }),
  );
}
