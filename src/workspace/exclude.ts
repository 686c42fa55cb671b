// Keeps a file of this machine out of git's sight, without a change to the project: a line in .git/info/exclude.
import { join, relative } from "node:path";
import { ensureDir, readIfExists, writeAtomic } from "../host/disk.ts";
import { commonGitFolder } from "./head-name.ts";
import { findRepositoryRoot } from "./open.ts";

/** `isExcluded` false takes the line out again. Without a repository there is nothing to do. */
export function setExcluded(root: string, file: string, isExcluded: boolean): void {
  const repository = findRepositoryRoot(root);
  if (repository === null) return;
  const info = join(commonGitFolder(repository), "info");
  const place = join(info, "exclude");
  const line = `/${relative(repository, file)}`;
  const before = readIfExists(place) ?? "";
  const others = before.split("\n").filter((each) => each !== line);
  const text = isExcluded
    ? `${others.join("\n").replace(/\n*$/, others.join("") === "" ? "" : "\n")}${line}\n`
    : others.join("\n");
  if (text === before || (isExcluded && before.split("\n").includes(line))) return;
  ensureDir(info);
  writeAtomic(place, text);
}
