// Workspaces for testing rooms: real repositories, real vaults, real commands.
import * as fs from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../checks/check.ts";
import type { TreeId } from "../core/ids.ts";
import { openRooms, type RoomsOrder } from "../proof/rooms/open-rooms.ts";
import type { Kept, Room, RoomOrder, Rooms, RoomTerms } from "../proof/rooms/room.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { makeRepository, open, temporaryFolder, write } from "./workspace-rig.ts";

export type RoomKind = Rooms["kind"];
export type House = {
  readonly root: string;
  readonly vaultDir: string;
  readonly workspace: Workspace;
  readonly rooms: Rooms;
  readonly base: TreeId;
  readonly kept: Kept;
  /** The same workspace and vault, as a later process sees them. */
  again(): Promise<House>;
};
export type Files = Readonly<Record<string, string>>;

export const terms: RoomTerms = { setup: null, build: null, room: { files: [], env: [], home: [], outside: [] } };
export const never = (): AbortSignal => new AbortController().signal;

/** `files` are committed; `prepare` adds ignored files to the folder. */
export type HouseOrder = {
  readonly files: Files;
  /** Where to create the repository; omitted: in a temporary folder. */
  readonly root?: string;
  readonly prepare?: (root: string) => void;
  readonly terms?: Partial<RoomTerms>;
  readonly rooms?: Partial<RoomsOrder>;
};

const homes = (): string => {
  const dir = join(temporaryFolder(), "home");
  fs.mkdirSync(dir);
  return dir;
};

export async function makeHouse(kind: RoomKind, order: HouseOrder): Promise<House> {
  const made = makeRepository({ ".gitignore": "node_modules\n.venv\ndist\n.env\n*.log\n", ...order.files });
  if (order.root !== undefined) fs.cpSync(made, order.root, { recursive: true });
  const root = order.root ?? made;
  order.prepare?.(root);
  const { workspace, vaultDir } = await open(root, "git");
  await workspace.inspect();
  const home = homes();
  const begin = () => openRooms({ root, vaultDir, workspace: "git", kind, home, ...order.rooms });
  const rooms = await begin();
  const base = await workspace.tree();
  const kept = await rooms.keep(base, { ...terms, ...order.terms }, never());
  const house: House = {
    root,
    vaultDir,
    workspace,
    rooms,
    base,
    kept,
    again: async () => ({ ...house, rooms: await begin() }),
  };
  return house;
}

/** The folder's tree with these files changed; the folder itself stays unchanged. */
export const treeWith = (house: House, files: Readonly<Record<string, string | null>>): Promise<TreeId> =>
  house.workspace.tree(Object.entries(files).map(([path, content]) => ({ path, content })));

export function openRoom(house: House, order: Partial<RoomOrder> = {}): Promise<Room> {
  const tree = order.tree ?? house.base;
  return house.rooms.open({ name: "test", tree, dependencies: { of: "base" }, terms, ...order }, never());
}

let logs = 0;
export function run(house: House, room: Room, command: string, timeoutMs = 60_000): Promise<CheckResult> {
  const outputFile = join(house.vaultDir, "..", `log-${++logs}.log`);
  return room.run({ name: "check", command, timeoutMs, outputFile }, never());
}

/** Opens a room, runs one command and closes the room. */
export async function once(house: House, command: string, order: Partial<RoomOrder> = {}): Promise<CheckResult> {
  const room = await openRoom(house, order);
  try {
    return await run(house, room, command);
  } finally {
    await room.close();
  }
}

/** A package as an installer would leave it. */
export function writePackage(root: string, at: string, manifest: object, files: Files = {}): void {
  write(root, { [`${at}/package.json`]: JSON.stringify(manifest) });
  write(root, Object.fromEntries(Object.entries(files).map(([path, text]) => [`${at}/${path}`, text])));
}

export function link(root: string, path: string, target: string): void {
  fs.mkdirSync(join(root, path, ".."), { recursive: true });
  fs.symlinkSync(target, join(root, path));
}
