// Packs the loose objects of the store: thousands of small files take far more space than their content.
import * as fs from "node:fs";
import { join } from "node:path";
import { type Ground, inStore } from "../ground.ts";

/** Git's own limit. */
const looseMax = 6700;

/**
 * Every loose object, used or not: nothing is decided here. Removes only objects that are in the new pack, never
 * because another repository has them too.
 */
export async function packLoose(ground: Ground): Promise<void> {
  const objects = join(ground.vault.store, "objects");
  if (!hasMany(objects)) return;
  const loose = looseIn(objects);
  const input = loose.map(({ id }) => `${id}\n`).join("");
  const options = { ...inStore(ground), input, codes: [1, 128] };
  const { code } = await ground.git(["pack-objects", "-q", join(objects, "pack", "pack")], options);
  // It only saves space: if it fails, the store stays as it is.
  if (code !== 0) return;
  for (const { path } of loose) fs.rmSync(path, { force: true });
}

/** One folder of 256 gives an estimate of the total; git uses the same one. */
function hasMany(objects: string): boolean {
  const folder = join(objects, "17");
  return fs.existsSync(folder) && fs.readdirSync(folder).length > looseMax / 256;
}

const looseIn = (objects: string): { id: string; path: string }[] =>
  fs
    .readdirSync(objects)
    .filter((folder) => /^[0-9a-f]{2}$/.test(folder))
    .flatMap((folder) =>
      fs
        .readdirSync(join(objects, folder))
        .filter((name) => /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name))
        .map((name) => ({ id: folder + name, path: join(objects, folder, name) })),
    );
