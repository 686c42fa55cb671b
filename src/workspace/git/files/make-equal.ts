// Makes a folder match a tree exactly, without touching files that the tree's own rules ignore.
import * as fs from "node:fs";
import { join } from "node:path";
import { Bug } from "../../../core/errors.ts";
import type { TreeId } from "../../../core/ids.ts";
import { fields, GitFailed } from "../git.ts";
import { type Ground, ignoredAmong, inStore, onFolder } from "../ground.ts";
import { entries } from "../store/stored-trees.ts";
import { writeOut } from "../store/write-out.ts";
import { type Area, snapshot } from "./snapshot.ts";

const roundsMax = 6;

/** `keep` receives everything found only on the way, before it is removed. `now` is already in quarantine. */
export async function makeEqual(
  ground: Ground,
  area: Area,
  now: TreeId,
  tree: TreeId,
  keep: (found: TreeId) => Promise<void>,
): Promise<void> {
  let have = now;
  for (let round = 0; round < roundsMax; round++) {
    await applyRules(ground, area, have, tree);
    await readTree(ground, area, tree);
    // Files that a changed .gitignore had hidden appear only after the old rules are restored.
    have = (await snapshot(ground, area, Number.MAX_SAFE_INTEGER)).tree;
    if (have === tree) return;
    await keep(have);
  }
  throw new Bug(`the folder ${area.workTree} could not be made equal to ${tree}: it has ${have}`);
}

async function readTree(ground: Ground, area: Area, tree: TreeId): Promise<void> {
  const where = onFolder(ground, area.workTree, area.index);
  try {
    await ground.git(["read-tree", "--reset", "-u", tree], where);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    // Permissions that an agent removed from its own folders must not stop a rollback; git stops at the first of them.
    makeWritable(area.workTree);
    await ground.git(["read-tree", "--reset", "-u", tree], where);
  }
}

function makeWritable(dir: string): void {
  const stat = fs.lstatSync(dir);
  if ((stat.mode & 0o700) !== 0o700) fs.chmodSync(dir, stat.mode | 0o700);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== ".git") makeWritable(join(dir, entry.name));
}

/**
 * The tree's rules decide what is ignored, not the agent's, so they are restored first. A file that they ignore, but
 * that a changed .gitignore had made part of the snapshot, is dropped from the index and not removed.
 */
async function applyRules(ground: Ground, area: Area, from: TreeId, to: TreeId): Promise<void> {
  const { gone, other } = await differing(ground, from, to);
  const isRule = (path: string) => path === ".gitignore" || path.endsWith("/.gitignore");
  const changed = new Set(other.filter(isRule));
  const rules = changed.size === 0 ? [] : (await entries(ground, to)).filter(({ path }) => changed.has(path));
  for (const path of gone.filter(isRule)) fs.rmSync(bytesPath(area.workTree, path), { force: true });
  await writeOut(ground, area.workTree, rules);
  const where = onFolder(ground, area.workTree, area.index);
  const ignored = await ignoredAmong(ground, where, gone, ["--no-index"]);
  if (ignored.length === 0) return;
  const letGo = Buffer.from(ignored.map((path) => `${path}\0`).join(""), "latin1");
  await ground.git(["update-index", "--force-remove", "-z", "--stdin"], { ...where, input: letGo });
}

// In latin1, so that names that are not valid UTF-8 stay unchanged.
async function differing(ground: Ground, from: TreeId, to: TreeId): Promise<{ gone: string[]; other: string[] }> {
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", from, to, "--"];
  const listed = fields(await ground.git(args, inStore(ground)), "latin1");
  const paths = (isGone: boolean) => listed.filter((_, at) => at % 2 === 1 && (listed[at - 1] === "D") === isGone);
  return { gone: paths(true), other: paths(false) };
}

const bytesPath = (dir: string, latin1: string): Buffer =>
  Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(latin1, "latin1")]);
