// Which side each changed path is on, and the trees that combine one side of the base with the other of the candidate.
import { posix } from "node:path";
import type { TreeId } from "../core/ids.ts";
import type { Change, LaidFile, TakenFile, Workspace } from "../workspace/workspace.ts";
import { type Classification, isLockfile, mixManifest } from "./classify/index.ts";
import {
  hasInnerTests,
  moves as movesOf,
  repointed,
  sameButImports,
  splice,
  withoutInnerTests,
} from "./source/index.ts";
import type { LoadedTree } from "./trees.ts";

/** `test` and `other` are new files: a test, or a file that no rule knows and only the candidate's own room has. */
export type Side = "product" | "judge" | "mixed" | "test" | "other" | "cache" | "ours";

export type SidedChange = Change & {
  readonly side: Side;
  readonly reason: string;
  readonly isNew: boolean;
  readonly isTest: boolean;
  readonly isDocument: boolean;
  /** A protected file that could be product as well. */
  readonly either: boolean;
  /** A new file whose name and place no rule knows. */
  readonly unplaced?: true;
};

export type Sides = {
  readonly base: LoadedTree;
  readonly candidate: LoadedTree;
  readonly changes: readonly SidedChange[];
  /** Files that moved, by their old and new path. */
  readonly moved: readonly Move[];
  readonly classes: Classification;
};
export type Move = { readonly from: string; readonly to: string };

/** Protected files that this feature may change, in the version for the room of run A. */
export type Release = (path: string) => boolean;

export function sidesOf(
  base: LoadedTree,
  candidate: LoadedTree,
  changes: readonly Change[],
  classes: Classification,
): Sides {
  const added = classes.added(candidate);
  const sided = changes.map((change): SidedChange => {
    const isNew = !base.has(change.path);
    if (!isNew) {
      const { kind, reason, either, isTest, isDocument } = classes.of(change.path);
      return { ...change, side: kind, reason, isNew, isTest, isDocument, either };
    }
    const { kind, reason, isDocument, unplaced } = added(change.path);
    const side = unplaced === true && isOpened(change.path, candidate, added) ? "product" : kind;
    const open = unplaced === true && side === "other" ? { unplaced } : {};
    return { ...change, side, reason, isNew, isTest: kind === "test", isDocument, either: false, ...open };
  });
  return { base, candidate, changes: sided, moved: movedFiles(base, candidate, sided), classes };
}

/** Data that product code names: a migration, a template, a locale. Never code or configuration. */
const data =
  /\.(?:sql|json|jsonl|csv|tsv|txt|html?|xml|svg|css|md|mustache|hbs|ejs|njk|jinja2?|tmpl|tpl|graphql|proto|ya?ml|po|properties)$/i;

function isOpened(path: string, candidate: LoadedTree, added: ReturnType<Classification["added"]>): boolean {
  return candidate.paths.some(
    (other) => other !== path && added(other).kind === "product" && isNamedAsData(path, candidate.text(other) ?? ""),
  );
}

/** Whether code with this text names the file, or its folder, in quotes. */
export function isNamedAsData(path: string, text: string): boolean {
  if (!data.test(path) || path.startsWith(".") || path.includes("/.")) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.split("/").at(-2);
  return quotedParts(text).some((part) => part === name || part === folder);
}

/** The parts of quoted paths: a comment names nothing. */
const quotedParts = (text: string): readonly string[] =>
  (text.match(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g) ?? []).flatMap((quoted) => quoted.slice(1, -1).split("/"));

function movedFiles(base: LoadedTree, candidate: LoadedTree, changes: readonly SidedChange[]): readonly Move[] {
  const deleted = changes.filter(({ kind }) => kind === "deleted").flatMap(({ path }) => withText(path, base));
  const fresh = changes.filter(({ isNew }) => isNew).flatMap(({ path }) => withText(path, candidate));
  return deleted.length === 0 || fresh.length === 0 ? [] : movesOf(deleted, fresh);
}

function withText(path: string, tree: LoadedTree): { path: string; text: string }[] {
  const text = tree.text(path);
  return text === null ? [] : [{ path, text }];
}

type Lay = (LaidFile | TakenFile)[];

/** Run A: the candidate's product under the base's judge. `release`: files of the judge that come from the candidate. */
export async function oldJudge(sides: Sides, release: Release, workspace: Workspace): Promise<TreeId> {
  const { base, candidate, changes } = sides;
  const lay: Lay = changes.flatMap((change): Lay => {
    const { path, side, isNew } = change;
    if (side === "ours" || (side !== "cache" && release(path))) return [{ path, from: candidate.id }];
    if (side === "mixed") return [{ path, content: mixManifest(path, candidate.text(path), base.text(path)) }];
    if (side !== "product") return [];
    return [isNew ? withoutTests(path, candidate) : withTestsOf(path, candidate, base)];
  });
  return workspace.compose(base.id, [...lay, ...repointedJudge(sides, release)]);
}

/** Run U: the same, but files that could also be product come from the candidate. */
export async function oldJudgeEither(sides: Sides, release: Release, workspace: Workspace): Promise<TreeId> {
  const either = new Set(sides.changes.filter((change) => change.either).map(({ path }) => path));
  return oldJudge(sides, (path) => release(path) || either.has(path), workspace);
}

/** Run B: the candidate as it will be committed, without planted caches. */
export async function asItIs({ base, candidate, changes }: Sides, workspace: Workspace): Promise<TreeId> {
  const caches = changes.filter(({ side }) => side === "cache");
  return workspace.compose(
    candidate.id,
    caches.map(({ path }) => ({ path, from: base.id })),
  );
}

/** Run C: the base's product under the candidate's judge. */
export async function oldProduct({ base, candidate, changes }: Sides, workspace: Workspace): Promise<TreeId> {
  const lay: Lay = changes.flatMap((change): Lay => {
    const { path, side, isNew } = change;
    if (side === "cache") return [{ path, from: base.id }];
    if (side === "mixed") return [{ path, content: mixManifest(path, base.text(path), candidate.text(path)) }];
    if (side !== "product") return [];
    return [isNew ? { path, content: null } : withTestsOf(path, base, candidate)];
  });
  return workspace.compose(candidate.id, lay);
}

/** A product file with its inner tests from the other side. */
function withTestsOf(path: string, code: LoadedTree, tests: LoadedTree): LaidFile | TakenFile {
  const [product, judge] = [code.text(path), tests.text(path)];
  if (product === null || judge === null) return { path, from: code.id };
  if (!hasInnerTests(path, product) && !hasInnerTests(path, judge)) return { path, from: code.id };
  return { path, content: splice(path, product, judge) };
}

function withoutTests(path: string, tree: LoadedTree): LaidFile | TakenFile {
  const text = tree.text(path);
  if (text === null || !hasInnerTests(path, text)) return { path, from: tree.id };
  return { path, content: withoutInnerTests(path, text) };
}

function movedProduct({ changes, moved }: Sides): readonly Move[] {
  const products = new Set(changes.filter(({ side }) => side === "product").map(({ path }) => path));
  return moved.filter(({ from, to }) => products.has(from) && products.has(to));
}

/** A file of the judge that only went along with files that moved: the loop makes the same change itself. */
export function followsMoves(sides: Sides, path: string): boolean {
  const { base, candidate, moved } = sides;
  const to = moved.find(({ from }) => from === path)?.to ?? path;
  const [was, is] = [base.text(path), candidate.text(to)];
  if (was === null || is === null) return false;
  if (to !== path) return sameButImports(was, is);
  return was !== is && repointed(path, was, movedProduct(sides), (other) => candidate.has(other)) === is;
}

/** When a product file moved, the old judge looks for it in its new place: only the path changes. */
function repointedJudge(sides: Sides, release: Release): Lay {
  const { base, candidate, classes } = sides;
  const relevant = movedProduct(sides);
  if (relevant.length === 0) return [];
  return base.paths.flatMap((path): Lay => {
    const text = classes.of(path).kind !== "judge" || release(path) ? null : base.text(path);
    if (text === null) return [];
    const now = repointed(path, text, relevant, (other) => candidate.has(other));
    return now === text ? [] : [{ path, content: now }];
  });
}

/** A moved test file is the same test under another path. */
export function movedKey({ moved }: Sides, key: string): string {
  const move = moved.find(({ from }) => key.startsWith(`${from} > `));
  if (move === undefined) return key;
  // A Rust test's name begins with its program, which is named after the file.
  const [was, is] = [move.from, move.to].map((path) => ` > ${stemOf(path)} > `);
  const name = key.slice(move.from.length);
  return `${move.to}${was !== undefined && name.startsWith(was) ? `${is}${name.slice(was.length)}` : name}`;
}

const stemOf = (path: string): string => posix.basename(path, posix.extname(path));

/** Protected files of the base that the candidate changed or deleted; a file that only moved is not one. */
export function changedJudge({ base, candidate, changes, moved }: Sides): readonly SidedChange[] {
  const isSame = ({ from, to }: Move): boolean => sameButImports(base.text(from) ?? "", candidate.text(to) ?? "");
  const kept = new Set(moved.filter(isSame).map(({ from }) => from));
  return changes.filter(({ path, side, isNew }) => {
    if (isNew || kept.has(path)) return false;
    if (side === "judge") return true;
    // In a manifest, everything except dependency tables.
    return side === "mixed" && judgePart(path, candidate) !== judgePart(path, base);

    function judgePart(at: string, tree: LoadedTree): string | null {
      return mixManifest(at, base.text(at), tree.text(at));
    }
  });
}

/** Code of the product, without documents and lockfiles. */
export const changedCode = ({ changes }: Sides): readonly SidedChange[] =>
  changes.filter(({ side, isDocument, path }) => side === "product" && !isDocument && !isLockfile(path));

/** A test, or data that tests compare with, in any folder: what a person is asked about, and allows. */
export const isTestOrExpected = ({ isTest, isDocument, side, path }: SidedChange): boolean =>
  isTest || (side === "judge" && (isDocument || isExpectedData(path)));

/** Tool settings look like data, but are not. */
const isExpectedData = (path: string): boolean =>
  /\.(?:txt|json|jsonl|csv|tsv|html?|xml|svg|snap|golden|expected|out)$/i.test(path) &&
  !/(?:^|\/)(?:\.|[^/]*(?:config|settings|rc)[^/]*$|package)/i.test(path);
