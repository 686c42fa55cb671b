// Where the vault of a workspace is, and its layout.
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { UserError } from "../core/errors.ts";
import { vaultReleaseFile, workspaceFile } from "../formats/kept/vault-files.ts";
import { ensureDir, isErrno, readIfExists, writeAtomic } from "../host/disk.ts";
import { version as release } from "../version.ts";

/** The private store outside the workspace. Every path in it is absolute. */
export type Vault = {
  dir: string;
  /** An empty home for git, so that it never reads the person's configuration by accident. */
  home: string;
  /** The private repository: checkpoints, quarantine, and in a plain folder the commits too. */
  store: string;
  /** A second git folder with the same objects, for files that git converts: line ends, `$Id$`, encodings. */
  convert: string;
  /** The objects of the person's repository, so that `rm -rf .git` loses nothing. */
  copy: string;
  /** The other files of `.git`, by content. */
  gitFiles: string;
  /** The private index of the folder's bytes, and that of the folder as a commit would contain it. */
  index: string;
  commitIndex: string;
  /** What is excluded from trees in addition to the folder's own `.gitignore` files. */
  exclude: string;
  settings: string;
  checkpoints: string;
  quarantine: string;
  nested: string;
  scratch: string;
  tmp: string;
};

/** `$XDG_STATE_HOME/loopwright/<name>-<12 hex>`: the name is for people, the hash makes it unique. */
export function vaultDirFor(root: string, env: NodeJS.ProcessEnv = process.env): string {
  const real = realFolder(root);
  const slug = basename(real)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 12);
  return join(vaultsDir(env), `${slug === "" ? "root" : slug}-${hash}`);
}

function realFolder(root: string): string {
  try {
    return fs.realpathSync(root);
  } catch (cause) {
    throw isErrno(cause, "ENOENT") ? folderMissing(root) : cause;
  }
}

export const folderMissing = (root: string): UserError =>
  new UserError("no-workspace", {
    what: `The folder ${root} is missing.`,
    why: "It was moved or removed, or its disk is not mounted.",
    next: `Move it back there. A run that was at work: loop continue`,
  });

/** Where the vaults of all workspaces are, and data that belongs to none of them. */
export function vaultsDir(env: NodeJS.ProcessEnv = process.env): string {
  const state = env["XDG_STATE_HOME"];
  const base = state !== undefined && isAbsolute(state) ? state : join(homedir(), ".local", "state");
  return join(base, "loopwright");
}

/** Opens the vault for `root`, or creates it. Refuses one that someone else could have prepared. */
export function openVault(dir: string, root: string): Vault {
  if (`${dir}/`.startsWith(`${root}/`)) throw inside(dir, root);
  ensureDir(dir);
  refuseForeign(dir);
  refuseNewer(dir);
  claim(dir, root);
  const vault = layout(dir);
  for (const folder of [vault.home, vault.copy, vault.gitFiles, vault.checkpoints, vault.quarantine]) ensureDir(folder);
  for (const folder of [vault.nested, vault.scratch]) ensureDir(folder);
  ensureDir(vault.tmp);
  sweep(join(dir, "tmp"));
  return vault;
}

/** What a vault's note says about the folder that it keeps. */
type Note = {
  readonly root: string;
  /** For a worktree: the folder that it was made from, which may open the vault too. */
  readonly project?: string;
  /** For a worktree: the copy of the objects that it shares with that folder. */
  readonly copy?: string;
};

/** A vault for a worktree of `project`, whose own vault is `above`. Both copy the same objects, so there is one copy. */
export function prepareWorktreeVault(dir: string, note: { root: string; project: string; above: string }): void {
  ensureDir(dir);
  const { root, project, above } = note;
  writeNote(dir, { root, project, copy: layout(above).copy });
}

function layout(dir: string): Vault {
  return {
    dir,
    home: join(dir, "home"),
    store: join(dir, "store.git"),
    convert: join(dir, "convert.git"),
    copy: readNote(dir)?.copy ?? join(dir, "git-copy"),
    gitFiles: join(dir, "git-files"),
    index: join(dir, "index"),
    commitIndex: join(dir, "commit-index"),
    exclude: join(dir, "exclude"),
    settings: join(dir, "settings.json"),
    checkpoints: join(dir, "checkpoints"),
    quarantine: join(dir, "quarantine"),
    nested: join(dir, "nested"),
    scratch: join(dir, "scratch"),
    // A run and a command of the same person may use the vault at the same time, so each has its own.
    tmp: join(dir, "tmp", `${process.pid}-${randomBytes(4).toString("hex")}`),
  };
}

// Removes a killed process's files. If its pid is in use again, they stay until the next time.
function sweep(tmp: string): void {
  for (const name of fs.readdirSync(tmp)) {
    if (!isAlive(Number.parseInt(name, 10))) fs.rmSync(join(tmp, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

const inside = (dir: string, root: string): UserError =>
  new UserError("vault-inside-workspace", {
    what: `The vault ${dir} was not opened.`,
    why: `It lies inside the workspace ${root}, where an agent can reach it.`,
    next: "Set XDG_STATE_HOME to a folder elsewhere.",
  });

function refuseForeign(dir: string): void {
  const stat = fs.lstatSync(dir);
  const refuse = (why: string) =>
    new UserError("vault-not-ours", {
      what: `The vault ${dir} was not opened.`,
      why,
      next: "Look at who made it, remove it, and try again.",
    });
  if (!stat.isDirectory()) throw refuse("It is a link or a file, not a folder.");
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) throw refuse(`It belongs to user ${stat.uid}, not to you (${uid}).`);
  if ((stat.mode & 0o077) !== 0) fs.chmodSync(dir, 0o700);
}

// The note is for people who find the folder, and detects a vault shared by two folders.
function claim(dir: string, root: string): void {
  if (readIfExists(notePath(dir)) === null) writeNote(dir, { root });
  const note = readNote(dir);
  if (note?.root === root || note?.project === root) return;
  throw new UserError("vault-of-another", {
    what: `The vault ${dir} was not opened.`,
    why: `It keeps another folder: ${note?.root ?? "its note cannot be read"}.`,
    next: "Name another vault folder.",
  });
}

const notePath = (dir: string): string => join(dir, "workspace.json");
const writeNote = (dir: string, note: Note): void =>
  writeAtomic(notePath(dir), `${JSON.stringify({ version: vaultVersion, release, ...note }, null, 2)}\n`);

/** Of everything in a vault: a release that writes a file which earlier ones cannot read raises it, with its own name. */
const vaultVersion = 1;

type VaultRelease = { readonly version: number; readonly release?: string };

/** A vault of a later release is left alone: half of it would be misread. */
export function refuseNewer(dir: string): void {
  const text = readIfExists(notePath(dir));
  const found = text === null ? null : vaultReleaseFile.parseIfPossible<VaultRelease>(text);
  if (found === null || found.version <= vaultVersion) return;
  const { version: has, release: by } = found;
  throw new UserError("vault-too-new", {
    what: "Nothing was done.",
    why: `A newer Loopwright${by === undefined ? "" : ` (${by})`} has worked here: its vault has version ${has}, and this release (${release}) reads version ${vaultVersion}.`,
    next: `npm install --global loopwright@${by ?? "latest"}`,
  });
}

function readNote(dir: string): Note | null {
  const text = readIfExists(notePath(dir));
  return text === null ? null : workspaceFile.parseIfPossible<Note>(text);
}

/** The folder that a vault keeps; null: there is no such vault. */
export const rootOfVault = (dir: string): string | null => readNote(dir)?.root ?? null;
