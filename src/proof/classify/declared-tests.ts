// Tests under unusual names that the settings name: `mocha "src/**/*.check.js"`, `python_files = check_*.py`.

import { objectAt, objectIn, stringsIn } from "./json.ts";
import { cacheReason } from "./names/caches.ts";
import { usualRoot } from "./names/folders.ts";
import type { DeclaredTests } from "./names/index.ts";
import { isTestFolder, testName } from "./names/tests.ts";
import { foldersOf, nameOf } from "./paths.ts";
import type { Tree } from "./tree.ts";

/** Globs match by the file's name, or by a folder that they name and that is not a usual product folder. */
export function declaredTests(base: Tree): DeclaredTests {
  const globs = [...new Set(base.paths.flatMap((path) => globsIn(path, base)))];
  const names = globs.flatMap((glob) => namePattern(glob) ?? []);
  // A folder where names tell tests from code does not hold only tests: `testpaths = mypackage`.
  const mixed = new Set(base.paths.filter((path) => testName(nameOf(path)) !== null).flatMap(foldersAbove));
  const folders = new Set(globs.flatMap((glob) => folderNamed(glob) ?? []).filter((folder) => !mixed.has(folder)));
  return (path) =>
    names.some((pattern) => pattern.test(nameOf(path))) || foldersAbove(path).some((folder) => folders.has(folder));
}

const foldersAbove = (path: string): readonly string[] =>
  foldersOf(path).map((_, at, all) => all.slice(0, at + 1).join("/"));

function globsIn(path: string, base: Tree): readonly string[] {
  const name = nameOf(path);
  if (
    !/^(?:package\.json|\.mocharc[\w.]*|(?:vitest|jest|ava|vite|web-test-runner|wdio|karma)[\w.-]*\.config\.\w+|jest\.json|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml)$/.test(
      name,
    )
  )
    return [];
  const text = cacheReason(path, base) === null ? base.text(path) : null;
  if (text === null) return [];
  if (name === "package.json") return inPackageJson(text);
  if (/\.(?:ini|cfg|toml)$/.test(name)) return inPytest(text);
  const lists = text.matchAll(
    /\b(?:testMatch|include|spec|files|specs)["']?\s{0,20}[:=]\s{0,20}(\[[^\]]{0,2000}\]|["'][^"'\n]{1,200}["'])/g,
  );
  return Array.from(lists).flatMap((match) => quoted(match[1] ?? ""));
}

function inPackageJson(text: string): readonly string[] {
  const manifest = objectIn(text);
  const scripts = Object.entries(objectAt(manifest, "scripts")).filter(([name]) => /test|spec|check/i.test(name));
  const words = scripts.flatMap(([, script]) => stringsIn(script).flatMap((line) => commandWords(line)));
  const listed = ["jest", "mocha", "ava", "vitest"].flatMap((tool) => {
    const settings = objectAt(manifest, tool);
    return ["testMatch", "spec", "files", "include"].flatMap((key) => stringsIn(settings[key]));
  });
  return [...words, ...listed];
}

/** Words of a command line that have a wildcard, except those that say what to leave out. */
function commandWords(line: string): readonly string[] {
  const words = line.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return words.filter(
    (word, at) => word.includes("*") && !/^-/.test(word) && !/^--?(?:exclude|ignore|x|i)/.test(words[at - 1] ?? ""),
  );
}

function inPytest(text: string): readonly string[] {
  const files = Array.from(text.matchAll(/^[ \t]*python_files[ \t]*=[ \t]*([^\n]{1,300})/gm), (match) =>
    words(match[1] ?? ""),
  );
  const paths = Array.from(text.matchAll(/^[ \t]*testpaths[ \t]*=[ \t]*(\[[^\]]{0,500}\]|[^\n]{1,300})/gm), (match) =>
    words(match[1] ?? ""),
  );
  return [...files.flat(), ...paths.flat().map((folder) => `${folder.replace(/\/$/, "")}/**`)];
}

const words = (list: string): readonly string[] => list.split(/[\s,"'[\]]+/).filter((word) => word !== "");
const quoted = (list: string): readonly string[] =>
  Array.from(list.matchAll(/["']([^"'\n]{1,200})["']/g), (match) => match[1] ?? "").filter(
    (glob) => !glob.startsWith("!"),
  );

/** Null: the glob's last part is as wide as its extension, or does not name tests (`*.d.ts`). */
function namePattern(glob: string): RegExp | null {
  const name = nameOf(glob);
  const plain = name.replace(/\.[\w{},()|?+@[\]*]*$/, "");
  if (!name.includes("*") || !/[\w]/.test(plain) || /^\*+\.(?:d|config|min|stories)$/.test(plain)) return null;
  const source = name
    .split("*")
    .map((part) => part.replace(/\{([^{}]*)\}/g, (_, list: string) => `\u0001${list}\u0002`));
  const escaped = source.map((part) => part.replace(/[.+^${}()|[\]\\?@!]/g, "\\$&"));
  const ready = escaped.map((part) =>
    part.replace(/\u0001([^\u0002]*)\u0002/g, (_, list: string) => `(?:${list.replaceAll(",", "|")})`),
  );
  return new RegExp(`^${ready.join("[^/]*")}$`);
}

function folderNamed(glob: string): string | null {
  const plain = glob.replace(/^(?:<rootDir>\/|\.\/)/, "");
  const folder = /^((?:[\w.-]+\/)+)\*/.exec(plain)?.[1]?.slice(0, -1) ?? null;
  const first = folder?.split("/")[0] ?? "";
  // Tests next to the code: the folder belongs to the product, and the names decide.
  if (folder === null || usualRoot(first) !== null || /^(?:packages|crates|modules|services|plugins)$/.test(first))
    return null;
  return folder.split("/").some(isTestFolder) || namePattern(glob) === null ? folder : null;
}
