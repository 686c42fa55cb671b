// What a command changed: the content of its room's topmost layer.
import * as fs from "node:fs";
import { join } from "node:path";
import type { RoomSource } from "../../../workspace/git/rooms/room-source.ts";
import type { RoomPlan } from "../builder.ts";
import type { LaidTree } from "../laid-tree.ts";
import { type Left, leftOf } from "../left.ts";
import type { Places } from "../places.ts";

export type LeftOrder = {
  readonly source: RoomSource;
  readonly places: Places;
  readonly tree: LaidTree;
  readonly plan: Pick<RoomPlan, "layers" | "tree">;
  readonly dir: string;
  readonly base: string;
};

const looksMax = 20_000;

export async function leftInUpper({ source, tree, plan, dir, base }: LeftOrder): Promise<Left> {
  const roots = plan.layers.filter(({ of }) => of !== "home").flatMap((layer) => layer.roots);
  const skip = new Set([".git", ...roots]);
  const upper = join(dir, "upper");
  const touched: string[] = [];
  const gone: string[] = [];
  const walk = (inside: string): void => {
    for (const entry of fs.readdirSync(join(upper, inside), { withFileTypes: true })) {
      const path = inside + entry.name;
      if (skip.has(path) || touched.length > looksMax) continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else if (entry.isCharacterDevice()) gone.push(path);
      else touched.push(path);
    }
  };
  walk("");
  const isIn = (path: string) => (file: string) => file === path || file.startsWith(`${path}/`);
  const missing = gone.flatMap((path) => [...tree.files.keys()].filter(isIn(path)));
  const lowers = [join(dir, "delta"), base];
  const changed = touched.filter((path) => tree.files.has(path) && !isSame(join(upper, path), lowers, path));
  const fresh = touched.filter((path) => !tree.files.has(path));
  const ignored = new Set(await source.ignoredBy(plan.tree, fresh));
  return leftOf([...missing, ...changed], fresh, ignored);
}

/** A file is also copied up when only its time or its permissions changed. */
function isSame(now: string, lowers: readonly string[], path: string): boolean {
  const before = lowers
    .map((dir) => join(dir, path))
    .find((at) => fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined);
  return before !== undefined && contentOf(now) === contentOf(before);
}

function contentOf(path: string): string {
  const stat = fs.lstatSync(path);
  if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(path)}`;
  return stat.isFile() ? `file ${stat.mode & 0o100} ${fs.readFileSync(path).toString("latin1")}` : "other";
}
