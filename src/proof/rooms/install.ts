// Installs from a candidate's lockfile, in a room of its own tree, once per content of the lockfiles.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { CheckResult } from "../../checks/check.ts";
import type { TreeId } from "../../core/ids.ts";
import { lstatIfExists, readIfExists } from "../../host/disk.ts";
import type { RoomSource } from "../../workspace/git/rooms/room-source.ts";
import type { Ecosystem } from "./dependency-folders.ts";
import { relocate } from "./folder/relocate.ts";
import { type Installer, installersFor, quoted, scriptsOf, unlike } from "./installers.ts";
import { sizeIn, takeInventory } from "./inventory.ts";
import { dropStrays } from "./keep-layer.ts";
import type { KeptState } from "./kept-state.ts";
import { type Layer, type LayerNote, makeLayer, markUsed, nameFor, readLayer, removeOldest } from "./layer.ts";
import { dependencyKeys, type Texts } from "./lockfiles.ts";
import type { Places } from "./places.ts";
import type { RoomTerms } from "./room.ts";
import { manifestsOf } from "./tree-view.ts";

/** A room to install in: with the network, and with what `setup` lists. */
export interface SetupRoom {
  readonly cwd: string;
  readonly out: { readonly inside: string; readonly outside: string };
  run(name: string, command: string): Promise<CheckResult>;
  close(): Promise<void>;
}
export type InstallGround = {
  readonly source: RoomSource;
  readonly places: Places;
  readonly state: KeptState;
  openSetup(tree: TreeId, layers: readonly Layer[], terms: RoomTerms): Promise<SetupRoom>;
};

export type Installed =
  | { readonly ok: true; readonly layers: readonly Layer[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly result: CheckResult };

const layersMax = 8;

/** The ecosystems in which a tree requires other packages than the base. */
export async function changedEcosystems({ source, state }: InstallGround, tree: TreeId): Promise<Ecosystem[]> {
  if (tree === state.base) return [];
  const keys = dependencyKeys(await manifestsOf(source, tree));
  return (["node", "python"] as const).filter((of) => keys[of] !== state.keys[of]);
}

export async function install(
  ground: InstallGround,
  tree: TreeId,
  of: Ecosystem,
  terms: RoomTerms,
): Promise<Installed> {
  const { source, places, state } = ground;
  const texts = await manifestsOf(source, tree);
  const kept = state.layers.find((layer) => layer.of === of);
  const environments = (kept?.roots ?? []).filter((root) => !root.includes("/") && !root.endsWith(".egg-info"));
  const installers = setupInstallers(of, terms) ?? installersFor(of, texts, environments);
  if (installers.length === 0) {
    const note = `The ${of} dependencies changed, and how to install them is not known: name it in setup.`;
    return { ok: true, layers: kept === undefined ? [] : [kept], notes: [note] };
  }
  const name = nameFor("installed", of, [
    dependencyKeys(texts)[of],
    state.base,
    JSON.stringify(installers),
    process.version,
  ]);
  const known = readLayer(places, name);
  if (known !== null) {
    markUsed(join(places.dir, name));
    return { ok: true, layers: [known.layer], notes: known.note.notes };
  }
  // Node's installers build the folder from scratch; an environment is a changed copy of the person's.
  const below = state.layers.filter((layer) => layer.of !== of || of === "python");
  const room = await ground.openSetup(tree, below, terms);
  try {
    return await installIn(room, { ground, of, name, installers, texts, base: await manifestsOf(source, state.base) });
  } finally {
    await room.close();
    removeOldest(places.installed, layersMax);
  }
}

const setupInstallers = (of: Ecosystem, { setup }: RoomTerms): Installer[] | null =>
  setup === null ? null : [{ of, at: "", run: setup.run, fallback: null }];

type InstallOrder = {
  readonly ground: InstallGround;
  readonly of: Ecosystem;
  readonly name: string;
  readonly installers: readonly Installer[];
  readonly texts: Texts;
  readonly base: Texts;
};

async function installIn(room: SetupRoom, order: InstallOrder): Promise<Installed> {
  const notes: string[] = [];
  const compared: string[] = [];
  for (const { at, run, fallback } of order.installers) {
    const there = at === "" ? "" : `cd ${quoted(at)} && `;
    let result = await room.run(`setup ${at}`, `${there}${run}`);
    if (result.how === "failed" && fallback?.when.test(result.tail) === true) {
      result = await room.run(`setup ${at}`, `${there}${fallback.run}`);
      compared.push(at);
    }
    if (result.how !== "passed") return { ok: false, result };
    const { known, fresh } = scriptsOf(
      order.texts.get(`${at}package-lock.json`) ?? "",
      order.base.get(`${at}package-lock.json`) ?? "",
    );
    if (known.length > 0) await room.run("rebuild", `${there}npm rebuild ${known.map(quoted).join(" ")}`);
    if (fresh.length > 0) notes.push(`Install scripts of new packages were not run: ${fresh.join(", ")}`);
  }
  const gathered = await room.run("gather", gathering(order.of, room.out.inside));
  if (gathered.how !== "passed") return { ok: false, result: gathered };
  const wrong = compared.flatMap((at) => differences(order, at, room.out.outside));
  if (wrong.length > 0)
    return { ok: false, result: { ...gathered, how: "failed", exitCode: 1, tail: wrong.slice(0, 20).join("\n") } };
  const { layer } = await makeLayer(order.ground.places, order.name, async (dir) => take(room, order, dir, notes));
  return { ok: true, layers: [layer], notes };
}

function differences({ texts }: InstallOrder, at: string, out: string): string[] {
  const path = join(out, "files", at, "node_modules/.package-lock.json");
  const installed = lstatIfExists(path)?.isFile() ? readIfExists(path) : null;
  return unlike(texts.get(`${at}package-lock.json`) ?? "", installed ?? "{}");
}

const patterns: Readonly<Record<Ecosystem, string>> = {
  node: "-name node_modules -o -name .pnp.cjs -o -name .pnp.loader.mjs",
  python: "-name .venv -o -name venv -o -name env -o -name __pypackages__",
  other: "-name vendor",
};

/** Copies the installed folders out of the room, from inside: only there do the layers appear as one folder. */
const gathering = (of: Ecosystem, out: string): string =>
  [
    `mkdir ${quoted(`${out}/files`)}`,
    `find . -name .git -prune -o \\( ${patterns[of]} \\) -prune -print | while IFS= read -r p; do`,
    `mkdir -p "${out}/files/$(dirname "$p")" && cp -a "$p" "${out}/files/$p" || exit 1; done`,
  ].join("\n");

/** Moves the gathered files into the layer. Turns paths of the room back into the workspace's, and drops links out. */
function take(
  room: SetupRoom,
  { ground, of }: InstallOrder,
  dir: string,
  notes: readonly string[],
): Omit<LayerNote, "version"> {
  const from = join(room.out.outside, "files");
  const roots = lstatIfExists(from)?.isDirectory() ? rootsBelow(from, of) : [];
  const { root: workspace } = ground.source;
  let bytes = 0;
  for (const root of roots) {
    fs.mkdirSync(dirname(join(dir, root)), { recursive: true });
    fs.renameSync(join(from, root), join(dir, root));
    const isFolder = fs.lstatSync(join(dir, root)).isDirectory();
    const inside = isFolder ? takeInventory(join(dir, root)) : new Map<string, string>();
    if (room.cwd !== workspace)
      for (const path of inside.keys()) relocate(dir, `${root}/${path}`, { from: room.cwd, to: workspace });
    if (isFolder) dropStrays(dir, root, takeInventory(join(dir, root)), workspace);
    bytes += [...inside.values()].reduce((sum, signature) => sum + sizeIn(signature), 0);
  }
  return { of, roots, fingerprints: {}, bytes, notes: [...notes] };
}

function rootsBelow(dir: string, of: Ecosystem, inside = ""): string[] {
  return fs.readdirSync(join(dir, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = inside + entry.name;
    if (isRoot(join(dir, path), entry, of)) return [path];
    return entry.isDirectory() ? rootsBelow(dir, of, `${path}/`) : [];
  });
}

function isRoot(path: string, entry: fs.Dirent, of: Ecosystem): boolean {
  if (!entry.isDirectory()) return of === "node" && entry.isFile() && entry.name.startsWith(".pnp.");
  if (of === "node") return entry.name === "node_modules";
  return of === "other"
    ? entry.name === "vendor"
    : entry.name === "__pypackages__" || fs.existsSync(join(path, "pyvenv.cfg"));
}
