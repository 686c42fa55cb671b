// Rooms in a mount namespace, over the workspace's own path: absolute paths in installed files lead into the room.
import * as fs from "node:fs";
import { join } from "node:path";
import type { CheckNetwork } from "../../../core/contract.ts";
import { noKeysFilter } from "../../../host/confine/no-keys.ts";
import { lstatIfExists, readIfExists, statIfExists } from "../../../host/disk.ts";
import { isWithin } from "../../../host/within.ts";
import type { RoomSource } from "../../../workspace/git/rooms/room-source.ts";
import { takeBuildCache } from "../build-cache.ts";
import type { BuiltRoom, Entry, RoomBuilder, RoomPlan } from "../builder.ts";
import type { LaidTree } from "../laid-tree.ts";
import { newFolder, type Places, removeAll } from "../places.ts";
import { writeShims } from "../shims.ts";
import { treeLayer } from "../tree-layer.ts";
import { writtenFiles } from "../written.ts";
import { hiddenAreas, shownAgain } from "./around.ts";
import { fillDelta } from "./delta.ts";
import { mountTable } from "./mount-table.ts";
import {
  type Cover,
  deviceNames,
  entered,
  filterFile,
  type Mode,
  type MountPlan,
  ownTable,
  type Programs,
  reportFile,
  shownFile,
  shownTable,
  type Tool,
  tableFile,
  throughMounts,
} from "./script.ts";
import { leftInUpper } from "./upper.ts";

export type Namespaces = {
  readonly mode: Mode;
  readonly programs: Programs;
  readonly vaultDir: string;
  /** Folders of tools in the person's home that write into their own folder. */
  readonly tools: readonly string[];
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** All places of tools in the person's home. */
  readonly toolPlaces: readonly string[];
};

/** A room's temporary folder replaces the machine's, so that its path is short and nothing is left behind. */
const tmp = "/tmp";
const covered = [tmp, "/var/tmp", "/dev/shm"];

export function mountsBuilder(source: RoomSource, places: Places, where: Namespaces): RoomBuilder {
  return {
    build: async (outline, signal) => {
      const plan = { ...outline, shims: outline.shims({ cwd: source.root, out: `${tmp}/out` }) };
      const base = await treeLayer(source, places, plan.base, signal);
      const dir = newFolder(places);
      try {
        const tree = await fillDelta(source, places, plan, join(dir, "delta"), signal);
        return openRoom({ source, places, where, plan, dir, base: base.name, tree });
      } catch (error) {
        removeAll(dir);
        throw error;
      }
    },
    dispose: () => {},
  };
}

type Open = {
  readonly source: RoomSource;
  readonly places: Places;
  readonly where: Namespaces;
  readonly plan: RoomPlan;
  readonly dir: string;
  readonly base: string;
  readonly tree: LaidTree;
};

function openRoom(open: Open): BuiltRoom {
  const { source, places, where, plan, dir, base, tree } = open;
  const room = dir.slice(places.dir.length + 1);
  const layers = plan.layers.filter(({ of }) => of !== "home").map(({ name }) => name);
  const mounts = prepareMounts({
    dir,
    room,
    root: source.root,
    places,
    where,
    lower: [`${room}/delta`, ...layers, base],
    outside: plan.outside,
  });
  writeShims(join(dir, "bin"), plan.shims);
  const stage = join(dir, "cover-0");
  return {
    cwd: source.root,
    home: `${tmp}/home`,
    tmp,
    programs: `${tmp}/bin`,
    out: { inside: `${tmp}/out`, outside: join(dir, "out") },
    homeOutside: join(stage, "home"),
    scratch: [stage, join(stage, "home")],
    logs: dir,
    notes: tree.notes,
    at: (path) => path,
    enter: mounts.enter,
    // The topmost layer holds only what commands wrote.
    written: (path) => writtenFiles(join(dir, "upper"), path, 0),
    left: () => leftInUpper({ source, places, tree, plan, dir, base: join(places.dir, base) }),
    close: async () => {
      if (plan.tree === plan.base) await takeBuildCache(source, places, plan.base, join(dir, "upper"));
      removeAll(dir);
    },
  };
}

export type MountsOrder = {
  readonly dir: string;
  readonly room: string;
  readonly root: string;
  readonly places: Places;
  readonly where: Namespaces;
  readonly lower: readonly string[];
  readonly outside: readonly string[];
};

type Entries = { enter(network: CheckNetwork): Entry };

/** Makes the folders that the script needs, and counts its commands. */
export function prepareMounts({ dir, room, root, places, where, lower, outside }: MountsOrder): Entries {
  for (const name of ["delta", "upper", "out", "bin", "dev"]) fs.mkdirSync(join(dir, name), { recursive: true });
  for (const name of ["delta", "upper"]) fs.chmodSync(join(dir, name), statIfExists(root)?.mode ?? 0o755);
  const { covers, shown } = prepareCovers(dir, room, root, where, outside);
  const tools = prepareTools(dir, room, covers, where, root);
  if (where.mode === "root") prepareDevices(join(dir, "dev"));
  const fixed = {
    mode: where.mode,
    person: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    root,
    vaultDir: where.vaultDir,
    rooms: places.dir,
    room,
    lower,
    covers,
    shown,
    tools,
    programs: where.programs,
  };
  const exists = (path: string): boolean => fs.existsSync(path);
  fs.writeFileSync(join(dir, shownFile), shownTable(fixed));
  fs.writeFileSync(join(dir, tableFile), ownTable(fixed, exists));
  if (where.programs.bubblewrap !== null) fs.writeFileSync(join(dir, filterFile), noKeysFilter() ?? "");
  let commands = 0;
  const enter = (network: CheckNetwork): Entry => {
    const number = ++commands;
    for (const work of [`${room}/work`, ...tools.map((tool) => tool.work)])
      fs.mkdirSync(join(places.dir, `${work}-${number}`));
    const plan: MountPlan = {
      ...fixed,
      work: `${room}/work-${number}`,
      tools: tools.map((tool) => ({ ...tool, work: `${tool.work}-${number}` })),
      table: mountTable(),
      network,
    };
    return {
      door: throughMounts(plan, dir),
      strays: async (found) => found + strayCount(join(dir, reportFile)),
    };
  };
  return { enter };
}

function prepareDevices(dev: string): void {
  for (const name of ["pts", "shm"]) fs.mkdirSync(join(dev, name));
  for (const name of deviceNames)
    if (lstatIfExists(`/dev/${name}`) !== undefined) fs.writeFileSync(join(dev, name), "");
  fs.symlinkSync("pts/ptmx", join(dev, "ptmx"));
  fs.symlinkSync("/proc/self/fd", join(dev, "fd"));
  for (const [at, name] of ["stdin", "stdout", "stderr"].entries())
    fs.symlinkSync(`/proc/self/fd/${at}`, join(dev, name));
}

function prepareCovers(
  dir: string,
  room: string,
  root: string,
  { home, env, toolPlaces, tools }: Namespaces,
  outside: readonly string[],
): { covers: Cover[]; shown: string[] } {
  const temporary = covered.filter((path) => lstatIfExists(path)?.isDirectory());
  const areas = hiddenAreas(root, home).filter((path) => !temporary.some((other) => isWithin(path, other)));
  const covers = [...temporary, ...areas].map((path, at) => ({ path, stage: `${room}/cover-${at}` }));
  const shown = shownAgain(areas, { root, home, env, tools: toolPlaces, outside });
  for (const { path, stage } of covers) {
    const at = join(dir, stage.slice(room.length + 1));
    fs.mkdirSync(at);
    fs.chmodSync(at, areas.includes(path) ? 0o755 : 0o1777);
    const within = [root, ...shown, ...(areas.includes(path) ? tools : [])].filter((one) => isWithin(one, path));
    for (const one of within) fs.mkdirSync(join(at, one.slice(path.length)), { recursive: true });
  }
  for (const name of ["home", "out", "bin"]) fs.mkdirSync(join(dir, "cover-0", name));
  return { covers, shown };
}

// A folder that holds the workspace is fine, since the room is mounted later; one with the vault cannot be a layer.
function prepareTools(
  dir: string,
  room: string,
  covers: readonly Cover[],
  { tools, vaultDir }: Namespaces,
  root: string,
): Tool[] {
  const usable = tools.filter(
    (path) =>
      !isWithin(vaultDir, path) &&
      !isWithin(path, root) &&
      !covers.some((cover) => covered.includes(cover.path) && isWithin(path, cover.path)),
  );
  return usable.map((path, at) => {
    for (const name of [`tool-${at}`, `tool-${at}/upper`]) fs.mkdirSync(join(dir, name));
    fs.symlinkSync(path, join(dir, `tool-${at}/lower`));
    const own = `${room}/tool-${at}`;
    return { path, lower: `${own}/lower`, upper: `${own}/upper`, work: `${own}/work` };
  });
}

/** Throws when the command was never started: that is a problem of the machine, not of the work. */
function strayCount(report: string): number {
  const [first, strays] = (readIfExists(report) ?? "").split("\n");
  if (first !== entered) throw new NotEntered();
  return Number(strays ?? 0) || 0;
}

export class NotEntered extends Error {
  override readonly name = "NotEntered";
}
