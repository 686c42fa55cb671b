// Which parts of a workspace are kept: installed folders, and the files that the terms name.
import { join } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import { lstatIfExists } from "../../host/disk.ts";
import type { RoomSource } from "../../workspace/git/rooms/room-source.ts";
import { dependencyRoots } from "./dependency-folders.ts";
import type { LayerOf } from "./layer.ts";
import type { RoomTerms } from "./room.ts";

/** Roots of one layer. Named files have one each, so that a room gets only those that its terms name. */
export type RootGroup = { readonly of: LayerOf; readonly roots: readonly string[] };

export async function rootGroups(source: RoomSource, base: TreeId, { room }: RoomTerms): Promise<RootGroup[]> {
  const ignored = await source.ignored(base);
  const has = (path: string): boolean => lstatIfExists(join(source.root, path))?.isFile() ?? false;
  const found = dependencyRoots(ignored, has);
  const installed = (["node", "python", "other"] as const).map((of) => ({
    of,
    roots: found.filter((root) => root.of === of).map(({ path }) => path),
  }));
  const tracked = (await source.entries(base)).map(({ path }) => path);
  const isInstalled = (path: string): boolean =>
    found.some((root) => path === root.path || path.startsWith(`${root.path}/`));
  const named = room.files.map(plainPath).flatMap((path) => {
    if (!isInside(path) || isInstalled(path) || tracked.includes(path)) return [];
    // Of a partly tracked folder, only the ignored entries: the rest comes with the tree.
    const isPartly = tracked.some((file) => file.startsWith(`${path}/`));
    return isPartly ? ignored.map(plainPath).filter((one) => one.startsWith(`${path}/`) && !isInstalled(one)) : [path];
  });
  return [
    ...installed.filter(({ roots }) => roots.length > 0),
    ...[...new Set(named)].map((path) => ({ of: "files" as const, roots: [path] })),
    ...homePaths(room.home).map((path) => ({ of: "home" as const, roots: [path] })),
  ];
}

/** Below the home, with or without a leading `~/`. */
export const homePaths = (paths: readonly string[]): string[] =>
  paths.map((path) => plainPath(path.replace(/^~\//, ""))).filter(isInside);

export const plainPath = (path: string): string => path.replace(/^\.\/|\/+$/g, "");
const isInside = (path: string): boolean =>
  path !== "" && !path.startsWith("/") && !path.split("/").some((part) => part === ".." || part === ".git");

/** Whether a layer of named files is one that these terms name. */
export function isNamed({ of, roots }: RootGroup, { room }: RoomTerms): boolean {
  const names = of === "home" ? homePaths(room.home) : room.files.map(plainPath);
  return roots.every((root) => names.some((name) => root === name || root.startsWith(`${name}/`)));
}
