// Files that an agent left and that git would wait for, or read for hours: moved to quarantine before git looks at the
// folder, and without being read. Those whose names git refuses follow when it has said so.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileClockMs, isErrno } from "../../../host/disk.ts";
import { moveAcross } from "../../../host/move-across.ts";
import { fields } from "../git.ts";
import { type Ground, ignoredAmong, onFolder } from "../ground.ts";
import { locate } from "../repository/repo.ts";
import { asideFolder, type Moved, newQuarantineId, setAside } from "./quarantine.ts";

/** `path` is absolute and in latin1, one character for each byte: names need not be valid UTF-8. */
type Unfit = { path: string; why: string };
type Sized = { path: string; size: number; blocks: number };

/** Git reads these whole, before anything else. */
const ruleNames = new Set([".gitignore", ".gitattributes"]);
const ruleBytesMax = 1 << 20;
/** The kernel takes paths of 4,096 bytes, and a clean checkout's folder may have a longer name than this one. */
const pathBytesMax = 2048;
/** Below this, holes do not matter. */
const holesMin = 1 << 20;

/**
 * Pipes, sockets, devices, rule files without end, folders without end, and files of `.git` that are mostly holes. Large
 * files of the folder itself are found by `setLargeAside`, when it is known which of them are ignored.
 */
export async function setUnfitAside(ground: Ground): Promise<void> {
  if (ground.memory.since === null) return;
  const since = ground.memory.since - fileClockMs;
  const root = latin1(ground.root);
  const found = walk(root, since);
  const common = ground.hasGit ? locate(ground.root)?.commonDir : undefined;
  if (common !== undefined && !isBelow(common, ground.root)) found.gitFiles.push(...youngFiles(latin1(common), since));
  await moveAll(ground, [...found.unfit, ...tooLarge(ground, found.gitFiles.filter(isHollow))]);
  const special = found.special.map((path) => path.slice(root.length + 1));
  const where = onFolder(ground, ground.root, ground.vault.index);
  const ignored = new Set(await ignoredAmong(ground, where, special));
  const why = "it is a pipe, a socket or a device";
  const seen = special.filter((path) => !ignored.has(path));
  await moveAll(
    ground,
    seen.map((path) => ({ path: `${root}/${path}`, why })),
  );
}

/** Changed files that are not ignored, of one folder that is about to be taken: by size each, and together. */
export async function setLargeAside(ground: Ground, workTree: string, index: string): Promise<void> {
  if (ground.memory.since === null) return;
  const since = ground.memory.since - fileClockMs;
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  const listed = new Set(fields(await ground.git(args, onFolder(ground, workTree, index)), "latin1"));
  const root = latin1(workTree);
  const files = [...listed].flatMap((path) => young(`${root}/${path}`, since) ?? []);
  await moveAll(ground, tooLarge(ground, files));
}

/**
 * What git has just refused to take because of its name, such as `.GIT/config` or `git~1`, which other file systems take for
 * the folder of a repository. Git itself decides: `complaints` are its own. False: there was nothing of that kind.
 */
export async function setRefusedAside(
  ground: Ground,
  { workTree, index }: { readonly workTree: string; readonly index: string },
  complaints: string,
): Promise<boolean> {
  const { since } = ground.memory;
  if (since === null || !complaints.includes("invalid path")) return false;
  const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
  const listed = [...new Set(fields(await ground.git(args, onFolder(ground, workTree, index)), "latin1"))];
  const refused = listed
    .filter((path) => complaints.includes(`invalid path '${asGitSays(path)}'`))
    .map((path) => `${latin1(workTree)}/${path}`)
    .filter((path) => isYoung(path, since - fileClockMs));
  await moveAll(
    ground,
    refused.map((path) => ({ path, why: "git refuses its name" })),
  );
  return refused.length > 0;
}

/** In an error, git shows control characters as question marks. */
const asGitSays = (path: string): string =>
  bytesOf(path)
    .toString("utf8")
    .replace(/[^\P{Cc}\t\n\u0080-\u009f]/gu, "?");

/** As few as possible, the largest first. */
function tooLarge({ bytesMax }: Ground, files: readonly Sized[]): Unfit[] {
  let sum = files.reduce((bytes, { size }) => bytes + size, 0);
  const found: Unfit[] = [];
  for (const { path, size } of [...files].sort((one, other) => other.size - one.size)) {
    if (sum <= bytesMax) break;
    sum -= size;
    const together = size > bytesMax ? "" : " with the others";
    found.push({ path, why: `it has ${gigabytes(size)}${together}, and limits.disk_gb allows ${gigabytes(bytesMax)}` });
  }
  return found;
}

const gigabytes = (bytes: number): string => `${Number((bytes / 1e9).toPrecision(3))} GB`;
const isHollow = ({ size, blocks }: Sized): boolean => size > holesMin && blocks * 512 < size / 2;
const isBelow = (path: string, dir: string): boolean => path.startsWith(`${dir}/`);

type Found = { unfit: Unfit[]; special: string[]; gitFiles: Sized[] };

function walk(root: string, since: number): Found {
  const found: Found = { unfit: [], special: [], gitFiles: [] };
  const todo = [root];
  for (let dir = todo.pop(); dir !== undefined; dir = todo.pop())
    for (const entry of entriesOf(dir)) {
      const path = `${dir}/${entry.name}`;
      if (!entry.isDirectory()) lookAt(entry, path, since, found);
      else if (entry.name === ".git") found.gitFiles.push(...youngFiles(path, since));
      else if (path.length - root.length <= pathBytesMax) todo.push(path);
      else if (isYoung(path, since)) found.unfit.push({ path, why: `its path is longer than ${pathBytesMax} bytes` });
    }
  return found;
}

function lookAt(entry: fs.Dirent, path: string, since: number, { unfit, special }: Found): void {
  const isRule = ruleNames.has(entry.name);
  const isSpecial = !entry.isFile() && !entry.isSymbolicLink();
  if (isSpecial && isYoung(path, since)) {
    if (isRule) unfit.push({ path, why: "it is a pipe, a socket or a device" });
    else special.push(path);
  } else if (isRule && (young(path, since)?.size ?? 0) > ruleBytesMax)
    unfit.push({ path, why: "git reads it whole, and it is larger than 1 MB" });
}

function youngFiles(dir: string, since: number): Sized[] {
  return entriesOf(dir).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    return entry.isDirectory() ? youngFiles(path, since) : (young(path, since) ?? []);
  });
}

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(bytesOf(dir), { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    // Others work in a shared `.git`; and a folder may be locked by its owner.
    if (["ENOENT", "ENOTDIR", "EACCES", "ENAMETOOLONG"].some((code) => isErrno(error, code))) return [];
    throw error;
  }
}

/** A file that was written or made since then. */
function young(path: string, since: number): Sized | null {
  const stat = statOf(path);
  if (!stat?.isFile() || stat.ctimeMs < since) return null;
  return { path, size: stat.size, blocks: stat.blocks };
}
const isYoung = (path: string, since: number): boolean => (statOf(path)?.ctimeMs ?? 0) >= since;

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(bytesOf(path), { throwIfNoEntry: false });
  } catch {
    return undefined; // It is gone, or cannot be reached.
  }
}

async function moveAll(ground: Ground, unfit: readonly Unfit[]): Promise<void> {
  if (unfit.length === 0) return;
  const id = newQuarantineId();
  const root = latin1(ground.root);
  const named = unfit.map(({ path, why }, at) => {
    const shown = bytesOf(isBelow(path, root) ? path.slice(root.length + 1) : path).toString("utf8");
    return { from: path, path: shown, why, at: `unfit-${at}` };
  });
  const moved: Moved[] = named.map(({ path, at }) => ({ path, at }));
  const [first] = named;
  const why = `left by an agent, and not taken: ${first?.why}${named.length > 1 ? `; and ${named.length - 1} more` : ""}`;
  // The record comes first: a file that a crash left in its place is found again.
  await setAside(ground, { why, paths: moved.map(({ path }) => path), moved }, id);
  for (const { from, at } of named) moveAcross(bytesOf(from), join(asideFolder(ground, id), at));
  ground.memory.refused.push(...named.map(({ path, why: reason }) => ({ path, why: reason, quarantine: id })));
}

const latin1 = (path: string): string => Buffer.from(path).toString("latin1");
const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1");
