// What HEAD of a folder names, read without running git.
import { isAbsolute, join } from "node:path";
import { readIfExists, statIfExists } from "../host/disk.ts";

/** `isDefault`: the branch that others take for the current state of the project. */
export type HeadName = { readonly branch: string; readonly isDefault: boolean } | { readonly commit: string };

/** Null: there is no repository, or it cannot be read. */
export function headName(root: string): HeadName | null {
  const text = readIfExists(join(gitFolder(root), "HEAD"))?.trim() ?? "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  if (branch !== undefined) return { branch, isDefault: branch === defaultBranch(root, branch) };
  return /^[0-9a-f]{40,64}$/.test(text) ? { commit: text } : null;
}

/** Changes when HEAD moves to another branch or commit, however the refs are stored. */
export function headStamp(root: string): string {
  const head = readIfExists(join(gitFolder(root), "HEAD")) ?? "";
  const common = commonGitFolder(root);
  const ref = /^ref: (.+)$/m.exec(head)?.[1];
  const packed = [join(common, "packed-refs"), join(gitFolder(root), "reftable", "tables.list")].map((path) => {
    const stat = statIfExists(path);
    return stat === undefined ? "" : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
  });
  return [head, ref === undefined ? "" : readIfExists(join(common, ref)), ...packed].join("\n");
}

/** As the clone knows it; without a remote, the usual names count. */
function defaultBranch(root: string, branch: string): string {
  const text = readIfExists(join(commonGitFolder(root), "refs", "remotes", "origin", "HEAD")) ?? "";
  const named = /^ref: refs\/remotes\/origin\/(.+)$/m.exec(text)?.[1];
  return named ?? (["main", "master", "trunk"].includes(branch) ? branch : "main");
}

/** What all worktrees of a repository share. */
export function commonGitFolder(root: string): string {
  const folder = gitFolder(root);
  const common = readIfExists(join(folder, "commondir"))?.trim();
  return common === undefined ? folder : isAbsolute(common) ? common : join(folder, common);
}

/** In a linked worktree, `.git` is a file that says where the folder is. */
function gitFolder(root: string): string {
  const path = join(root, ".git");
  if (statIfExists(path)?.isFile() !== true) return path;
  const named = /^gitdir: (.+)$/m.exec(readIfExists(path) ?? "")?.[1]?.trim() ?? path;
  return isAbsolute(named) ? named : join(root, named);
}
