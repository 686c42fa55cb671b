// A test that moved together with its module. The old file is gone and cannot be laid back; the new one has to say the same.
import type { TreeId } from "../../core/ids.ts";
import type { Change, Workspace } from "../../workspace/workspace.ts";

export type Rename = { readonly from: string; readonly to: string };

const filesMax = 200;

/** Of the deleted files, those whose content lives on in an added one. `isSealed` says which deleted files matter. */
export async function findRenames(
  workspace: Pick<Workspace, "read">,
  changes: readonly Change[],
  trees: { readonly from: TreeId; readonly to: TreeId },
  isSealed: (path: string) => boolean,
): Promise<Rename[]> {
  const deleted = changes.filter(({ kind, path }) => kind === "deleted" && isSealed(path)).slice(0, filesMax);
  if (deleted.length === 0) return [];
  const added = changes.filter(({ kind }) => kind === "added").slice(0, filesMax);
  const moved = modulePairs(changes);
  const read = async (tree: TreeId, path: string): Promise<string> =>
    (await workspace.read(tree, path))?.toString("latin1") ?? "";
  const free = new Map<string, string>();
  for (const { path } of added) if (isSealed(path)) free.set(path, await read(trees.to, path));
  const renames: Rename[] = [];
  for (const { path: from } of deleted) {
    const before = await read(trees.from, from);
    const to = [...free].find(([path, after]) =>
      saysTheSame({ path: from, text: before }, { path, text: after }, moved),
    )?.[0];
    if (to === undefined) continue;
    free.delete(to);
    renames.push({ from, to });
  }
  return renames;
}

type Names = readonly (readonly [old: string, now: string])[];

const pairsMax = 50;

/** Names that became others: of modules and of their folders, by each deleted file and each added one of the same kind. */
function modulePairs(changes: readonly Change[]): Names[] {
  const of = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).slice(0, filesMax);
  const pairs: Names[] = [];
  for (const { path: old } of of("deleted")) {
    for (const { path: now } of of("added")) {
      if (pairs.length < pairsMax && extension(old) === extension(now)) pairs.push(namesIn(old, now));
    }
  }
  return pairs;
}

/** The whole way to a module in the spellings of imports, its last name, and folders in the same place, where they differ. */
function namesIn(old: string, now: string): Names {
  const bare = (path: string): string => path.slice(0, path.length - extension(path).length);
  const whole = ["/", ".", "::"].map((by) => [bare(old).replaceAll("/", by), bare(now).replaceAll("/", by)] as const);
  const [before, after] = [old.split("/").slice(0, -1), now.split("/").slice(0, -1)];
  const folders = before.length === after.length ? before.map((name, at) => [name, after[at] ?? name] as const) : [];
  return [...whole, [stem(old), stem(now)] as const, ...folders].filter(([from, to]) => from !== "" && from !== to);
}

const extension = (path: string): string => /\.[^./]+$/.exec(path)?.[0] ?? "";
const stem = (path: string): string =>
  (path.split("/").at(-1) ?? "")
    .replace(/^test_/, "")
    .replace(/[._-](?:test|spec|tests)(?=\.|$)/, "")
    .replace(/(?:\.[A-Za-z]+)+$/, "");

type File = { readonly path: string; readonly text: string };

/** Line by line the same, but for the module's new name where the old one stood, and for the way to it. */
function saysTheSame(old: File, now: File, moved: readonly Names[]): boolean {
  if (extension(old.path) !== extension(now.path)) return false;
  if (old.text === now.text) return true;
  const own = namesIn(old.path, now.path);
  return [own, ...moved.map((names) => [...names, ...own])].some((names) => isSame(old.text, now.text, names));
}

function isSame(old: string, now: string, names: Names): boolean {
  const left = new Map<string, number>();
  for (const line of linesOf(now)) left.set(shape(line), (left.get(shape(line)) ?? 0) + 1);
  const lines = linesOf(old);
  for (const line of lines) {
    const found = spellings(line, names).find((spelling) => (left.get(spelling) ?? 0) > 0);
    if (found === undefined) return false;
    left.set(found, (left.get(found) ?? 0) - 1);
  }
  return lines.length > 0 && [...left.values()].every((count) => count === 0);
}

/** How a line may read in the new file: as before, with the new name throughout, or only in what it imports from. */
function spellings(line: string, names: Names): string[] {
  const all = names.reduce((text, [from, to]) => text.replaceAll(from, to).replaceAll(upper(from), upper(to)), line);
  if (!isImport(line)) return [line, all];
  const once = names.map(([from, to]) => line.replace(from, to));
  const inPath = line.replace(quotedPath, (path) =>
    names.reduce((text, [from, to]) => text.replaceAll(from, to), path),
  );
  return [line, all, inPath, ...once].map(shape);
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const quotedPath = /(["'])\.{1,2}\/(?:[^"'/]+\/)*([^"'/]+)\1/g;

/** An import without the folders on the way to a file of the project's own: its last name stays. */
const shape = (line: string): string => (isImport(line) ? line.replace(quotedPath, "$1./$2$1") : line);

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const isImport = (line: string): boolean =>
  /^(?:import|from|use|mod|require|include|source|export)\b|\b(?:require|import|require_relative|mock|patch)\s*\(?\s*["'(]/.test(
    line,
  );
