// Writes files out of quarantine, into the workspace or elsewhere. Files they would overwrite go to quarantine first.
import * as fs from "node:fs";
import { isAbsolute, join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { treeId } from "../../../core/ids.ts";
import { lstatIfExists } from "../../../host/disk.ts";
import { line } from "../git.ts";
import { type Ground, inStore, onFolder, temporary, withTemporaryIndex } from "../ground.ts";
import type { TreeEntry } from "../store/stored-trees.ts";
import { writeOut } from "../store/write-out.ts";
import { moveAside } from "./move-aside.ts";
import { asideFolder, filesOf, loadQuarantine, type Moved, setAside } from "./quarantine.ts";

/** Paths of an entry whose file in the workspace differs or is missing. */
export async function differing(ground: Ground, id: string): Promise<string[]> {
  const kept = await workOf(ground, id);
  const moved = stillAside(ground, id).map(({ path }) => path);
  const now = await present(
    ground,
    ground.root,
    kept.map(({ path }) => path),
  );
  const differ = kept.filter(({ path, id: blob, mode }) => !isSame(now.get(path), blob, mode));
  return [...differ.map(({ path }) => path), ...moved].sort();
}

/** The files that an entry is about. Its trees also have all the others, which may have been changed since. */
async function workOf(ground: Ground, id: string): Promise<TreeEntry[]> {
  const record = loadQuarantine(ground, id);
  const about = new Set(record.paths);
  return [...(await filesOf(ground, record)).values()].filter(({ path }) => isAtOrBelow(path, about));
}

const isAtOrBelow = (path: string, paths: ReadonlySet<string>): boolean =>
  paths.has(path) || path.split("/").some((_, depth, parts) => paths.has(parts.slice(0, depth).join("/")));

export async function bringBack(
  ground: Ground,
  id: string,
  options: { to?: string; paths?: readonly string[] },
): Promise<string[]> {
  const aside = stillAside(ground, id).filter(({ path }) => options.paths?.includes(path) ?? true);
  const inTrees = options.paths?.filter((path) => aside.every((moved) => moved.path !== path));
  const wanted = inTrees === undefined ? await workOf(ground, id) : await named(ground, id, inTrees);
  const to = options.to === undefined ? ground.root : destination(options.to);
  const now = await present(
    ground,
    to,
    wanted.map(({ path }) => path),
  );
  const write = wanted.filter(({ path, id: blob, mode }) => !isSame(now.get(path), blob, mode));
  const occupied = aside.filter(({ path }) => firstObstacle(to, path) !== null);
  const inTheWay = [...write.filter(({ path }) => now.has(path)), ...occupied];
  if (inTheWay.length > 0)
    await keepPresent(
      ground,
      to,
      id,
      inTheWay.map(({ path }) => path),
    );
  await writeOut(ground, to, write);
  for (const { path, at } of aside) moveAside(join(asideFolder(ground, id), at), join(to, path));
  return [...write, ...aside].map(({ path }) => path).sort();
}

/** What was moved as it is, and is still there: it is moved back, and not copied. */
const stillAside = (ground: Ground, id: string): Moved[] =>
  (loadQuarantine(ground, id).moved ?? []).filter(({ at }) => lstatIfExists(join(asideFolder(ground, id), at)));

async function named(ground: Ground, id: string, paths: readonly string[]): Promise<TreeEntry[]> {
  const kept = await filesOf(ground, loadQuarantine(ground, id));
  return paths.map((path) => kept.get(path) ?? unknown(id, path));
}

function unknown(id: string, path: string): never {
  throw new UserError("not-in-quarantine", {
    what: "Nothing was brought back.",
    why: `The entry ${id} has no file ${path}`,
    next: `loop recover ${id} lists its files.`,
  });
}

function destination(to: string): string {
  if (isAbsolute(to)) {
    fs.mkdirSync(to, { recursive: true });
    return fs.realpathSync(to);
  }
  throw new UserError("not-absolute", {
    what: "Nothing was brought back.",
    why: `${to} is not an absolute path.`,
    next: "Name the folder by its whole path.",
  });
}

const isSame = (now: { id: string; mode: string } | undefined, id: string, mode: string): boolean =>
  now?.id === id && now.mode === mode;

/** Those of the paths that exist in a folder, tracked or ignored: with blob and mode, or null for a folder. */
async function present(
  ground: Ground,
  dir: string,
  paths: readonly string[],
): Promise<Map<string, { id: string; mode: string } | undefined>> {
  const found = new Map<string, { id: string; mode: string } | undefined>();
  for (const path of paths) {
    const at = firstObstacle(dir, path);
    if (at === null) continue;
    const stat = fs.lstatSync(at);
    if (at !== join(dir, path) || stat.isDirectory()) found.set(path, undefined);
    else if (stat.isSymbolicLink())
      found.set(path, {
        mode: "120000",
        id: await hash(ground, Buffer.from(fs.readlinkSync(at, { encoding: "buffer" }))),
      });
    else if (stat.isFile())
      found.set(path, { mode: stat.mode & 0o100 ? "100755" : "100644", id: await hash(ground, fs.readFileSync(at)) });
  }
  return found;
}

const hash = async (ground: Ground, input: Buffer): Promise<string> =>
  line(await ground.git(["hash-object", "-w", "--stdin", "--no-filters"], { ...inStore(ground), input }));

/** The path itself if it exists, or the file or link in place of one of its parent folders. */
export function firstObstacle(dir: string, path: string): string | null {
  let at = dir;
  const parts = path.split("/");
  for (const [depth, part] of parts.entries()) {
    at = join(at, part);
    const stat = lstatIfExists(at);
    if (stat === undefined) return null;
    if (depth === parts.length - 1 || !stat.isDirectory()) return at;
  }
  return null;
}

/** Sets aside the files at these paths in a folder, ignored or not, and removes them. */
export async function keepPresent(
  ground: Ground,
  dir: string,
  forEntry: string,
  paths: readonly string[],
): Promise<void> {
  const at = [...new Set(paths.flatMap((path) => firstObstacle(dir, path)?.slice(dir.length + 1) ?? []))];
  const tree = await treeOfPaths(ground, dir, at);
  await setAside(ground, { why: `in the way of ${forEntry}`, trees: [{ prefix: "", tree }], paths: at });
  for (const path of at) fs.rmSync(join(dir, path), { recursive: true, force: true });
}

/** Files at and below these paths, including ignored ones. */
export async function treeOfPaths(ground: Ground, dir: string, paths: readonly string[]) {
  return withTemporaryIndex(ground, null, async (index) => {
    const where = onFolder(ground, dir, index);
    if (paths.length > 0) {
      const list = temporary(ground, "paths");
      fs.writeFileSync(list, paths.map((path) => `${path}\0`).join(""));
      await ground.git(["add", "--force", `--pathspec-from-file=${list}`, "--pathspec-file-nul"], where);
      fs.rmSync(list);
    }
    return treeId(line(await ground.git(["write-tree", "--missing-ok"], where)));
  });
}
