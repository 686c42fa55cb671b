// Creates one of the repositories in an empty folder, with packages installed: npx jiti tests/wild/make.ts NAME FOLDER
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { wildNames, wilds } from "./repositories/index.ts";
import { git, mustRun, writeFiles } from "./shell.ts";
import { applyEdits, type Change, type Edits, type Expected, type Wild, type WildName } from "./wild.ts";

export type MadeWild = {
  readonly name: WildName;
  readonly dir: string;
  readonly check: string;
  readonly before?: string;
  readonly after?: string;
  readonly expect: Expected;
  /** For `git apply` on the base. The same changes are commits on top of it: refs/wild/feature and refs/wild/broken. */
  readonly patches: { readonly feature: string; readonly broken: string };
};

export function makeWild(name: WildName, folder: string): MadeWild {
  const wild = wilds[name];
  const dir = emptyFolder(folder);
  git(dir, ["init", "--quiet", "--initial-branch=main"]);
  writeFiles(dir, { ...wild.files, ...wild.ignored });
  for (const line of [...wild.install, ...(wild.prepare ?? [])]) mustRun(line, dir);
  git(dir, ["add", "--all"]);
  git(dir, ["commit", "--quiet", "--message", "Start"]);
  const { run, ...around } = wild.check;
  const expect = typeof wild.expect === "function" ? wild.expect() : wild.expect;
  const patches = { feature: commitChange(dir, wild, "feature"), broken: commitChange(dir, wild, "broken") };
  return { name, dir, check: run, ...around, expect, patches };
}

function emptyFolder(folder: string): string {
  fs.mkdirSync(folder, { recursive: true });
  if (fs.readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  return fs.realpathSync(folder);
}

/** In a temporary index, so that the folder and the branches do not show it. */
function commitChange(dir: string, wild: Wild, name: "feature" | "broken"): string {
  const index = join(dir, ".git", `index-${name}`);
  git(dir, ["read-tree", "HEAD"], { index });
  const after = applyEdits(wild.files, editsOf(wild[name]));
  for (const path of Object.keys(editsOf(wild[name]))) {
    const blob = git(dir, ["hash-object", "-w", "--stdin"], { input: after[path] ?? "" }).trim();
    git(dir, ["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`], { index });
  }
  const tree = git(dir, ["write-tree"], { index }).trim();
  fs.rmSync(index);
  const commit = git(dir, ["commit-tree", tree, "-p", "HEAD", "-m", name]).trim();
  git(dir, ["update-ref", `refs/wild/${name}`, commit]);
  return git(dir, ["diff", "--binary", "HEAD", commit]);
}

export const editsOf = (change: Change): Edits => ({ ...change.product, ...change.tests });

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [name, folder] = process.argv.slice(2);
  const known = wildNames.find((one) => one === name);
  if (known === undefined || folder === undefined) throw new Error(`usage: make.ts ${wildNames.join("|")} FOLDER`);
  process.stdout.write(`${JSON.stringify(makeWild(known, folder), null, 2)}\n`);
}
