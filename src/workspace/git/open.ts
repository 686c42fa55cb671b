// A git repository as a workspace.
import * as fs from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { Branch } from "../branch.ts";
import type { Vault } from "../vault.ts";
import type { Checkpoint, Workspace } from "../workspace.ts";
import { loadCheckpoint, makeCheckpoint } from "./checkpoint.ts";
import { advance, append, boundHere, checkOut, commitTree, halfAdvanced, join } from "./commits/advance.ts";
import { commit, currentHead, newestWithout } from "./commits/commit.ts";
import { hold, release } from "./commits/hold.ts";
import { bringBack, differing } from "./files/bring-back.ts";
import { clear } from "./files/clear.ts";
import { listQuarantine } from "./files/quarantine.ts";
import { restore } from "./files/restore.ts";
import { setFiles } from "./files/set-files.ts";
import type { Snapshot } from "./files/snapshot.ts";
import { commitForm } from "./files/tree.ts";
import { setUnfitAside } from "./files/unfit.ts";
import { makeGit } from "./git.ts";
import { type Ground, type SessionBounds, sessionBounds } from "./ground.ts";
import { fold } from "./repository/fold.ts";
import { inspect } from "./repository/inspect.ts";
import { findRepositoryRoot, locate } from "./repository/repo.ts";
import { loadSettings, readSettings, saveSettings } from "./repository/settings.ts";
import { scratch } from "./rooms/scratch.ts";
import { changes, diff, list, read, readAll } from "./store/compare.ts";
import { forget } from "./store/forget.ts";
import { compose, layOver } from "./store/lay-over.ts";
import { merge } from "./store/merge.ts";
import { prepareStore } from "./store/store.ts";

export async function openGit(root: string, vault: Vault, bounds: SessionBounds): Promise<Workspace> {
  const ground = await groundOf(root, vault, bounds);
  const own: Own = {
    inspect: async () => {
      await refreshSettings(ground);
      return inspect(ground);
    },
    plainHead: async () => null,
    commit: (order) => commit(ground, order),
  };
  return assemble(ground, "git", own);
}

/** The same folder, in order to land something on it. */
export async function openGitBranch(root: string, vault: Vault): Promise<Branch> {
  const ground = await groundOf(root, vault, {});
  const alone = oneAtATime();
  fs.mkdirSync(vault.tmp, { recursive: true });
  return {
    advance: (order) => alone(() => advance(ground, order)),
    append: (from, orders) => alone(() => append(ground, from, orders)),
    halfAdvanced: () => alone(() => halfAdvanced(ground)),
    join: (order) => alone(() => join(ground, order)),
    checkOut: () => alone(() => checkOut(ground)),
    treeOf: (commit) => alone(() => commitTree(ground, commit)),
    boundHere: () => alone(() => boundHere(ground)),
  };
}

async function groundOf(root: string, vault: Vault, bounds: SessionBounds): Promise<Ground> {
  const git = makeGit(vault.home);
  const repo = locate(root);
  const known = loadSettings(vault);
  if (repo === null && known === null) throw noRepository(root);
  // Settings are read when a run starts (`inspect`), or when there are none yet: later ones may come from an agent.
  const settings = known ?? (await readSettings(git, root, repo));
  prepareStore(vault, settings);
  if (known === null) saveSettings(vault, settings);
  return { root, vault, git, settings, hasGit: true, ...sessionBounds(vault, bounds) };
}

async function refreshSettings(ground: Ground): Promise<void> {
  const repo = locate(ground.root);
  if (repo === null) return;
  const settings = await readSettings(ground.git, ground.root, repo);
  ground.settings = settings;
  prepareStore(ground.vault, settings);
  saveSettings(ground.vault, settings);
}

function noRepository(root: string): UserError {
  const above = findRepositoryRoot(root);
  return new UserError("not-a-repository", {
    what: "The workspace was not opened.",
    why: above === null ? `${root} is not a git repository.` : `${root} is a folder inside the repository ${above}`,
    next: above === null ? "Run git init there, or pass --no-git." : `Start in ${above}, or pass --no-git.`,
  });
}

/** The operations that differ between a git repository and a plain folder. */
export type Own = Pick<Workspace, "inspect" | "commit"> & { plainHead(): Promise<Checkpoint["head"]> };

/** One operation at a time: the private indexes and the person's `.git` are shared state. */
export function assemble(ground: Ground, kind: Workspace["kind"], own: Own): Workspace {
  const alone = oneAtATime();
  fs.mkdirSync(ground.vault.tmp, { recursive: true });
  return {
    root: ground.root,
    kind,
    inspect: () => alone(() => own.inspect()),
    checkpoint: (id) => alone(() => makeCheckpoint(ground, id, own.plainHead)),
    findCheckpoint: async (id) => loadCheckpoint(ground, id)?.checkpoint ?? null,
    forget: (isOver) => alone(() => forget(ground, isOver)),
    tree: (lay = [], { asFolded = false } = {}) =>
      alone(async () => {
        if (!asFolded) await setUnfitAside(ground);
        return layOver(ground, (await commitForm(ground, asFolded ? takeFolded(ground) : null)).commitTree, lay);
      }),
    fold: (before) => alone(() => fold(ground, before)),
    restore: (to, why, ours) => alone(() => restore(ground, to, why, ours)),
    setFiles: (tree, options) =>
      alone(async () => {
        await setUnfitAside(ground);
        return setFiles(ground, tree, options);
      }),
    clear: (before, why) => alone(() => clear(ground, before, why)),
    merge: (order) => alone(() => merge(ground, order)),
    hold: (order) => alone(() => hold(ground, order)),
    release: (of) => alone(() => release(ground, of)),
    changes: (from, to) => changes(ground, from, to),
    diff: (from, to, bytesMax) => diff(ground, from, to, bytesMax),
    read: (tree, path) => read(ground, tree, path),
    list: (tree) => list(ground, tree),
    head: () =>
      alone(async () => {
        const repo = kind === "git" ? locate(ground.root) : null;
        return repo === null ? own.plainHead() : currentHead(ground, repo);
      }),
    newestWithout: (commit, trailer) => alone(() => newestWithout(ground, commit, trailer)),
    readAll: (tree, paths, bytesMax) => readAll(ground, tree, paths, bytesMax),
    compose: (tree, lay) => compose(ground, tree, lay),
    commit: (order) => alone(() => own.commit(order)),
    scratch: (name, tree, options) => alone(() => scratch(ground, name, tree, options)),
    quarantine: {
      list: async () => listQuarantine(ground),
      files: (id) => alone(() => differing(ground, id)),
      bringBack: (id, options) => alone(() => bringBack(ground, id, options)),
    },
  };
}

/** Valid for one use: after that the folder may have changed. */
function takeFolded({ memory }: Ground): Snapshot | null {
  const { folded } = memory;
  memory.folded = null;
  return folded;
}

function oneAtATime(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
