// Files that were set aside before they were overwritten or removed, and how they are restored.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { isPlainName, type TreeId } from "../../../core/ids.ts";
import { quarantineFile } from "../../../formats/kept/vault-files.ts";
import { ensureDir, readIfExists, statIfExists, writeAtomic } from "../../../host/disk.ts";
import type { QuarantineEntry } from "../../workspace.ts";
import { keepTrees, type NestedRecord } from "../checkpoint.ts";
import { type Ground, inStore } from "../ground.ts";
import { entries, type TreeEntry } from "../store/stored-trees.ts";

/** `trees` hold files, later ones over earlier ones; `prefix` says where in the workspace a tree belongs. */
export type QuarantineRecord = {
  version: 1;
  id: string;
  at: number;
  why: string;
  /** Files that differed from their replacements, or folders of them: they are listed, counted and restored. */
  paths: readonly string[];
  trees: readonly { prefix: string; tree: TreeId }[];
  nested: readonly NestedRecord[];
  /** The files of `.git`, and commits that no branch holds any more. */
  git: string | null;
  commits: readonly string[];
  /** The loop's own files: kept in the trees, and never among `paths`. */
  except?: readonly string[];
  /** What is in no tree: it was moved as it is, to `at` in the entry's own folder. */
  moved?: readonly Moved[];
};
export type Moved = { readonly path: string; readonly at: string };
export type Findings = Pick<QuarantineRecord, "why"> &
  Partial<Pick<QuarantineRecord, "paths" | "trees" | "nested" | "git" | "commits" | "except" | "moved">>;

export const newQuarantineId = (): string =>
  `q${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}-${randomBytes(4).toString("hex")}`;

/** Keeps everything found, permanently, before the caller touches it. */
export async function setAside(ground: Ground, findings: Findings, id = newQuarantineId()): Promise<string> {
  const record: QuarantineRecord = {
    version: 1,
    id,
    at: Date.now(),
    paths: [],
    trees: [],
    nested: [],
    git: null,
    commits: [],
    ...findings,
  };
  const trees = [...record.trees.map(({ tree }) => tree), ...record.nested.flatMap(({ tree }) => tree ?? [])];
  if (trees.length > 0) await keepTrees(ground, `refs/quarantine/${id}`, trees);
  const input = record.commits.map((commit, at) => `update refs/quarantine/${id}-commits/${at} ${commit}\n`).join("");
  if (input !== "") await ground.git(["update-ref", "--no-deref", "--stdin"], { ...inStore(ground), input });
  writeAtomic(recordPath(ground, id), `${JSON.stringify(record)}\n`);
  return id;
}

/** Adds later findings to an entry. The first finding is the original, so it comes last and wins. */
export async function addToQuarantine(
  ground: Ground,
  id: string,
  found: Partial<Pick<QuarantineRecord, "trees" | "nested" | "paths">>,
): Promise<void> {
  const record = loadQuarantine(ground, id);
  const trees = (found.trees ?? []).filter(({ tree }) => record.trees.every((known) => known.tree !== tree));
  const nested = found.nested ?? [];
  if (trees.length + nested.length === 0) return;
  const isOurs = new Set(record.except ?? []);
  const paths = [...new Set([...record.paths, ...(found.paths ?? []).filter((path) => !isOurs.has(path))])];
  const all = { trees: [...trees, ...record.trees], nested: [...nested, ...record.nested], paths };
  await setAside(ground, { ...record, ...all }, id);
}

const recordPath = (ground: Ground, id: string): string => join(ground.vault.quarantine, `${id}.json`);
/** A folder for content that cannot be a tree, such as a foreign `.git`. */
export const asideFolder = (ground: Ground, id: string): string => {
  const dir = join(ground.vault.quarantine, id);
  ensureDir(dir);
  return dir;
};

export function loadQuarantine(ground: Ground, id: string): QuarantineRecord {
  const text = isPlainName(id) ? readIfExists(recordPath(ground, id)) : null;
  if (text !== null) return quarantineFile.mustParse<QuarantineRecord>(text, recordPath(ground, id), recoverByHand);
  throw new UserError("no-such-quarantine", {
    what: "Nothing was brought back.",
    why: `There is no quarantine entry named ${JSON.stringify(id.slice(0, 80))}.`,
    next: "loop recover lists them.",
  });
}

export const listRecords = (ground: Ground): QuarantineRecord[] =>
  namesOf(ground).map((name) => loadQuarantine(ground, name));

const namesOf = (ground: Ground): string[] =>
  fs
    .readdirSync(ground.vault.quarantine)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
const madeAt = (ground: Ground, id: string): number => statIfExists(recordPath(ground, id))?.mtimeMs ?? 0;
const recoverByHand =
  "Restore the file from a backup, or use the release that wrote it. Its files are still in the vault";

/** An entry whose record is damaged is listed, too: its files are still in the store. */
export function listQuarantine(ground: Ground): QuarantineEntry[] {
  return namesOf(ground)
    .flatMap((id) => {
      const kept = quarantineFile.parse<QuarantineRecord>(readIfExists(recordPath(ground, id)) ?? "");
      if (!kept.ok) return { id, at: madeAt(ground, id), why: `Its record cannot be read: ${kept.why}.`, files: 0 };
      const { at, why, paths } = kept.value;
      return isOursAlone(kept.value) ? [] : { id, at, why, files: paths.length };
    })
    .sort((one, other) => one.at - other.at || one.id.localeCompare(other.id));
}

/** A restored checkpoint replaced records of the loop, and nothing else. They are written again from the journal. */
const isOursAlone = ({ paths, nested, git, commits, except = [] }: QuarantineRecord): boolean =>
  except.length > 0 && paths.length + nested.length + commits.length === 0 && git === null;

const below = (prefix: string, { latin1, ...entry }: TreeEntry): TreeEntry => ({
  ...entry,
  path: prefix + entry.path,
  ...(latin1 === undefined ? {} : { latin1: Buffer.from(prefix).toString("latin1") + latin1 }),
});

/** Every file of an entry, by its path in the workspace. */
export async function filesOf(ground: Ground, record: QuarantineRecord): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  const inner = record.nested.flatMap(({ path, tree }) => (tree === null ? [] : [{ prefix: `${path}/`, tree }]));
  for (const { prefix, tree } of [...record.trees, ...inner])
    for (const entry of await entries(ground, tree))
      if (entry.type === "blob") found.set(prefix + entry.path, below(prefix, entry));
  return found;
}
