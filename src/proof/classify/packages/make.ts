// Files that a Makefile or CMakeLists.txt builds or runs, other than for tests.
import picomatch from "picomatch";
import { folderOf, isBelow, joined, nameOf, seenFrom } from "../paths.ts";
import { filesNamed, type Tree } from "../tree.ts";

const forTests = /test|check|spec|lint|verify|bench|coverage|clean|format|fmt|\bci\b/i;

/** Files of a package's folder that its makefile names in rules and variables that are not about tests. */
export function builtByMake(folder: string, tree: Tree): readonly string[] {
  const files = filesNamed(tree, folder, /^(?:GNUm|m|M)akefile$|^CMakeLists\.txt$/);
  const words = files.flatMap((path) => {
    const text = tree.text(path) ?? "";
    return nameOf(path) === "CMakeLists.txt" ? cmakeWords(text) : makeWords(text);
  });
  return [...new Set(words.flatMap((word) => filesMeant(word, folder, tree)))];
}

function makeWords(text: string): readonly string[] {
  let isTest = false;
  return text
    .replace(/\\\r?\n/g, " ")
    .split("\n")
    .flatMap((line) => {
      const head = /^([^\s:=#][^:=#]*?)[ \t]*(?:[:?+]?=|::?)/.exec(line)?.[1];
      if (head !== undefined) isTest = forTests.test(head);
      return isTest ? [] : line.replace(/#.*$/, "").split(/[\s:=()]+/);
    });
}

function cmakeWords(text: string): readonly string[] {
  const made = text.matchAll(/\badd_(?:library|executable)\s*\(\s*([\w.-]+)([^)]{0,4000})\)/gi);
  return Array.from(made).flatMap(([, name = "", files = ""]) => (forTests.test(name) ? [] : files.split(/\s+/)));
}

/** `main.o` is made of main.c; `%.c` and `*.c` mean every such file directly in the folder. */
function filesMeant(word: string, folder: string, tree: Tree): readonly string[] {
  const plain = word.replace(/^["'./@-]+|["',;]+$/g, "").replace(/^\$\{?\w+\}?\//, "");
  if (plain === "" || !/^[\w./%*+-]+$/.test(plain)) return [];
  if (/[%*]/.test(plain)) {
    if (!/\.\w+$/.test(plain) || /\.(?:o|a|so|d|h)$/.test(plain)) return [];
    const matches = picomatch(plain.replaceAll("%", "*"), { dot: true });
    const at = joined(folder, folderOf(plain)) ?? folder;
    return tree.filesIn(at).filter((path) => isBelow(folder, path) && matches(seenFrom(folder, path)));
  }
  const stem = /^(.+)\.o$/.exec(plain)?.[1];
  const names = stem === undefined ? [plain] : [".c", ".cc", ".cpp", ".cxx", ".s"].map((extension) => stem + extension);
  return names.flatMap((name) => joined(folder, name) ?? []).filter((path) => tree.has(path));
}
