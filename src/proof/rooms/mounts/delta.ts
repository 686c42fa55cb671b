// The layer that turns the base's tree into the room's: changed and removed files, the git folder, the shims.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ownPath } from "../../../host/own-programs.ts";
import { foldersOf } from "../../../workspace/git/files/folders-of.ts";
import type { RoomSource, TreeFile } from "../../../workspace/git/rooms/room-source.ts";
import type { RoomPlan } from "../builder.ts";
import { takeInventory } from "../inventory.ts";
import { difference, type LaidTree, laidTree } from "../laid-tree.ts";
import { moduleFiles } from "../modules.ts";
import { type Places, removeAll } from "../places.ts";
import { replaceProgram, shimmedPrograms } from "../shims.ts";
import { layModule } from "../tree-layer.ts";
import { baseTime } from "../tree-times.ts";

/** Returns the room's tree. Files are written now, and so are newer than everything in the base. */
export async function fillDelta(
  source: RoomSource,
  places: Places,
  plan: RoomPlan,
  dir: string,
  signal: AbortSignal,
): Promise<LaidTree> {
  const [base, tree] = [await laidTree(source, plan.base, []), await laidTree(source, plan.tree, plan.layers)];
  const { write, remove } = difference(base, tree);
  fs.mkdirSync(dir, { recursive: true });
  const at = Math.floor(baseTime.getTime() / 1000);
  // Each starts its own program, and none depends on another.
  await Promise.all([
    source.lay(plan.tree, write, dir),
    source.pack(plan.tree, plan.base, join(dir, ".git/objects/pack")),
    source.oneCommit({ tree: plan.tree, names: plan.names, at, to: join(dir, ".git") }),
  ]);
  const known = new Set(base.modules.map(({ path, id }) => `${id} ${path}`));
  const changed = tree.modules.filter(({ path, id }) => !known.has(`${id} ${path}`));
  const gone = base.modules.filter(({ path }) => !tree.modules.some((module) => module.path === path));
  await whiteOut(dir, topmost([...remove, ...gone.map(({ path }) => path)], tree));
  for (const module of changed) {
    await layModule(places, module, dir, signal);
    const before = base.modules.find(({ path }) => path === module.path);
    await whiteOut(dir, before === undefined ? [] : goneWithin(places, before, module));
  }
  for (const { path, from, shim } of shimmedPrograms(places, plan.layers, plan.shims))
    replaceProgram(from, join(dir, path), shim);
  return tree;
}

/** Removes an emptied folder as a whole, since git has no empty folders. */
function topmost(paths: readonly string[], tree: LaidTree): string[] {
  const kept = foldersOf([...tree.files.keys(), ...tree.modules.map(({ path }) => `${path}/`)]);
  const found = paths.map((path) => {
    const parts = path.split("/");
    const depth = parts.findIndex((_, at) => at < parts.length - 1 && !kept.has(parts.slice(0, at + 1).join("/")));
    return depth === -1 ? path : parts.slice(0, depth + 1).join("/");
  });
  // A file or folder of the tree at the same path hides the old one by itself.
  return [...new Set(found)].filter((path) => !tree.files.has(path) && !kept.has(path));
}

const batch = 500;

/** In a layer, a character device with number 0 marks a removed name; any user may create one. */
async function whiteOut(dir: string, paths: readonly string[]): Promise<void> {
  const places = paths.map((path) => join(dir, path));
  for (const path of places) {
    fs.mkdirSync(dirname(path), { recursive: true });
    removeAll(path);
  }
  for (let at = 0; at < places.length; at += batch)
    await run("/bin/sh", ["-c", 'for p; do mknod "$p" c 0 0 || exit 1; done', "sh", ...places.slice(at, at + batch)]);
}

/** Files of a submodule's old commit that its new commit lacks. */
function goneWithin(places: Places, before: TreeFile, now: TreeFile): string[] {
  const [old, fresh] = [before, now].map((module) => {
    const dir = moduleFiles(places, module);
    return new Set(dir === null ? [] : takeInventory(dir).keys());
  });
  const gone = [...(old ?? [])].filter((path) => fresh?.has(path) !== true);
  const within = new Set(gone);
  return gone.filter((path) => !within.has(dirname(path))).map((path) => `${now.path}/${path}`);
}

function run(file: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: ownPath({}) },
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8").slice(0, 1000);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`mknod ended with ${code}: ${said.trim()}`)),
    );
  });
}
