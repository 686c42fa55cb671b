// What shell, Ruby and PHP files load or run, and which programs any file names in a string.
import { folderOf, joined } from "../paths.ts";
import type { Tree } from "../tree.ts";

/** A path in a command line. A variable or substitution before it has an unknown value, so several places are tried. */
const shellPath = /(?:[\w.+-]+\/)*[\w.+-]+/g;

export function shellImports(path: string, text: string, tree: Tree): readonly string[] {
  const code = text.replace(/^[ \t]*#[^\n]*/gm, "");
  const found = Array.from(code.matchAll(shellPath), ([word]) => word);
  return [...new Set(found)].flatMap((word) => placed(path, word, tree));
}

/** From the file's folder, from each folder above, and from the top: scripts are started from anywhere. */
function placed(path: string, word: string, tree: Tree): readonly string[] {
  const plain = word.replace(/^(?:\.{1,2}\/)+/, "");
  for (let at = folderOf(path); ; at = folderOf(at)) {
    const file = joined(at, plain);
    if (file !== null && file !== path && tree.has(file)) return [file];
    if (at === "") return [];
  }
}

export function rubyImports(path: string, text: string, tree: Tree): readonly string[] {
  const found = text.matchAll(/\b(require_relative|require|load)[ \t(]+["']([^"'\n#]{1,300})["']/g);
  return Array.from(found).flatMap(([, how, name = ""]) => {
    const folders = how === "require_relative" ? [folderOf(path)] : ["lib", "", "app", "spec", "test"];
    const files = folders.flatMap((folder) => [joined(folder, `${name}.rb`), joined(folder, name)]);
    return files.flatMap((file) => (file !== null && tree.has(file) ? [file] : []));
  });
}

export function phpImports(path: string, text: string, tree: Tree): readonly string[] {
  const found = text.matchAll(/\b(?:require|include)(?:_once)?\b[^;\n"']{0,80}["']\/?([^"'\n]{1,300})["']/g);
  return Array.from(found).flatMap(([, name = ""]) => {
    const files = [joined(folderOf(path), name), joined("", name)];
    return files.flatMap((file) => (file !== null && tree.has(file) ? [file] : []));
  });
}

/**
 * Files that a text names in quotes: `execFile("node", ["bin/tool.js"])`, `subprocess.run(["python", "cli.py"])`,
 * `join(here, "..", "cli.js")`. In a shell script, every path counts.
 */
export function mentionsIn(path: string, text: string, isShell: boolean, tree: Tree): readonly string[] {
  if (isShell) return shellImports(path, text, tree);
  const quoted = Array.from(text.matchAll(/["'`]([\w.+/-]{1,200})["'`]/g), (match) => match[1] ?? "");
  const commands = Array.from(text.matchAll(/["'`]([^"'`\n]{1,300})["'`]/g), (match) => match[1] ?? "");
  const words = [...quoted, ...commands.flatMap((command) => (/\s/.test(command) ? command.split(/\s+/) : []))];
  const paths = words.filter((word) => /^[\w.+/-]+$/.test(word) && !/^\.*$/.test(word));
  return [...new Set(paths)].flatMap((word) => placed(path, word, tree));
}
