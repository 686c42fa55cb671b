// What a feature may touch: the contract's paths and its own, new tests, and nothing that steers later sessions or leads out
// of the repository.
import type { Cause } from "../../core/cause.ts";
import type { Feature } from "../../core/contract.ts";
import { isLockfile } from "../classify/index.ts";
import { matcher } from "../globs.ts";
import type { ProofContract } from "../prover.ts";
import type { Release, SidedChange } from "../sides.ts";
import { isManifest } from "./dependencies.ts";
import { leadsOut } from "./leads-out.ts";
import { steeringAmong } from "./steering-files.ts";

export type Touched = {
  readonly contract: ProofContract;
  readonly feature: Feature;
  readonly changes: readonly SidedChange[];
  /** Every path of the candidate. */
  readonly paths: readonly string[];
  readonly release: Release;
};

export function scopeCauses({ contract, feature, changes, paths, release }: Touched): Cause[] {
  const { mayTouch, names } = allowed(contract, feature);
  const steers = steeringAmong([...paths, ...changes.map(({ path }) => path)]);
  const planted = changes.filter(({ path }) => steers(path) && !names(path) && !release(path)).map(({ path }) => path);
  const isFolder = (path: string): boolean => paths.some((other) => other.startsWith(`${path}/`));
  const unnamed = changes.filter(({ path }) => !names(path) && !release(path));
  const out = unnamed.filter(({ path, linksTo }) => linksTo !== undefined && leadsOut(path, linksTo));
  const dissolved = unnamed.filter(
    ({ path, wasSubmodule, kind }) => wasSubmodule && (kind !== "deleted" || isFolder(path)),
  );
  const outside = changes
    .filter(({ path, isTest }) => {
      if (steers(path) || mayTouch(path) || release(path)) return false;
      // A lockfile follows its manifest. The runs judge a test, new or changed, wherever it is.
      if (isLockfile(path)) return !changes.some((other) => isManifest(other.path) && mayTouch(other.path));
      return !isTest;
    })
    .map(({ path }) => path);
  // What is not UTF-8 has become U+FFFD: no check, no report and no reader could name the file.
  const unreadable = changes.filter(({ path, isNew }) => isNew && path.includes("\ufffd")).map(({ path }) => path);
  return [
    ...cause(
      unreadable,
      `The names of these files are not UTF-8: ${listed(unreadable.map((path) => path.replaceAll("\ufffd", "\\ufffd")))}\nRename or remove them.`,
    ),
    ...cause(
      planted,
      `Files that steer agents or tools were changed without being in scope: ${listed(planted)}\nTo allow it, name them under scope.may_touch in loop.yaml.`,
    ),
    ...cause(
      out.map(({ path }) => path),
      `Links that lead out of the repository were added: ${listed(out.map(({ path, linksTo }) => `${path} to ${linksTo}`))}\nTo allow it, name them under scope.may_touch in loop.yaml.`,
    ),
    ...cause(
      dissolved.map(({ path }) => path),
      `Submodules were replaced by files: ${listed(dissolved.map(({ path }) => path))}\nTo allow it, name them under scope.may_touch in loop.yaml.`,
    ),
    ...cause(outside, `Changed outside the scope of ${feature.id}: ${listed(outside)}`),
  ];
}

/** `names` is stricter than `mayTouch`: a pattern that matches everything names nothing in particular. */
export function allowed(
  contract: ProofContract,
  feature: Feature,
): { mayTouch(path: string): boolean; names(path: string): boolean } {
  const globs = [...contract.scope.mayTouch, ...feature.mayTouch];
  const particular = globs.filter((glob) => !/^[*./]*$/.test(glob));
  return {
    mayTouch: globs.length === 0 ? () => true : matcher(globs),
    names: matcher(particular),
  };
}

const cause = (paths: readonly string[], text: string): Cause[] =>
  paths.length === 0 ? [] : [{ kind: "scope", key: `scope:${paths.slice().sort().join(",").slice(0, 200)}`, text }];

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, 20).join(", ")}${paths.length > 20 ? ", …" : ""}`;
