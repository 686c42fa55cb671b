// Restores a checkpoint's repository state, except for changes that others may make.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Folded, Misdeed } from "../../workspace.ts";
import { type CheckpointRecord, type Kept, keepManifest, keepRepository, manifest } from "../checkpoint.ts";
import { asideFolder, newQuarantineId, setAside } from "../files/quarantine.ts";
import { fields } from "../git.ts";
import { type Ground, inStore, temporary } from "../ground.ts";
import { fillObjects, missingObjects } from "../store/objects.ts";
import { examineFiles } from "./examine-files.ts";
import { examineRefs } from "./examine-refs.ts";
import { type GitFiles, keptBytes, putBackGitFile } from "./git-files.ts";
import { isOthersFile, isOwnLock, isShared } from "./others.ts";
import { putBackRefs } from "./put-back-ref.ts";
import { canOpen, rebuild } from "./rebuild.ts";
import { refsOf, tipsOf } from "./refs.ts";
import type { Repo } from "./repo.ts";

export type RepairOptions = {
  why: string;
  /** A restore: also resets a branch that someone else moved, and restores reflogs. */
  exact: boolean;
  /** The branch was moved by someone else: it stays, with HEAD and the index; everything else is restored. */
  keepBranch?: boolean;
};

export async function repair(
  ground: Ground,
  record: CheckpointRecord,
  repo: Repo,
  before: GitFiles,
  options: RepairOptions,
): Promise<Folded> {
  const id = newQuarantineId();
  const misdeeds: Misdeed[] = [];
  const wasGone = !canOpen(ground.root, repo);
  if (wasGone) {
    rebuild(ground, repo, before, ground.vault.copy, ground.root, asideFolder(ground, id));
    misdeeds.push({ kind: "git-destroyed", what: ".git was removed or could not be opened; it was rebuilt" });
  }
  const kept = await keepRepository(ground, repo.commonDir, ground.vault.copy, false);
  const refs = await examineRefs(ground, before, kept.files, record.own);
  const keepBranch = options.keepBranch === true;
  if (refs.movedBy !== null && !options.exact && !keepBranch)
    return { commits: [], misdeeds, movedBy: refs.movedBy, quarantine: null };
  if (await fillMissing(ground, record, repo, before, kept))
    misdeeds.push({ kind: "git-destroyed", what: "objects in .git were removed or damaged; they were put back" });
  const own = (path: string): boolean => keepBranch && [`${record.own}HEAD`, `${record.own}index`].includes(path);
  const shared = isShared(before, kept.files, record.own);
  const changed = examineFiles(before, kept.files, record.own, options.exact).filter(
    ({ path }) => !own(path) && !(shared && isOthersFile(ground, path, before, kept.files, record.own)),
  );
  const branch = record.checkpoint.branch === null ? null : `refs/heads/${record.checkpoint.branch}`;
  const putBack = keepBranch ? refs.putBack.filter(({ name }) => name !== branch) : refs.putBack;
  const isLeft = shared ? isOwnLock : isOurs;
  const locks = kept.files.locks.filter((lock) => isLeft(lock, record.own) && !before.locks.includes(lock));
  misdeeds.push(...changed.flatMap(({ misdeed }) => misdeed ?? []), ...refs.misdeeds);
  const touched = changed.length + putBack.length + misdeeds.length;
  if (touched > 0)
    await setAside(
      ground,
      { why: options.why, git: keepManifest(ground, kept.files), commits: await existing(ground, refs.tips) },
      id,
    );
  for (const lock of locks) fs.rmSync(join(repo.commonDir, lock), { force: true });
  for (const { path } of changed) putBackGitFile(ground.vault, repo.commonDir, path, before.files[path]);
  putBackRefs(repo.commonDir, putBack);
  const logs = putBack.map(({ name }) => `logs/${name}`);
  // Removals first here too: the log of `a/b` is in the way of that of `a`.
  const isNew = (path: string) => before.files[path] === undefined;
  for (const path of [...logs.filter(isNew), ...logs.filter((log) => !isNew(log))])
    putBackGitFile(ground.vault, repo.commonDir, path, before.files[path]);
  return {
    commits: refs.commits,
    misdeeds: unique(misdeeds),
    movedBy: keepBranch ? refs.movedBy : null,
    quarantine: touched > 0 ? id : null,
  };
}

// In another worktree, made meanwhile, someone may be working right now.
const isOurs = (lock: string): boolean => !lock.startsWith("worktrees/");

/** An agent can write any id into a ref; only existing objects can be kept. */
async function existing(ground: Ground, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join("");
  const { stdout } = await ground.git(["cat-file", "--batch-check"], { ...inStore(ground), input });
  return stdout
    .toString("utf8")
    .split("\n")
    .flatMap((text) => /^([0-9a-f]+) \w+ \d+$/.exec(text)?.[1] ?? []);
}

/** True when something that the checkpoint needs was missing. A repack only moves objects, and is left alone. */
async function fillMissing(
  ground: Ground,
  record: CheckpointRecord,
  repo: Repo,
  before: GitFiles,
  kept: Kept,
): Promise<boolean> {
  let damaged = false;
  for (const { folder, names } of kept.forged) {
    for (const name of names) fs.rmSync(join(repo.commonDir, folder, name), { force: true });
    const ours = names.filter((name) => fs.existsSync(join(ground.vault.copy, folder, name)));
    fillObjects(join(ground.vault.copy, folder), join(repo.commonDir, folder), ours);
    damaged = true;
  }
  for (const folder of before.bulk) {
    const [from, to] = [join(ground.vault.copy, folder), join(repo.commonDir, folder)];
    const missing = missingObjects(from, to);
    if (missing.length === 0 || (folder === "objects" && (await isWhole(ground, record, to, before)))) continue;
    fillObjects(from, to, missing);
    damaged = true;
  }
  return damaged;
}

/** Whether an object folder alone has everything that the checkpoint's refs and index need. */
async function isWhole(ground: Ground, record: CheckpointRecord, objects: string, before: GitFiles): Promise<boolean> {
  const staged = await stagedBlobs(ground, before.files[`${record.own}index`]);
  const tips = [
    ...tipsOf(refsOf(ground.vault, before)),
    ...(record.checkpoint.head === null ? [] : [record.checkpoint.head]),
  ];
  const input = [...tips, ...staged].map((id) => `${id}\n`).join("");
  if (input === "") return true;
  const { code } = await ground.git(["rev-list", "--objects", "--quiet", "--stdin"], {
    ...inStore(ground),
    objects,
    input,
    codes: [1, 128],
  });
  return code === 0;
}

async function stagedBlobs(ground: Ground, file: GitFiles["files"][string] | undefined): Promise<string[]> {
  if (file === undefined || "link" in file) return [];
  const index = temporary(ground, "index");
  fs.writeFileSync(index, keptBytes(ground.vault, file.hash));
  const listed = await ground.git(["ls-files", "--stage", "-z"], { ...inStore(ground), index });
  fs.rmSync(index);
  return fields(listed)
    .filter((text) => !text.startsWith("160000"))
    .flatMap((text) => text.split(" ")[1] ?? []);
}

const unique = (misdeeds: readonly Misdeed[]): Misdeed[] => [
  ...new Map(misdeeds.map((misdeed) => [misdeed.kind + misdeed.what, misdeed])).values(),
];

export const beforeOf = (ground: Ground, record: CheckpointRecord): GitFiles | null =>
  record.git === null ? null : manifest(ground, record.git);
