// Tests of a simulated world: green or red by what the files of a tree say, and by nothing else.
import type { Tree } from "./trees.ts";

/** A line of a test names a file and what must stand in it: `src/F001.js: good`. */
export const testLine = (path: string, word: string): string => `${path}: ${word}\n`;

/** What is wrong with a tree, by its own tests; nothing: it is green. */
export const redLines = (tree: Tree): string[] =>
  redIn(
    tree,
    [...tree.keys()].filter((path) => path.startsWith("test/")),
    () => tree,
  );

/** What is wrong with a tree by these tests, each taken from the tree that `from` names. */
export function redIn(tree: Tree, tests: readonly string[], from: (path: string) => Tree): string[] {
  return tests.flatMap((test) =>
    (from(test).get(test) ?? "").split("\n").filter((line) => {
      const [path = "", word = ""] = line.split(": ");
      return line !== "" && !(tree.get(path) ?? "").split(/\s+/).includes(word);
    }),
  );
}
