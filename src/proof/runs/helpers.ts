// Run A again, with changed files as they were that only tests use: a helper in a product folder that the old tests
// compare with must not be what makes them pass.
import { posix } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import { importersOf, importsOf } from "../classify/index.ts";
import { exportedNames, publicNames } from "../rules/public-names.ts";
import type { Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";
import { underOldJudge } from "./old-judge.ts";

export type Helped = { readonly files: readonly string[]; readonly tests: readonly string[] };

/** `tree` is run A's. Null: no such file was changed, or the old tests pass with the old one as well. */
export async function helpedByTests(c: Case, tree: TreeId, base: ReadonlyMap<string, Seen>): Promise<Helped | null> {
  const code = changedCode(c.sides).filter(({ kind }) => kind !== "deleted");
  const files = code
    .filter(({ kind, path }) => kind === "modified" && isForTests(c, path) && !isNamed(c, path))
    .map(({ path }) => path);
  // With all of it as it was, the product is the old one.
  if (files.length === 0 || files.length === code.length) return null;
  const laid = files.map((path) => ({ path, from: c.sides.base.id }));
  const { broken } = await underOldJudge(c, base, await c.workspace.compose(tree, laid), "A", "helpers");
  return broken.length === 0 ? null : { files, tests: broken.flatMap(({ lost }) => lost) };
}

/** Tests that are as they were use it, the product does not, and it uses nothing else that was changed. */
function isForTests({ sides }: Case, path: string): boolean {
  const { candidate, classes, changes } = sides;
  const changed = new Set(changes.map((change) => change.path));
  if (importsOf(path, candidate).some((to) => changed.has(to))) return false;
  const users = importersOf(path, candidate.paths, candidate);
  const isOldTest = (user: string): boolean => !changed.has(user) && classes.of(user).kind === "judge";
  const isNewTest = (user: string): boolean =>
    changes.some((change) => change.path === user && change.isNew && change.side !== "product");
  return users.some(isOldTest) && users.every((user) => isOldTest(user) || isNewTest(user));
}

/** The feature is about this file, or about a function in it. */
function isNamed({ sides, feature }: Case, path: string): boolean {
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const words = new Set(asked.match(/\w+/g) ?? []);
  const names = [
    ...exportedNames(path, sides.candidate.text(path) ?? ""),
    ...publicNames(path, sides.candidate.text(path) ?? ""),
  ];
  return asked.includes(posix.basename(path)) || names.some((name) => words.has(name));
}
