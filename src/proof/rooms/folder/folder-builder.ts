// Rooms as plain folders, for machines without mount namespaces and for checks that drive a program outside of the room.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import type { Confine, Door } from "../../../host/confine/confine.ts";
import { openDoor } from "../../../host/confine/none.ts";
import type { RoomSource } from "../../../workspace/git/rooms/room-source.ts";
import type { BuiltRoom, RoomBuilder, RoomOutline, RoomPlan } from "../builder.ts";
import { laidTree } from "../laid-tree.ts";
import { type Left, leftOf } from "../left.ts";
import { moved } from "../links.ts";
import { isAlive, newFolder, type Places, removeAll } from "../places.ts";
import { replaceProgram, shimmedPrograms, writeShims } from "../shims.ts";
import { treeLayer } from "../tree-layer.ts";
import { baseTime } from "../tree-times.ts";
import { writtenFiles } from "../written.ts";
import { Checkout } from "./checkout.ts";
import { Installed } from "./installed.ts";
import { endStrays } from "./strays.ts";

/** What stands around a command that must not reach the network. */
export type FolderWalls = {
  readonly confine: Confine;
  readonly vaultDir: string;
  /** Places of tools in the person's home. */
  readonly tools: readonly string[];
};

/**
 * Nothing in such a room leads out of it, but a command that names another path of this machine reaches it, unless it
 * runs without the network: then it has walls. Files that commands leave in the folder are found and removed before the
 * next room.
 */
export function folderBuilder(source: RoomSource, places: Places, walls: FolderWalls | null = null): RoomBuilder {
  const free: Slot[] = [];
  sweepTemporary();
  const buildIn = async (slot: Slot, outline: RoomOutline, signal: AbortSignal): Promise<BuiltRoom> => {
    const plan = { ...outline, shims: outline.shims({ cwd: slot.tree, out: join(slot.dir, "out") }) };
    try {
      return await build({ slot, source, places, plan, walls }, signal, () => free.push(slot));
    } catch (error) {
      removeAll(slot.dir);
      throw error;
    }
  };
  return {
    build: async (plan, signal) => {
      const used = free.pop();
      try {
        return await buildIn(used ?? newSlot(source, places), plan, signal);
      } catch (error) {
        // The last command may have damaged this folder (removed permissions, say); a new one is intact.
        if (used === undefined || signal.aborted) throw error;
        return buildIn(newSlot(source, places), plan, signal);
      }
    },
    dispose: () => {
      for (const { dir } of free.splice(0)) removeAll(dir);
    },
  };
}

type Slot = { readonly dir: string; readonly tree: string; readonly checkout: Checkout; readonly installed: Installed };

function newSlot(source: RoomSource, places: Places): Slot {
  const dir = newFolder(places);
  const tree = join(dir, "tree");
  fs.mkdirSync(tree, { mode: 0o755 });
  const installed = new Installed(tree, join(dir, "parked"), { from: source.root, to: tree });
  return { dir, tree, checkout: new Checkout(tree), installed };
}

type Building = {
  readonly slot: Slot;
  readonly source: RoomSource;
  readonly places: Places;
  readonly plan: RoomPlan;
  readonly walls: FolderWalls | null;
};

async function build(
  { slot, source, places, plan, walls }: Building,
  signal: AbortSignal,
  giveBack: () => void,
): Promise<BuiltRoom> {
  const { dir, tree } = slot;
  const layers = plan.layers.filter(({ of }) => of !== "home");
  const wanted = await laidTree(source, plan.tree, layers);
  slot.installed.park();
  removeAll(join(tree, ".git"));
  await slot.checkout.make(source, places, plan.tree, plan.base, wanted, signal);
  const notes = [...wanted.notes, ...(await slot.installed.lay(places, layers, signal))];
  await layGit(source, places, plan, tree, signal);
  for (const { path, shim } of shimmedPrograms(places, layers, plan.shims)) putBefore(join(tree, path), shim);
  for (const name of ["home", "out", "bin"]) {
    removeAll(join(dir, name));
    fs.mkdirSync(join(dir, name));
  }
  writeShims(join(dir, "bin"), plan.shims);
  // A short name: a socket's path is limited to about a hundred characters.
  const tmp = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), `room-${process.pid}-`));
  const since = Date.now();
  let isOpen = true;
  const isInstalled = (path: string): boolean => path === ".git" || slot.installed.roots.includes(path);
  return {
    cwd: tree,
    home: join(dir, "home"),
    tmp,
    programs: join(dir, "bin"),
    out: { inside: join(dir, "out"), outside: join(dir, "out") },
    homeOutside: join(dir, "home"),
    scratch: [tmp, join(dir, "home")],
    logs: dir,
    notes,
    at: (path) => moved(path, source.root, tree) ?? path,
    enter: (network) => ({
      door: network === "open" ? openDoor : throughWalls(slot, source, plan, tmp, walls),
      strays: async (known) => known + (await endStrays([dir, tmp])),
    }),
    written: (path) => writtenFiles(tree, path, since),
    left: async () => leftIn(slot, source, plan, isInstalled),
    close: async () => {
      // A folder that is given back twice would become two rooms at once.
      if (!isOpen) return;
      isOpen = false;
      await endStrays([dir, tmp]);
      for (const path of [tmp, join(dir, "home"), join(dir, "out"), join(dir, "bin")]) removeAll(path);
      giveBack();
    },
  };
}

function throughWalls(
  { dir, tree }: Slot,
  { root }: RoomSource,
  { outside }: RoomPlan,
  tmp: string,
  walls: FolderWalls | null,
): Door {
  if (walls === null) throw new Bug("a plain folder without walls cannot keep a command from the network");
  const own = {
    writes: [tree, tmp, join(dir, "home"), join(dir, "out")],
    reads: [join(dir, "bin"), ...walls.tools, ...outside],
    hides: [walls.vaultDir, root],
    network: "none" as const,
  };
  return (start) => walls.confine.confine(start, own);
}

async function leftIn(slot: Slot, source: RoomSource, plan: RoomPlan, skip: (path: string) => boolean): Promise<Left> {
  const { changed, fresh } = await slot.checkout.touched(source, skip);
  return leftOf(changed, fresh, new Set(await source.ignoredBy(plan.tree, fresh)));
}

async function layGit(
  source: RoomSource,
  places: Places,
  plan: RoomPlan,
  tree: string,
  signal: AbortSignal,
): Promise<void> {
  const { packs } = await treeLayer(source, places, plan.base, signal);
  const to = join(tree, ".git/objects/pack");
  fs.mkdirSync(to, { recursive: true });
  for (const name of fs.readdirSync(packs))
    fs.copyFileSync(join(packs, name), join(to, name), fs.constants.COPYFILE_FICLONE);
  const at = Math.floor(baseTime.getTime() / 1000);
  await Promise.all([
    source.pack(plan.tree, plan.base, to),
    source.oneCommit({ tree: plan.tree, names: plan.names, at, to: join(tree, ".git") }),
  ]);
}

function putBefore(path: string, shim: Parameters<typeof replaceProgram>[2]): void {
  const kept = `${path}.loop-now`;
  fs.renameSync(path, kept);
  replaceProgram(kept, path, shim);
  fs.rmSync(kept);
}

// Removes folders of killed processes. A folder whose pid is in use again stays until the next time.
function sweepTemporary(): void {
  const above = fs.realpathSync(tmpdir());
  for (const name of fs.readdirSync(above)) {
    const pid = Number(/^room-(\d+)-\w{6}$/.exec(name)?.[1] ?? process.pid);
    const isOurs = fs.lstatSync(join(above, name), { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOurs && !isAlive(pid)) removeAll(join(above, name));
  }
}
