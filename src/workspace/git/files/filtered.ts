// Files that a filter program (git-lfs) stores in another form. The loop never runs one, so they must not change.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { filteredFile, restoreOrRemove } from "../../../formats/kept/vault-files.ts";
import { lstatExactly, readIfExists, writeAtomic } from "../../../host/disk.ts";
import { fields, line } from "../git.ts";
import { converting, copyTheirIndex, type Ground, inStore, onFolder, withTemporaryIndex } from "../ground.ts";
import { indexEntries } from "../index/index-content.ts";
import { type Entry, readEntries } from "../index/seed-index.ts";
import type { TreeEntry } from "../store/stored-trees.ts";
import { topArea } from "./snapshot.ts";

/** The content in the folder, and what the person's repository stores for it. */
type Filtered = Record<string, { raw: string; committed: string }>;

const fileOf = (ground: Ground): string => join(ground.vault.dir, "filtered.json");

/**
 * Records, before an agent runs, what the person's index has for untouched filtered files. Git itself would run the
 * filter to be sure about a file from the same second as the index; size and exact time must do here.
 */
export async function noteFiltered(ground: Ground): Promise<void> {
  if (ground.settings.filters.length === 0) return;
  const area = topArea(ground);
  await withTemporaryIndex(ground, null, async (index) => {
    if (!copyTheirIndex(ground, area.repo, index)) return;
    const listed = (await readEntries(ground, area, index)).map((entry) => ({ ...entry, path: utf8(entry.path) }));
    const byPath = new Map(listed.map((entry) => [entry.path, entry]));
    const known: Filtered = Object.create(null);
    for (const path of await filteredPaths(ground, [...byPath.keys()])) {
      const entry = byPath.get(path);
      if (entry !== undefined && isUntouched(join(ground.root, path), entry))
        known[path] = { raw: await blobOf(ground, path), committed: entry.id };
    }
    writeAtomic(fileOf(ground), JSON.stringify(known));
  });
}

function isUntouched(at: string, { size, mtime }: Entry): boolean {
  const stat = lstatExactly(at);
  if (!stat?.isFile() || stat.size % 2n ** 32n !== BigInt(size)) return false;
  const nanoseconds = stat.mtimeNs % 1_000_000_000n;
  return mtime === `${stat.mtimeNs / 1_000_000_000n}:${nanoseconds}` || mtime === `${stat.mtimeNs / 1_000_000_000n}:0`;
}

const blobOf = async (ground: Ground, path: string): Promise<string> =>
  line(await ground.git(["hash-object", "-w", "--no-filters", "--", join(ground.root, path)], inStore(ground)));
const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

/** Gives untouched filtered files the blob that the person's repository has for them. */
export async function settleFiltered(ground: Ground): Promise<void> {
  if (ground.settings.filters.length === 0) return;
  const index = ground.vault.commitIndex;
  if (!fs.existsSync(fileOf(ground))) await noteFiltered(ground);
  const known = readFiltered(ground);
  const committed = await entriesOf(ground, index);
  const raw = await entriesOf(ground, ground.vault.index);
  const changed: string[] = [];
  const lines: string[] = [];
  for (const path of await filteredPaths(ground, [...committed.keys()])) {
    const now = committed.get(path);
    const before = known[path];
    if (now === undefined) continue;
    if (before === undefined || raw.get(path)?.id !== before.raw) changed.push(path);
    else if (now.id !== before.committed) lines.push(`${now.mode} ${before.committed}\t${path}\0`);
  }
  if (changed.length > 0) throw cannotStore(changed);
  const where = converting(ground, ground.root, index);
  if (lines.length > 0) await ground.git(["update-index", "-z", "--index-info"], { ...where, input: lines.join("") });
}

/** For a checkout of a tree: the folder's files instead of what the repository stores for them. */
export function unfiltered(ground: Ground, tree: readonly TreeEntry[]): TreeEntry[] {
  const known = readFiltered(ground);
  return tree.flatMap((entry) => {
    const file = Object.hasOwn(known, entry.path) ? known[entry.path] : undefined;
    return file?.committed === entry.id ? [{ ...entry, id: file.raw }] : [];
  });
}

const readFiltered = (ground: Ground): Filtered =>
  filteredFile.mustParse<Filtered>(readIfExists(fileOf(ground)) ?? "{}", fileOf(ground), restoreOrRemove);

const cannotStore = (paths: readonly string[]): UserError =>
  new UserError("filtered-file-changed", {
    what: "The folder cannot be committed by the loop.",
    why: `A filter stores these files (git-lfs, or another program), and the loop never runs one: ${paths.slice(0, 5).join(", ")}`,
    next: "Commit them yourself, or keep the agent from changing them (scope.may_touch).",
  });

async function entriesOf(ground: Ground, index: string): Promise<Map<string, { mode: string; id: string }>> {
  const listed = await indexEntries(ground, onFolder(ground, ground.root, index));
  return new Map(listed.map((entry) => [utf8(entry.path), entry]));
}

async function filteredPaths(ground: Ground, paths: readonly string[]): Promise<string[]> {
  const where = converting(ground, ground.root, ground.vault.commitIndex);
  const input = paths.map((path) => `${path}\0`).join("");
  const answers = fields(await ground.git(["check-attr", "-z", "--stdin", "filter"], { ...where, input }));
  const found: string[] = [];
  for (let at = 0; at + 2 < answers.length; at += 3) {
    const [path, , value] = answers.slice(at, at + 3);
    if (path !== undefined && value !== undefined && ground.settings.filters.includes(value)) found.push(path);
  }
  return found;
}

/** Whether a filter stores any of these files. */
export const hasFiltered = async (ground: Ground, paths: readonly string[]): Promise<boolean> =>
  ground.settings.filters.length > 0 && (await filteredPaths(ground, paths)).length > 0;
