// What a change did to sealed files, and what has to be laid back before it is believed.
import type { TreeId } from "../../core/ids.ts";
import type { Change, LaidFile, Workspace } from "../../workspace/workspace.ts";
import { isWelcome, steers } from "./additive.ts";
import { findRenames, type Rename } from "./renames.ts";
import type { SealRule } from "./seal.ts";
import { lockfiles } from "./seal-table.ts";
import { changedParts, isMixed } from "./sealed-parts.ts";

export type SealReport = {
  /** The sealed run: the files as they were, without the tests and the configuration that came with the change. */
  readonly lay: readonly LaidFile[];
  /** The same, but with those added tests that cannot decide over the others. */
  readonly layWithTests: readonly LaidFile[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Sealed files that lost or changed lines, where adding would have been enough. */
  readonly rewritten: readonly string[];
  /** Sealed files that were only added to, and tests that moved with their module: welcome. */
  readonly welcome: readonly string[];
  readonly renamed: readonly Rename[];
  /** Added files that could decide how the tests that were there before are run. */
  readonly steering: readonly string[];
  /** Lockfiles that changed while no manifest did. */
  readonly locks: readonly string[];
  /** Files that the contract lets change, and that would be sealed otherwise. */
  readonly released: readonly string[];
  /** Added tests that the sealed run leaves out. */
  readonly added: readonly string[];
  /** What earlier features of the run had rewritten, and what will have been once this change is accepted. */
  readonly worn: Worn | null;
  readonly wornAfter: Worn | null;
};

/**
 * Sealed files that earlier features of the run rewrote, with the tree that has them as they were, and the tests that came
 * since: together the suite as it stood before anybody rewrote a part of it, so that no test is worn down step by step.
 */
export type Worn = {
  readonly files: readonly { readonly path: string; readonly tree: TreeId }[];
  readonly added: readonly string[];
  /** What the loop counted on that tree is what the suite is held against. */
  readonly since: TreeId;
};

/** A file counts as it was before this feature, and one that is worn as it was before that. */
export async function compareWithSeal(
  workspace: Workspace,
  rule: SealRule,
  trees: { origin: TreeId; base: TreeId; candidate: TreeId },
  known?: Worn | null,
): Promise<SealReport> {
  const worn = known === undefined ? await wornBetween(workspace, rule, trees.origin, trees.base) : known;
  const now = await alteredSince(workspace, rule, trees.base, trees.candidate);
  const lay = new Map<string, LaidFile>();
  for (const { path, laid } of now.altered) lay.set(path, { path, content: laid });
  const gone = new Set(now.renames.map(({ from }) => from));
  for (const { path, tree } of worn?.files ?? []) {
    const content = gone.has(path) ? null : await laidBack(workspace, { from: tree, to: trees.candidate }, path);
    // Put right by this change, a part of a file is as it was, and what it had become is not laid back over it.
    if (content === null) lay.delete(path);
    else lay.set(path, { path, content });
  }
  const successors = new Set(now.renames.map(({ to }) => to));
  const added = now.added.filter((path) => !successors.has(path));
  const steering = await steeringAmong(workspace, rule, trees, added);
  const without = (paths: readonly string[]): LaidFile[] => {
    if (lay.size === 0 && steering.length === 0) return [];
    return [...lay.values(), ...paths.filter((path) => !lay.has(path)).map((path) => ({ path, content: null }))];
  };
  const modified = now.altered.filter(({ kind }) => kind === "modified");
  const rewritten = modified.filter(({ welcome }) => !welcome).map(({ label }) => label);
  return {
    // Laid back, the old tests stand alone: what came with the change may need what was laid back.
    lay: without([...added, ...(worn?.added ?? [])]),
    layWithTests: without(steering),
    changed: modified.map(({ label }) => label),
    deleted: now.altered.filter(({ kind }) => kind === "deleted").map(({ path }) => path),
    rewritten,
    welcome: [
      ...modified.filter(({ welcome }) => welcome).map(({ path }) => path),
      ...now.renames.flatMap(({ from, to }) => [from, to]),
    ],
    renamed: now.renames,
    steering,
    locks: locksAlone(now.changes, rule),
    released: now.changes.filter(({ path }) => rule.isReleased(path)).map(({ path }) => path),
    added,
    worn,
    wornAfter: worn === null && rewritten.length === 0 ? null : wear(worn, now, trees.base, gone),
  };
}

/** From the first rewriting on, everything that happens to sealed files is remembered: the suite is one whole. */
function wear(worn: Worn | null, now: Alterations, base: TreeId, gone: ReadonlySet<string>): Worn {
  const files = (worn?.files ?? []).filter(({ path }) => !gone.has(path));
  const known = new Set(files.map(({ path }) => path));
  const later = new Set(worn?.added ?? []);
  // A test that moved is as old as it was before it moved.
  const old = new Set(now.renames.filter(({ from }) => !later.has(from)).map(({ to }) => to));
  const fresh = now.altered.filter(({ path }) => !known.has(path)).map(({ path }) => ({ path, tree: base }));
  return {
    files: [...files, ...fresh],
    added: [...new Set([...later, ...now.added.filter((path) => !old.has(path))])],
    since: worn?.since ?? base,
  };
}

/** Without a memory of how it went: what differs from the run's beginning, and is no addition. */
async function wornBetween(workspace: Workspace, rule: SealRule, origin: TreeId, base: TreeId): Promise<Worn | null> {
  const { altered } = await alteredSince(workspace, rule, origin, base);
  const files = altered.filter(({ welcome }) => !welcome).map(({ path }) => ({ path, tree: origin }));
  return files.length === 0 ? null : { files, added: [], since: origin };
}

async function laidBack(workspace: Workspace, span: Span, path: string): Promise<string | Buffer | null> {
  if (isMixed(path)) return (await partOfFile(workspace, span, path))?.laid ?? null;
  return workspace.read(span.from, path);
}

type Altered = { path: string; label: string; kind: Change["kind"]; laid: string | Buffer; welcome: boolean };
type Alterations = {
  changes: readonly Change[];
  altered: readonly Altered[];
  renames: readonly Rename[];
  added: readonly string[];
};

async function alteredSince(workspace: Workspace, rule: SealRule, from: TreeId, to: TreeId): Promise<Alterations> {
  if (from === to) return { changes: [], altered: [], renames: [], added: [] };
  const changes = await workspace.changes(from, to);
  const renames = await findRenames(workspace, changes, { from, to }, rule.isSealed);
  const moved = new Set(renames.map(({ from: path }) => path));
  const altered: Altered[] = [];
  for (const { path, kind } of changes) {
    if (kind === "added" || moved.has(path) || rule.isReleased(path)) continue;
    const found = rule.isSealed(path)
      ? await wholeFile(workspace, { from, to }, path, kind)
      : isMixed(path) && kind === "modified"
        ? await partOfFile(workspace, { from, to }, path)
        : null;
    if (found !== null) altered.push(found);
  }
  const added = changes
    .filter(
      ({ path, kind }) =>
        kind === "added" && !rule.isReleased(path) && (rule.isTest(path) || rule.isConfiguration(path)),
    )
    .map(({ path }) => path);
  return { changes, altered, renames, added };
}

type Span = { from: TreeId; to: TreeId };

async function wholeFile(
  workspace: Workspace,
  span: Span,
  path: string,
  kind: Change["kind"],
): Promise<Altered | null> {
  const before = await workspace.read(span.from, path);
  if (before === null) return null;
  const after = kind === "deleted" ? null : await workspace.read(span.to, path);
  const welcome = after !== null && isWelcome(before.toString(), after.toString());
  return { path, label: path, kind, laid: before, welcome };
}

async function partOfFile(workspace: Workspace, span: Span, path: string): Promise<Altered | null> {
  const before = (await workspace.read(span.from, path))?.toString();
  const after = (await workspace.read(span.to, path))?.toString();
  const change = before === undefined || after === undefined ? null : changedParts(path, before, after);
  if (change === null) return null;
  return { path, label: `${path} (${change.parts.join(", ")})`, kind: "modified", laid: change.laid, welcome: false };
}

const filesMax = 200;

/**
 * A new conftest.py, a new vitest.config.ts, a new test that ends the process: the old tests have to do without. In a
 * folder that was not there before there are no old tests.
 */
async function steeringAmong(
  workspace: Workspace,
  rule: SealRule,
  trees: { base: TreeId; candidate: TreeId },
  added: readonly string[],
): Promise<string[]> {
  if (added.length === 0) return [];
  const old = await workspace.list(trees.base);
  const found: string[] = [];
  for (const path of added.slice(0, filesMax)) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const decides =
      (rule.isConfiguration(path) && old.some((other) => other.startsWith(folder))) ||
      steers((await workspace.read(trees.candidate, path))?.toString() ?? "");
    if (decides) found.push(path);
  }
  return found;
}

function locksAlone(changes: readonly Change[], rule: SealRule): string[] {
  const paths = new Set(changes.map(({ path }) => path));
  return changes
    .filter(({ path, kind }) => kind !== "added" && rule.isLockfile(path) && !rule.isReleased(path))
    .filter(({ path }) => {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      const manifests = lockfiles.find(([lock]) => path === folder + lock)?.[1] ?? [];
      const changed = [...paths].filter((other) => other.startsWith(folder)).map((other) => other.slice(folder.length));
      return !manifests.some((manifest) =>
        changed.some((other) => (manifest.startsWith("*") ? other.endsWith(manifest.slice(1)) : other === manifest)),
      );
    })
    .map(({ path }) => path);
}
