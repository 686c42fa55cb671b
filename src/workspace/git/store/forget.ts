// Removes checkpoints that are no longer needed, and the `.git` files that only they used. Git objects are never
// removed from the store; many loose ones are packed.
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug, UserError } from "../../../core/errors.ts";
import { type CheckpointId, checkpointId, isPlainName } from "../../../core/ids.ts";
import { statIfExists } from "../../../host/disk.ts";
import { checkpointRef, loadCheckpoint, manifest, type NestedRecord, recordPath } from "../checkpoint.ts";
import { listRecords } from "../files/quarantine.ts";
import type { Ground } from "../ground.ts";
import { packLoose } from "./pack-loose.ts";

/** Fewer are not worth it: finding unused files requires reading every list that is still in use. */
const overMin = 20;

export async function forget(ground: Ground, isOver: (id: CheckpointId) => boolean): Promise<void> {
  const over = checkpoints(ground).filter(isOver);
  if (over.length < overMin) return;
  for (const id of over) {
    fs.rmSync(recordPath(ground, id), { force: true });
    fs.rmSync(join(ground.vault.store, checkpointRef(id)), { force: true });
  }
  removeUnwanted(ground);
  await packLoose(ground);
}

const checkpoints = (ground: Ground): CheckpointId[] =>
  fs
    .readdirSync(ground.vault.checkpoints)
    .filter((name) => name.endsWith(".json") && isPlainName(name))
    .map((name) => checkpointId(name.slice(0, -".json".length)));

function removeUnwanted(ground: Ground): void {
  const wanted = wantedFiles(ground);
  // An unreadable list does not mean that its files are unused.
  if (wanted === null) return;
  const { gitFiles } = ground.vault;
  for (const folder of fs.readdirSync(gitFiles)) {
    for (const name of fs.readdirSync(join(gitFiles, folder))) {
      const path = join(gitFiles, folder, name);
      if (!wanted.has(name) && isOld(path)) fs.rmSync(path, { force: true });
    }
  }
}

/** Recently kept files belong to an operation in progress. */
const isOld = (path: string): boolean =>
  (statIfExists(path)?.mtimeMs ?? Number.POSITIVE_INFINITY) < Date.now() - 60_000;

/** Names of all files that a checkpoint or quarantine entry still uses; null: unknown. */
function wantedFiles(ground: Ground): Set<string> | null {
  const wanted = new Set<string>();
  const want = ({ git, nested }: { git: string | null; nested: readonly NestedRecord[] }) => {
    for (const list of [git, ...nested.map((folder) => folder.git)]) {
      if (list === null || wanted.has(list)) continue;
      wanted.add(list);
      for (const file of Object.values(manifest(ground, list).files)) if ("hash" in file) wanted.add(file.hash);
    }
  };
  try {
    for (const id of checkpoints(ground)) want(loadCheckpoint(ground, id) ?? { git: null, nested: [] });
    for (const record of listRecords(ground)) want(record);
  } catch (error) {
    if (error instanceof Bug || (error instanceof UserError && error.code === "file-unreadable")) return null;
    throw error;
  }
  return wanted;
}
