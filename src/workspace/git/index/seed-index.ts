// The first private index of a folder: a copy of the person's, so that the first snapshot need not read every file.
import * as fs from "node:fs";
import { hasConversions, inFolder } from "../files/conversions.ts";
import type { Area } from "../files/snapshot.ts";
import { fields } from "../git.ts";
import { copyTheirIndex, type Ground, onFolder } from "../ground.ts";
import { idBytes } from "../store/object-files.ts";

/**
 * Creates the private index. Files that the person tracks stay tracked even if a rule ignores them, and files outside a
 * sparse checkout do not look deleted. Files are read again unless their blob is certain to match the folder.
 */
export async function seedIndex(ground: Ground, area: Area): Promise<void> {
  const beside = `${area.index}.seed`;
  if (!copyTheirIndex(ground, area.repo, beside)) return;
  const entries = await readEntries(ground, area, beside);
  const exact = !(await hasConversions(
    ground,
    entries.map(({ path }) => path),
    inFolder(area.workTree),
  ));
  const doubtful = exact ? await doubtfulEntries(ground, entries) : entries;
  const links = entries.filter(({ mode }) => mode === "160000");
  await reload(ground, area, beside, doubtful, links);
  fs.renameSync(beside, area.index);
}

/** An index entry; `path` is in latin1. */
export type Entry = {
  mode: string;
  id: string;
  path: string;
  size: number;
  mtime: string;
  kept: boolean;
  skipped: boolean;
};

export async function readEntries(ground: Ground, area: Area, index: string): Promise<Entry[]> {
  const where = onFolder(ground, area.workTree, index);
  const debug = fields(await ground.git(["ls-files", "--stage", "--debug", "-z"], where), "latin1");
  return debug.slice(0, -1).map((text, at) => parseDebug(text, debug[at + 1] ?? ""));
}

// Git prints a file's details after its name, so they are at the start of the next field.
const known = /^ {2}ctime: .*\n {2}mtime: (\d+:\d+)\n.*\n.*\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/;

function parseDebug(text: string, after: string): Entry {
  const own = text.replace(known, "");
  const tab = own.indexOf("\t");
  const [mode = "", id = ""] = own.slice(0, tab).split(" ");
  const [, mtime = "", size = "0", flags = "0"] = known.exec(after) ?? [];
  const bits = Number.parseInt(flags, 16);
  return {
    mode,
    id,
    path: own.slice(tab + 1),
    size: Number(size),
    mtime,
    kept: (bits & 0x8000) !== 0,
    skipped: (bits & 0x40000000) !== 0,
  };
}

// A blob with another size than its file was converted once, by a setting that may be gone by now.
async function doubtfulEntries(ground: Ground, entries: readonly Entry[]): Promise<Entry[]> {
  const files = entries.filter(({ mode }) => mode !== "160000");
  const input = files.map(({ id }) => `${id}\n`).join("");
  const sizes = await ground.git(["cat-file", "--batch-check=%(objectsize)", "--buffer"], {
    gitDir: ground.vault.store,
    input,
  });
  const lines = sizes.stdout.toString("utf8").split("\n");
  return files.filter((entry, at) => !entry.skipped && (entry.kept || Number(lines[at]) % 2 ** 32 !== entry.size));
}

async function reload(
  ground: Ground,
  area: Area,
  index: string,
  doubtful: readonly Entry[],
  links: readonly Entry[],
): Promise<void> {
  const where = onFolder(ground, area.workTree, index);
  const remove = [...links, ...doubtful].map(({ path }) => `0 ${"00".repeat(idBytes(ground))}\t${path}\0`);
  const add = doubtful.filter(({ mode }) => mode !== "160000").map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`);
  if (remove.length === 0) return;
  const input = Buffer.from([...remove, ...add].join(""), "latin1");
  await ground.git(["update-index", "-z", "--index-info"], { ...where, input });
  const skipped = doubtful.filter((entry) => entry.skipped);
  if (skipped.length === 0) return;
  const paths = Buffer.from(skipped.map(({ path }) => `${path}\0`).join(""), "latin1");
  await ground.git(["update-index", "--skip-worktree", "-z", "--stdin"], { ...where, input: paths });
}
