// Updates the vault's copy of a repository's objects, trusting none that an agent could have forged.
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../../../host/disk.ts";
import { GitFailed } from "../git.ts";
import { type Ground, inStore } from "../ground.ts";
import { copyObjects } from "./objects.ts";

const repacksMax = 20;

/** Files of an object folder whose content does not match their names. */
export type ForgedObjects = { folder: string; names: readonly string[] };

export async function copyRepository(
  ground: Ground,
  gitDir: string,
  copy: string,
  bulk: readonly string[],
  trusted: boolean,
): Promise<ForgedObjects[]> {
  const forged: ForgedObjects[] = [];
  for (const folder of bulk) {
    const to = join(copy, folder);
    // Only the first copy can be taken unchecked: no agent has had access to the repository yet.
    const first = trusted && !fs.existsSync(join(to, ".complete"));
    let copied = copyObjects(join(gitDir, folder), to, first);
    for (let again = 0; copied.vanished && again < repacksMax; again++)
      copied = copyObjects(join(gitDir, folder), to, first);
    const bad = await indexPacks(ground, join(gitDir, folder), to, copied.packs);
    if (first) fs.writeFileSync(join(to, ".complete"), "");
    if (copied.forged.length + bad.length > 0) forged.push({ folder, names: [...copied.forged, ...bad] });
  }
  return forged;
}

// Git builds the index of a pack from the pack itself, so the index cannot lie about its content.
async function indexPacks(ground: Ground, from: string, to: string, packs: readonly string[]): Promise<string[]> {
  const bad: string[] = [];
  ensureDir(join(to, "pack"));
  for (const pack of packs) {
    const index = pack.replace(/\.pack$/, ".idx");
    try {
      await ground.git(["index-pack", "--no-rev-index", "-o", join(to, index), join(to, pack)], inStore(ground));
      if (fs.existsSync(join(from, index)) && !sameBytes(join(from, index), join(to, index))) bad.push(index);
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error;
      fs.rmSync(join(to, pack), { force: true });
      bad.push(pack, index);
    }
  }
  return bad;
}

const sameBytes = (one: string, other: string): boolean => fs.readFileSync(one).equals(fs.readFileSync(other));
