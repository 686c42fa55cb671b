// Keeps what is installed in a workspace, before any agent has worked, for all later rooms.
import type { TreeId } from "../../core/ids.ts";
import type { RoomSource } from "../../workspace/git/rooms/room-source.ts";
import { detectBuild } from "./detect-build.ts";
import { differsFrom, keepLayer } from "./keep-layer.ts";
import { type RootGroup, rootGroups } from "./kept-roots.ts";
import { type KeptState, readState, writeState } from "./kept-state.ts";
import { type Layer, type LayerNote, readLayer, removeOldest } from "./layer.ts";
import { type DependencyKeys, dependencyKeys } from "./lockfiles.ts";
import { keepModules } from "./modules.ts";
import type { Places } from "./places.ts";
import type { Kept, RoomTerms } from "./room.ts";
import { manifestsOf, viewOf } from "./tree-view.ts";

type Made = { readonly layer: Layer; readonly note: LayerNote };
type KeepOrder = { readonly base: TreeId; readonly terms: RoomTerms; readonly home: string };

/** How many layers stay for the next run, of this base and earlier ones. */
const layersMax = 40;

export async function keep(
  source: RoomSource,
  places: Places,
  order: KeepOrder,
  signal: AbortSignal,
): Promise<{ readonly state: KeptState; readonly kept: Kept }> {
  const started = performance.now();
  const earlier = readState(places);
  const groups = await rootGroups(source, order.base, order.terms);
  const made = await keepGroups(source, places, groups, order, signal);
  const modules = await keepModules(source, places, order.base);
  const state: KeptState = {
    base: order.base,
    layers: made.map(({ layer }) => layer),
    keys: dependencyKeys(await manifestsOf(source, order.base)),
    build: detectBuild(await viewOf(source, order.base)),
    names: await source.names(),
  };
  writeState(places, state);
  removeOldest(places.kept, layersMax);
  const kept: Kept = {
    paths: made.flatMap(({ layer }) => layer.roots.map((root) => (layer.of === "home" ? `~/${root}` : root))),
    bytes: made.reduce((sum, { note }) => sum + note.bytes, 0),
    ms: Math.round(performance.now() - started),
    notes: [
      ...made.flatMap(({ note }) => note.notes),
      ...modules,
      ...missingNotes(groups, made),
      ...changedNotes(places, earlier, made, state.keys),
    ],
  };
  return { state, kept };
}

async function keepGroups(
  source: RoomSource,
  places: Places,
  groups: readonly RootGroup[],
  { home }: KeepOrder,
  signal: AbortSignal,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const { of, roots } of groups) {
    const one = await keepLayer(places, { of, roots, from: of === "home" ? home : source.root }, signal);
    if (one !== null) made.push(one);
  }
  return made;
}

function missingNotes(groups: readonly RootGroup[], made: readonly Made[]): string[] {
  const has = new Set(made.flatMap(({ layer }) => layer.roots.map((root) => `${layer.of} ${root}`)));
  const missing = groups.flatMap(({ of, roots }) =>
    roots.filter((root) => !has.has(`${of} ${root}`)).map((root) => ({ of, root })),
  );
  return missing.map(
    ({ of, root }) => `${of === "home" ? "~/" : ""}${root} is missing or is a link, and is not in clean checkouts.`,
  );
}

// An agent of an earlier run may have edited a package; only a person can tell that from an install.
function changedNotes(
  places: Places,
  earlier: KeptState | null,
  made: readonly Made[],
  keys: DependencyKeys,
): string[] {
  return (earlier?.layers ?? []).flatMap(({ of, name }) => {
    if ((of !== "node" && of !== "python" && of !== "other") || earlier?.keys[of] !== keys[of]) return [];
    const before = readLayer(places, name.replace(/\/files$/, ""))?.note;
    const now = made.find(({ layer }) => layer.of === of)?.note;
    const changed = before === undefined || now === undefined ? [] : differsFrom(now, before);
    return changed.map((root) => `${root} has changed since an earlier run, and no lockfile has.`);
  });
}
