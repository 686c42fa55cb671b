// Build output of the base, as a layer for rooms of similar trees: compiling everything in each would take minutes.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import { lstatIfExists } from "../../host/disk.ts";
import type { RoomSource } from "../../workspace/git/rooms/room-source.ts";
import { type Layer, makeLayer, markUsed, nameFor, readLayer } from "./layer.ts";
import type { Places } from "./places.ts";

/**
 * Only builds that compare file times themselves, and where a changed file is always newer than the cache: what differs
 * from the base is compiled again.
 */
const caches = [{ manifest: "Cargo.toml", folder: "target" }];

const nameOf = (base: TreeId): string => nameFor("kept", "cache", [base]);

export function buildCache(places: Places, base: TreeId): Layer | null {
  const known = readLayer(places, nameOf(base));
  if (known !== null) markUsed(join(places.dir, nameOf(base)));
  return known?.layer ?? null;
}

/** Takes the build output of a room of the base. `upper` is what was written in the room; nothing runs in it now. */
export async function takeBuildCache(source: RoomSource, places: Places, base: TreeId, upper: string): Promise<void> {
  if (buildCache(places, base) !== null) return;
  const paths = new Set((await source.entries(base)).map(({ path }) => path));
  const roots = caches
    .filter(({ manifest }) => paths.has(manifest))
    .map(({ folder }) => folder)
    .filter((folder) => lstatIfExists(join(upper, folder))?.isDirectory());
  const ignored = await source.ignoredBy(
    base,
    roots.map((root) => `${root}/x`),
  );
  if (roots.length === 0 || ignored.length !== roots.length) return;
  await makeLayer(places, nameOf(base), async (dir) => {
    for (const root of roots) {
      fs.mkdirSync(dirname(join(dir, root)), { recursive: true });
      fs.renameSync(join(upper, root), join(dir, root));
    }
    return { of: "cache", roots, fingerprints: {}, bytes: 0, notes: [] };
  });
}
