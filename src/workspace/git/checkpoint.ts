// A state of the workspace that the loop can return to: the folder's files and all of `.git`.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Bug } from "../../core/errors.ts";
import type { CheckpointId, TreeId } from "../../core/ids.ts";
import { checkpointFile, gitFilesFile } from "../../formats/kept/vault-files.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import type { Checkpoint } from "../workspace.ts";
import { type NestedFolder, nestedVault } from "./files/snapshot.ts";
import { type CommitForm, commitForm, noteLinks } from "./files/tree.ts";
import type { Ground } from "./ground.ts";
import { captureGitFiles, type GitFiles, keepBytes, keptBytes } from "./repository/git-files.ts";
import { headOf } from "./repository/refs.ts";
import { locate, ownPrefix, type Repo } from "./repository/repo.ts";
import { copyRepository, type ForgedObjects } from "./store/keep-objects.ts";
import { newObject, writeObjects } from "./store/object-files.ts";
import { treeBytes, treeMode } from "./store/raw-tree.ts";
import { treeOf } from "./store/stored-trees.ts";

/** What the vault stores about a checkpoint, beyond what the loop sees. */
export type CheckpointRecord = {
  version: 1;
  checkpoint: Checkpoint;
  at: number;
  /** The files byte for byte; `checkpoint.tree` is the tree that a commit of them would have. */
  raw: TreeId;
  nested: readonly NestedRecord[];
  repo: Repo | null;
  own: string;
  /** Hash of the list of files of `.git`; null for a plain folder. */
  git: string | null;
};
export type NestedRecord = NestedFolder & { git: string | null; gitFile: string | null };

export async function makeCheckpoint(
  ground: Ground,
  id: CheckpointId,
  plainHead: () => Promise<Checkpoint["head"]>,
): Promise<Checkpoint> {
  const made = loadCheckpoint(ground, id);
  ground.memory.since = made?.at ?? null;
  if (made !== null) return made.checkpoint;
  const repo = ground.hasGit ? locate(ground.root) : null;
  if (ground.hasGit && repo === null) throw new Bug("a checkpoint was asked for while .git is gone");
  const git = repo === null ? null : (await keepRepository(ground, repo.commonDir, ground.vault.copy, true)).files;
  const form = await commitForm(ground);
  await noteLinks(ground, form.nested);
  const own = repo === null ? "" : ownPrefix(repo);
  const head = git === null ? { branch: null, commit: await plainHead() } : headOf(ground.vault, git, own);
  const headTree = head.commit === null ? {} : { headTree: await treeOf(ground, head.commit) };
  const checkpoint: Checkpoint = { id, tree: form.commitTree, head: head.commit, branch: head.branch, ...headTree };
  const nested = await keepNested(ground, form.nested);
  const record: CheckpointRecord = {
    version: 1,
    checkpoint,
    at: Date.now(),
    raw: form.tree,
    nested,
    repo,
    own,
    git: git && keepManifest(ground, git),
  };
  await keepTrees(ground, checkpointRef(id), treesOf(form));
  ensureDir(ground.vault.checkpoints);
  writeAtomic(recordPath(ground, id), `${JSON.stringify(record)}\n`);
  ground.memory.since = record.at;
  return checkpoint;
}

const treesOf = (form: CommitForm): TreeId[] => [
  form.tree,
  form.commitTree,
  ...form.nested.flatMap(({ tree }) => tree ?? []),
];
export const recordPath = (ground: Ground, id: CheckpointId): string => join(ground.vault.checkpoints, `${id}.json`);
export const checkpointRef = (id: CheckpointId): string => `refs/checkpoints/${id}`;

export function loadCheckpoint(ground: Ground, id: CheckpointId): CheckpointRecord | null {
  const text = readIfExists(recordPath(ground, id));
  return text === null ? null : checkpointFile.mustParse<CheckpointRecord>(text, recordPath(ground, id));
}

export function mustLoad(ground: Ground, { id }: Checkpoint): CheckpointRecord {
  const record = loadCheckpoint(ground, id);
  if (record === null) throw new Bug(`the vault has no checkpoint ${id}`);
  ground.memory.since = record.at;
  return record;
}

export type Kept = { files: GitFiles; forged: readonly ForgedObjects[] };

/** Copies a repository into the vault: small files by content, objects by name. `trusted`: no agent wrote to it. */
export async function keepRepository(ground: Ground, gitDir: string, copy: string, trusted: boolean): Promise<Kept> {
  const files = captureGitFiles(ground.vault, gitDir);
  const forged = await copyRepository(ground, gitDir, copy, files.bulk, trusted);
  const shallow = join(gitDir, "shallow");
  // The store reads the same commits, so it must know where a shallow history ends.
  if (trusted && copy === ground.vault.copy) {
    if (fs.existsSync(shallow)) fs.copyFileSync(shallow, join(ground.vault.store, "shallow"));
    else fs.rmSync(join(ground.vault.store, "shallow"), { force: true });
  }
  return { files, forged };
}

/** Copies nested repositories too, if they have their own git folder. */
export async function keepNested(ground: Ground, nested: readonly NestedFolder[]): Promise<NestedRecord[]> {
  const records: NestedRecord[] = [];
  for (const folder of nested) {
    const repo = locate(join(ground.root, folder.path));
    const kept =
      repo?.gitFile === null
        ? await keepRepository(ground, repo.gitDir, join(nestedVault(ground, folder.path), "copy"), false)
        : null;
    records.push({ ...folder, git: kept && keepManifest(ground, kept.files), gitFile: repo?.gitFile ?? null });
  }
  return records;
}

export const keepManifest = (ground: Ground, files: GitFiles): string =>
  keepBytes(ground.vault, Buffer.from(JSON.stringify(files)));
export const manifest = (ground: Ground, hash: string): GitFiles =>
  gitFilesFile.mustParse<GitFiles>(keptBytes(ground.vault, hash).toString("utf8"), `the list ${hash} in the vault`);

/** Keeps trees permanently, under a ref. No other git runs in the store, so the ref is written directly. */
export async function keepTrees(ground: Ground, ref: string, trees: readonly TreeId[]): Promise<void> {
  const entries = [...new Set(trees)].map((id, at) => ({ mode: treeMode, name: String(at), id }));
  const all = newObject(ground, "tree", treeBytes(entries));
  await writeObjects(ground, [all]);
  const path = join(ground.vault.store, ref);
  ensureDir(dirname(path));
  writeAtomic(path, `${all.id}\n`, { durable: false }); // It only marks the trees as used; nothing reads it.
}
