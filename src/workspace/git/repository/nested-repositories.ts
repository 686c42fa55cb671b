// The `.git` of repositories inside the workspace, after a session: a person's is what it was, and an agent's is gone.
import { join } from "node:path";
import { lstatIfExists } from "../../../host/disk.ts";
import type { Misdeed } from "../../workspace.ts";
import { type CheckpointRecord, manifest, type NestedRecord } from "../checkpoint.ts";
import { moveAside } from "../files/move-aside.ts";
import { asideFolder, newQuarantineId, setAside } from "../files/quarantine.ts";
import { isRealFolder } from "../files/real-folder.ts";
import { type NestedFolder, nestedVault } from "../files/snapshot.ts";
import type { Ground } from "../ground.ts";
import { examineFiles } from "./examine-files.ts";
import { captureGitFiles, putBackGitFile, textOf } from "./git-files.ts";
import { canOpen, isHead, readFileOnly, rebuildNested } from "./rebuild.ts";

/**
 * Puts back what leads git elsewhere or makes it run a program. An index, and commits that an agent made there, stay: the
 * outer repository records which commit it has. A repository whose folder is gone was removed.
 */
export async function putBackRepositories(ground: Ground, record: CheckpointRecord, why: string): Promise<Misdeed[]> {
  const misdeeds: Misdeed[] = [];
  for (const nested of record.nested.filter(({ path }) => isRealFolder(ground.root, path)))
    misdeeds.push(
      ...(isReplaced(ground, nested) ? await putBack(ground, nested, why) : await mend(ground, nested, why)),
    );
  return misdeeds;
}

function isReplaced(ground: Ground, { path, git, gitFile }: NestedRecord): boolean {
  const root = join(ground.root, path);
  const dotGit = join(root, ".git");
  // Whether the folder that a file names is whole is a matter of the repository that it lies in.
  if (gitFile !== null) return readFileOnly(dotGit) !== gitFile;
  if (git === null) return false;
  if (lstatIfExists(dotGit)?.isDirectory() !== true) return true;
  const wasWhole = isHead(textOf(ground.vault, manifest(ground, git).files["HEAD"]));
  return wasWhole && !canOpen(root, { gitDir: dotGit, commonDir: dotGit, gitFile });
}

async function putBack(ground: Ground, { path, git, gitFile }: NestedRecord, why: string): Promise<Misdeed[]> {
  const before = git === null ? null : manifest(ground, git);
  const id = await moveToQuarantine(ground, [`${path}/.git`], why);
  const copy = join(nestedVault(ground, path), "copy");
  rebuildNested(ground, join(ground.root, path), gitFile, before, copy, asideFolder(ground, id));
  return [{ kind: "git-destroyed", what: `${path}/.git was replaced or removed; it was put back` }];
}

/** The same for single files of it. */
async function mend(ground: Ground, { path, git }: NestedRecord, why: string): Promise<Misdeed[]> {
  if (git === null) return [];
  const before = manifest(ground, git);
  const dotGit = join(ground.root, path, ".git");
  const differ = examineFiles(before, captureGitFiles(ground.vault, dotGit), "", false);
  const changed = differ.flatMap(({ path: file, misdeed }) =>
    misdeed?.kind === "config-changed" || misdeed?.kind === "hook-changed" ? [{ file, misdeed }] : [],
  );
  if (changed.length === 0) return [];
  await moveToQuarantine(
    ground,
    changed.map(({ file }) => `${path}/.git/${file}`),
    why,
  );
  for (const { file } of changed) putBackGitFile(ground.vault, dotGit, file, before.files[file]);
  return changed.map(({ misdeed }) => ({ ...misdeed, what: `${path}/${misdeed.what}` }));
}

/** Without its `.git`, a repository that an agent made is a plain folder. */
export async function dissolveRepositories(
  ground: Ground,
  made: readonly NestedFolder[],
  why: string,
): Promise<Misdeed[]> {
  if (made.length === 0) return [];
  await moveToQuarantine(
    ground,
    made.map(({ path }) => `${path}/.git`),
    why,
  );
  return made.map(({ path }) => ({
    kind: "ref-changed",
    what: `a repository was made inside the workspace, in ${path}; its files count as plain files`,
  }));
}

/** The record comes first: what a crash left in its place is found again. */
async function moveToQuarantine(ground: Ground, paths: readonly string[], why: string): Promise<string> {
  const id = newQuarantineId();
  const moved = paths.map((path, at) => ({ path, at: `nested-${at}` }));
  await setAside(ground, { why, paths, moved }, id);
  for (const { path, at } of moved) moveAside(join(ground.root, path), join(asideFolder(ground, id), at));
  return id;
}
