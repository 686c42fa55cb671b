// Imports features into docs/FEATURES.json: first as a plan that can be shown, then as one atomic write.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type Imported, type ImportFormat, importBytesMax, importFeatures } from "../../formats/import/index.ts";
import { type FeatureEntry, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { mergeFeatures } from "../../formats/queue/features-merge.ts";
import { vagueWarnings } from "../../formats/queue/vague-criteria.ts";
import { isErrno, lstatIfExists, writeAtomic } from "../../host/disk.ts";
import { featuresPath, keptRecordsDir, ownRecordsDir } from "../../runtime/records/paths.ts";
import { loadSettings } from "../config/settings.ts";
import { ignoreOurOwn } from "../place/ignore-own.ts";
import { lockWorkspace } from "../place/lock.ts";
import { asideFolder, workspaceDisk } from "../place/workspace-disk.ts";

export type ImportMode = "new" | "merge" | "replace";
export type ImportOrder = {
  readonly root: string;
  /** The file to read, or what was read; and how the person named it. */
  readonly file: string | { readonly text: string };
  readonly shown: string;
  readonly format: ImportFormat | null;
  readonly mode: ImportMode;
};
export type ImportPlan = {
  readonly imported: Imported;
  /** The target, relative to the workspace. */
  readonly path: string;
  readonly added: readonly FeatureEntry[];
  readonly already: number;
  readonly warnings: readonly string[];
  /** How many features there were; they stay or are set aside. */
  readonly before: number;
  readonly text: string;
};

/** Plans the import: reads, and writes nothing. */
export function planImport({ root, file, shown, format, mode }: ImportOrder): ImportPlan {
  const imported = importFeatures(shown, typeof file === "string" ? readImport(file, shown) : file.text, format);
  const path = queuePath(root);
  const there = readQueue(join(root, path), path);
  const { warnings, text, features: added } = imported;
  if (there === null || mode === "replace") {
    const before = there === null ? 0 : countIn(there, path);
    return { imported, path, warnings: [...warnings, ...vagueWarnings(added)], added, already: 0, before, text };
  }
  const queue = parseFeaturesJson(there, path);
  const merged = mergeFeatures(queue, imported.features, imported.text, path);
  if (mode === "new" && merged.added.length > 0) throw queueIsThere(path, queue.features.length, shown);
  const renamed = [...merged.renamed].map(([theirs, ours]) => `${theirs} is taken here, so it comes in as ${ours}.`);
  return {
    imported,
    path,
    // Warnings about features that already existed have been shown before.
    warnings: merged.added.length === 0 ? [] : [...warnings, ...renamed, ...vagueWarnings(merged.added)],
    added: merged.added,
    already: merged.already.size,
    before: queue.features.length,
    text: merged.text,
  };
}

/** Performs the import. Returns the path of the replaced file's backup, if any. */
export async function applyImport(order: ImportOrder): Promise<ImportPlan & { readonly backup: string | null }> {
  const lock = await lockWorkspace(order.root, `import of ${order.shown.slice(0, 80)}`);
  try {
    const plan = planImport(order);
    const target = join(order.root, plan.path);
    const backup = order.mode === "replace" ? setAside(order.root, target) : null;
    fs.mkdirSync(dirname(target), { recursive: true });
    if (plan.added.length > 0 || order.mode === "replace") writeAtomic(target, plan.text, { mode: 0o644 });
    return { ...plan, backup };
  } finally {
    await lock.release();
  }
}

export function readImport(file: string, shown: string): string {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw cannotRead(shown, "It is not a file.");
    if (stat.size > importBytesMax)
      throw cannotRead(
        shown,
        `It is larger than ${importBytesMax / 1024 / 1024} MB, too large to be a list of features.`,
      );
    const bytes = fs.readFileSync(file);
    if (bytes.includes(0)) throw cannotRead(shown, "It is not text.");
    return bytes.toString("utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) throw cannotRead(shown, "There is no such file.");
    throw error;
  }
}

/** The queue in use. A person who brings in a first one keeps it with the project. */
function queuePath(root: string): string {
  const path = featuresPath(loadSettings(root, {}, true).recordsDir);
  const isFirst = path === featuresPath(ownRecordsDir) && readQueue(join(root, path), path) === null;
  return isFirst ? featuresPath(keptRecordsDir) : path;
}

/** Null: there is none. A link is not followed: its target is not the loop's to replace. */
function readQueue(full: string, path: string): string | null {
  const stat = lstatIfExists(full);
  if (stat === undefined) return null;
  if (stat.isFile()) return fs.readFileSync(full, "utf8");
  throw new UserError("bad-features", {
    what: "Nothing was imported.",
    why: `${path} is not a plain file.`,
    next: `Move it away, then run the same command again.`,
  });
}

/** An invalid file can still be replaced, since a copy is kept. */
function countIn(text: string, path: string): number {
  try {
    return parseFeaturesJson(text, path).features.length;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return 0;
  }
}

/** Keeps a copy under an unused name; returns its path in the workspace. */
function setAside(root: string, target: string): string | null {
  if (!fs.existsSync(target)) return null;
  ignoreOurOwn(workspaceDisk(root));
  fs.mkdirSync(join(root, asideFolder), { recursive: true });
  for (let number = 1; ; number++) {
    const path = `${asideFolder}/FEATURES${number === 1 ? "" : `-${number}`}.json`;
    try {
      fs.copyFileSync(target, join(root, path), fs.constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error;
    }
  }
}

function queueIsThere(path: string, count: number, shown: string): UserError {
  return new UserError("features-exist", {
    what: "Nothing was imported.",
    why: `${path} is there already, with ${count === 1 ? "one feature" : `${count} features`}.`,
    next: `Add to it with: loop import ${shown} --merge. Or put the new ones in its place, with the old file kept: --replace`,
  });
}

const cannotRead = (shown: string, why: string): UserError =>
  new UserError("bad-import", {
    what: `${shown} was not read.`,
    why,
    next: "Name a file that holds features, then run the same command again.",
  });
