// A disposable copy of a workspace: its current files, its own repository, no remote, and no way back.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ensureDir, lstatIfExists } from "../host/disk.ts";
import { makeGit } from "../workspace/git/git.ts";
import { findRepositoryRoot, openWorkspace } from "../workspace/open.ts";
import { dependencyFolders } from "./dependencies.ts";

export type Copy = {
  readonly dir: string;
  /** Paths of the files that are part of the project. */
  readonly files: readonly string[];
  /** Folders that checks need but that are not part of the project. */
  readonly borrowed: readonly string[];
};

/** Reads the workspace through the drill's own vault; neither it nor its repository is written to. */
export async function copyWorkspace(root: string, tmp: string): Promise<Copy> {
  const kind = findRepositoryRoot(root) === root ? "git" : "plain";
  const workspace = await openWorkspace({ root, vaultDir: join(tmp, "reading"), kind });
  const tree = await workspace.tree();
  const files = await workspace.list(tree);
  const scratch = await workspace.scratch("copy", tree, { bring: [] });
  const dir = join(tmp, "template");
  fs.renameSync(scratch.dir, dir);
  fs.rmSync(join(dir, ".git"), { recursive: true, force: true });
  return { dir, files, borrowed: [] };
}

/** One commit with everything in it, by a made-up author. */
export async function startRepository(copy: Copy, home: string): Promise<void> {
  ensureDir(home);
  const git = makeGit(home);
  const { dir } = copy;
  const gitDir = join(dir, ".git");
  await git(["init", "--quiet", "--initial-branch=main", dir]);
  fs.appendFileSync(join(gitDir, "config"), "[user]\n\tname = Loop Drill\n\temail = drill@loopwright.invalid\n");
  const where = { gitDir, workTree: dir };
  await git(["add", "--all", "--force"], where);
  const who = ["user.name=Loop Drill", "user.email=drill@loopwright.invalid"];
  await git(["commit", "--quiet", "--no-verify", "--allow-empty", "-m", "The project as it is"], {
    ...where,
    config: who,
  });
}

export async function commitsSince(dir: string, start: string, home: string): Promise<string[]> {
  const { stdout } = await makeGit(home)(["rev-list", `${start}..HEAD`], { gitDir: join(dir, ".git"), codes: [128] });
  return stdout.toString("utf8").split("\n").filter(Boolean);
}

export async function headOf(dir: string, home: string): Promise<string> {
  const { stdout } = await makeGit(home)(["rev-parse", "HEAD"], { gitDir: join(dir, ".git"), codes: [128] });
  return stdout.toString("utf8").trim();
}

/** Installed packages are not part of the project, but its checks need them: they are copied, and ignored. */
export function borrow(root: string, copy: Copy, more: readonly string[]): Copy {
  const known = new Set(
    copy.files.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))),
  );
  const borrowed = dependencyFolders.filter((name) => isFolder(join(root, name)) && !known.has(name));
  for (const name of borrowed) copyFolder(root, join(root, name), join(copy.dir, name));
  const copied = more.filter((name) => isFolder(join(root, name)) && !known.has(name) && !borrowed.includes(name));
  for (const name of copied)
    fs.cpSync(join(root, name), join(copy.dir, name), {
      recursive: true,
      verbatimSymlinks: true,
      mode: fs.constants.COPYFILE_FICLONE,
    });
  const all = [...borrowed, ...copied];
  // They may be ignored by rules outside the project; here they must be ignored, too.
  fs.appendFileSync(join(copy.dir, ".git", "info", "exclude"), all.map((name) => `/${name}\n`).join(""));
  return { ...copy, borrowed: all };
}

const isFolder = (path: string): boolean => lstatIfExists(path)?.isDirectory() === true;

/** Clean checkouts have no links that lead out of a workspace, so packages are copied: as clones, if the disk can. */
function copyFolder(root: string, from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) linkAgain(root, source, target);
    else if (entry.isDirectory()) {
      if (!/^\.(?:cache|vite|vitest|tmp)/.test(entry.name)) copyFolder(root, source, target);
    } else if (entry.isFile()) fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
  }
}

/** A link to a part of the project itself must lead to the copy's. */
function linkAgain(root: string, source: string, target: string): void {
  const text = fs.readlinkSync(source);
  const way = relative(root, resolve(dirname(source), text));
  const inside = !way.startsWith("..") && !isAbsolute(way);
  fs.symlinkSync(inside && !isAbsolute(text) ? text : resolve(dirname(source), text), target);
}

/** The content of every file of a copy, except the loop's own and borrowed ones. */
export function contents(dir: string, skip: readonly string[]): Map<string, string> {
  const skipped = new Set([".git", ".loop", ...skip]);
  const found = new Map<string, string>();
  const walk = (below: string): void => {
    for (const entry of fs.readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (skipped.has(path)) continue;
      if (entry.isDirectory()) walk(path);
      else found.set(path, hashOf(join(dir, path), entry.isSymbolicLink()));
    }
  };
  walk("");
  return found;
}

const hashOf = (path: string, link: boolean): string =>
  createHash("sha1")
    .update(link ? fs.readlinkSync(path) : fs.readFileSync(path))
    .digest("hex");

export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...before].filter(([path, hash]) => after.get(path) !== hash).map(([path]) => path);
  return [...changed, ...[...after.keys()].filter((path) => !before.has(path))];
}
