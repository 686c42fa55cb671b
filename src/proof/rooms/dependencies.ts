// Which layers a room gets: the kept ones, those of the candidate's lockfile, or the kept ones plus its additions.
import { join } from "node:path";
import { addedPaths } from "./added.ts";
import { copy } from "./copy.ts";
import type { Ecosystem } from "./dependency-folders.ts";
import { changedEcosystems, type InstallGround, install } from "./install.ts";
import { type Layer, layerDir, makeLayer, markUsed, nameFor, readLayer } from "./layer.ts";
import type { Dependencies, RoomFailure, RoomTerms } from "./room.ts";

export type RoomLayers = {
  readonly layers: readonly Layer[];
  readonly failed: RoomFailure | null;
  readonly notes: readonly string[];
};

export async function layersFor(
  ground: InstallGround,
  wanted: Dependencies,
  terms: RoomTerms,
  signal: AbortSignal,
): Promise<RoomLayers> {
  const kept: readonly Layer[] = ground.state.layers;
  if (wanted.of === "base") return { layers: kept, failed: null, notes: [] };
  const before =
    wanted.of === "tree" ? null : await layersFor(ground, { of: "tree", tree: wanted.base }, terms, signal);
  if (before !== null && before.failed !== null) return before;
  let layers = before?.layers ?? kept;
  const notes: string[] = [];
  for (const of of await changedEcosystems(ground, wanted.tree)) {
    const installed = await install(ground, wanted.tree, of, terms);
    if (!installed.ok) return { layers, failed: { at: "setup", result: installed.result }, notes };
    notes.push(...installed.notes);
    layers =
      before === null
        ? [...installed.layers, ...layers.filter((layer) => layer.of !== of)]
        : [...layers, ...(await added(ground, of, installed.layers, before.layers, signal))];
  }
  return { layers, failed: null, notes };
}

/** A layer with the packages that the base does not have. Neither is ever written to, so the files are shared. */
async function added(
  { places }: InstallGround,
  of: Ecosystem,
  installed: readonly Layer[],
  before: readonly Layer[],
  signal: AbortSignal,
): Promise<Layer[]> {
  const kept = before.find((layer) => layer.of === of);
  const [from] = installed;
  if (from === undefined || from.name === kept?.name) return [];
  const name = nameFor("installed", of, ["added", from.name, kept?.name ?? ""]);
  const known = readLayer(places, name);
  if (known !== null) {
    markUsed(join(places.dir, name));
    return [known.layer];
  }
  const dir = layerDir(places, from);
  const roots = addedPaths(dir, kept === undefined ? null : layerDir(places, kept), from.roots);
  const { layer } = await makeLayer(places, name, async (to) => {
    for (const root of roots) await copy(join(dir, root), join(to, root), signal, { share: true });
    return { of, roots, fingerprints: {}, bytes: 0, notes: [] };
  });
  return [layer];
}
