// Lets go of checkpoints that nobody will return to, and of the files of `.git` that only they had kept. No object of git is
// ever removed from the store; where there are many loose ones they are packed.
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug } from "../../core/errors.ts";
import { type CheckpointId, checkpointId, isPlainName } from "../../core/ids.ts";
import { statIfExists } from "../../host/disk.ts";
import { checkpointRef, loadCheckpoint, manifest, type NestedRecord, recordPath } from "./checkpoint.ts";
import type { Ground } from "./ground.ts";
import { packLoose } from "./pack-loose.ts";
import { listRecords } from "./quarantine.ts";

/** Fewer are not worth the looking: every list of files that is still wanted has to be read to know what is not. */
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
  // What cannot be read is no reason to believe that nobody wants it.
  if (wanted === null) return;
  const { gitFiles } = ground.vault;
  for (const folder of fs.readdirSync(gitFiles)) {
    for (const name of fs.readdirSync(join(gitFiles, folder))) {
      const path = join(gitFiles, folder, name);
      if (!wanted.has(name) && isOld(path)) fs.rmSync(path, { force: true });
    }
  }
}

/** What was kept a moment ago belongs to something that is being made. */
const isOld = (path: string): boolean =>
  (statIfExists(path)?.mtimeMs ?? Number.POSITIVE_INFINITY) < Date.now() - 60_000;

/** Names of all files that a checkpoint or an entry of the quarantine still has; null: that cannot be told. */
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
    if (error instanceof Bug || error instanceof SyntaxError) return null;
    throw error;
  }
  return wanted;
}
