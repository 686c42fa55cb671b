// Files that a filter program (git-lfs) stores as something else. The loop never runs one, so they must not change.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { fields } from "./git.ts";
import { converting, type Ground, onFolder } from "./ground.ts";
import { stageEntry } from "./snapshot.ts";

/** What lay in the folder, and what the person's repository has for it. */
type Filtered = Record<string, { raw: string; committed: string }>;

const fileOf = (ground: Ground): string => join(ground.vault.dir, "filtered.json");

/**
 * Gives untouched filtered files the blob that the person's repository has for them. The first time, an untouched file
 * is one that the person's own index knows as such; that is noted, because a restore gives files another time.
 */
export async function settleFiltered(ground: Ground): Promise<void> {
  if (ground.settings.filters.length === 0) return;
  const index = ground.vault.commitIndex;
  const where = converting(ground, ground.root, index);
  const committed = await entriesOf(ground, index);
  const raw = await entriesOf(ground, ground.vault.index);
  const noted = readIfExists(fileOf(ground));
  const known: Filtered = noted === null ? {} : JSON.parse(noted);
  const changed: string[] = [];
  const lines: string[] = [];
  for (const path of await filteredPaths(ground, [...committed.keys()])) {
    const now = committed.get(path);
    const bytes = raw.get(path);
    if (now === undefined || bytes === undefined) continue;
    const before = known[path];
    if (now.id !== bytes.id) known[path] = { raw: bytes.id, committed: now.id };
    else if (before?.raw === bytes.id) lines.push(`${now.mode} ${before.committed}\t${path}\0`);
    else changed.push(path);
  }
  if (changed.length > 0) throw cannotStore(changed);
  if (lines.length > 0) await ground.git(["update-index", "-z", "--index-info"], { ...where, input: lines.join("") });
  writeAtomic(fileOf(ground), JSON.stringify(known));
}

const cannotStore = (paths: readonly string[]): UserError =>
  new UserError("filtered-file-changed", {
    what: "The folder cannot be committed by the loop.",
    why: `A filter stores these files (git-lfs, or another program), and the loop never runs one: ${paths.slice(0, 5).join(", ")}`,
    next: "Commit them yourself, or keep the agent from changing them (scope.may_touch).",
  });

async function entriesOf(ground: Ground, index: string): Promise<Map<string, { mode: string; id: string }>> {
  const listed = await ground.git(["ls-files", "--stage", "-z"], onFolder(ground, ground.root, index));
  return new Map(
    fields(listed)
      .map(stageEntry)
      .map((entry) => [entry.path, entry]),
  );
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
