// Two trees as texts, split into sides: for the rules of a proof that run nothing.
import { treeId } from "../core/ids.ts";
import { classify } from "../proof/classify/index.ts";
import { type Sides, sidesOf } from "../proof/sides.ts";
import type { LoadedTree } from "../proof/trees.ts";
import type { Change } from "../workspace/workspace.ts";

export type Texts = Readonly<Record<string, string>>;

const treeOf = (name: string, files: Texts): LoadedTree => ({
  id: treeId(name.padEnd(40, "0")),
  paths: Object.keys(files).sort(),
  has: (path) => Object.hasOwn(files, path),
  text: (path) => files[path] ?? null,
  lock: () => null,
});

export function sidesBetween(before: Texts, after: Texts): Sides {
  const [base, candidate] = [treeOf("a", before), treeOf("b", after)];
  const kindOf = (path: string): Change["kind"] =>
    !candidate.has(path) ? "deleted" : base.has(path) ? "modified" : "added";
  const changes = [...new Set([...base.paths, ...candidate.paths])]
    .filter((path) => before[path] !== after[path])
    .map((path): Change => ({ path, kind: kindOf(path), binary: false, lines: 1 }));
  return sidesOf(base, candidate, changes, classify(base, { product: [], tests: [], ours: () => false }));
}
