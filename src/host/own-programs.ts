// The programs that the loop itself starts with the person's rights: git, those that build walls, and a few more. A
// repository may put its own folder on PATH (direnv, npx), so they are not taken from wherever PATH leads.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isWithin } from "./within.ts";

/** Only the administrator, or the person's own package manager, installs here. */
const systemFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin"]
  .concat(["/run/current-system/sw/bin", "/run/wrappers/bin", "/snap/bin"])
  .concat(["/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"]);

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The absolute path of a program: the first on PATH that no repository and no other user of the machine can have put there,
 * or that of a system folder. Null if there is none.
 */
export function findOwnProgram(name: string, env: Env = process.env): string | null {
  const onPath = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const paths = [...new Set([...onPath, ...systemFolders])].map((dir) => join(dir, name));
  return paths.find((path) => isProgram(path) && isTrusted(path)) ?? null;
}

/** The same; where there is none, a path that cannot be started. */
export const ownProgram = (name: string, env?: Env): string => findOwnProgram(name, env) ?? join("/usr/bin", name);

/** The system's own comes first, for a program whose options differ from one vendor to the next. */
export const findSystemProgram = (name: string): string | null => findOwnProgram(name, {}) ?? findOwnProgram(name);
export const systemProgram = (name: string): string => findSystemProgram(name) ?? ownProgram(name);

/**
 * The PATH of such a program, which starts others by name: the folders on PATH that no repository and no other user can have
 * put there, then the system's.
 */
export function ownPath(env: Env = process.env): string {
  const onPath = (env["PATH"] ?? "").split(delimiter).filter((dir) => isAbsolute(dir) && isTrustedFolder(dir));
  return [...new Set([...onPath, ...systemFolders])].join(delimiter);
}

/** Whether a program lies in this folder, or a link to it does. */
export const isProgramOf = (root: string, path: string): boolean =>
  [path, realPath(path) ?? path].some((each) => isWithin(each, realPath(root) ?? root));

function isTrusted(path: string): boolean {
  if (systemFolders.includes(dirname(path))) return true;
  const real = realPath(path);
  return real !== null && ![path, real].some(isOfProject) && [dirname(path), real].every(isOnlyOurs);
}

function isTrustedFolder(dir: string): boolean {
  if (systemFolders.includes(dir)) return true;
  const real = realPath(dir);
  return real !== null && ![dir, real].some((each) => isOfProject(join(each, "any"))) && isOnlyOurs(real);
}

const marks = [".git", ".loop", "loop.yaml"];

/** A repository, a workspace, packages that one installed, or the folder that the loop was started in. */
function isOfProject(path: string): boolean {
  if (path.includes("/node_modules/")) return true;
  const home = homedir();
  // People keep their home's own settings in git. Its programs are theirs.
  const folders = ancestors(dirname(path)).filter((folder) => folder !== "/" && !isWithin(home, folder));
  return folders.includes(startedIn()) || folders.some((folder) => marks.some((mark) => exists(join(folder, mark))));
}

function startedIn(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** No other user but the administrator can change it, or put something else in its place. */
function isOnlyOurs(path: string): boolean {
  return ancestors(path).every((each) => {
    const stat = fs.statSync(each);
    const isOwned = stat.uid === 0 || stat.uid === process.getuid?.();
    // A group of the same number as the user is the user's alone.
    const group = stat.gid === 0 || stat.gid === process.getuid?.() ? 0 : 0o020;
    const isSticky = (stat.mode & 0o1000) !== 0 && each !== path;
    return isOwned && ((stat.mode & (0o002 | group)) === 0 || isSticky);
  });
}

function ancestors(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...ancestors(above)];
}

function isProgram(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}

function realPath(path: string): string | null {
  try {
    return fs.realpathSync(path);
  } catch {
    return null;
  }
}

const exists = (path: string): boolean => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
