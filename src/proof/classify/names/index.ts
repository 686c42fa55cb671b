// Classifies a path by its text and the person's settings: rules 1 to 5. The tree only says where manifests are.
import picomatch from "picomatch";
import type { Settings } from "../kinds.ts";
import type { Tree } from "../tree.ts";
import { cacheReason } from "./caches.ts";
import { configurationName } from "./configuration.ts";
import { isDependencyList, isLockfile, manifestFormat } from "./dependencies.ts";
import { testName } from "./tests.ts";

/** likely: product may have such a name too, so the users of the file decide. */
export type NameClass =
  | { readonly is: "cache" | "ours" | "product" | "dependencies" | "manifest"; readonly reason: string }
  | { readonly is: "test" | "configuration"; readonly how: "sure" | "likely"; readonly reason: string }
  | { readonly is: "settings-test"; readonly reason: string }
  | { readonly is: "unnamed" };

export type DeclaredTests = (path: string) => boolean;
export type Names = (path: string) => NameClass;

export function namesFor(base: Tree, settings: Settings, declared: DeclaredTests): Names {
  const inSettings = productGlobs(settings.product);
  const isSettingsTest = matcher(settings.tests);
  return (path) => {
    const cache = cacheReason(path, base);
    if (cache !== null) return { is: "cache", reason: cache };
    if (settings.ours(path)) return { is: "ours", reason: "a file of the loop itself" };
    const glob = inSettings(path);
    if (glob !== null) return { is: "product", reason: `"${glob}" in the settings names it` };
    if (isSettingsTest(path)) return { is: "settings-test", reason: "a test, by the settings of a check" };
    return byName(path, declared);
  };
}

function byName(path: string, declared: DeclaredTests): NameClass {
  const test = testName(path);
  // A manifest in a test folder is a fixture: changing its dependencies would change what tests look at.
  if (test !== null && /^in /.test(test.reason)) return { is: "test", ...test };
  if (isLockfile(path)) return { is: "dependencies", reason: "a lockfile" };
  if (isDependencyList(path)) return { is: "dependencies", reason: "a list of dependencies" };
  if (manifestFormat(path) !== null)
    return { is: "manifest", reason: "a manifest: its dependencies are product, everything else is protected" };
  const configuration = configurationName(path);
  if (configuration !== null) return { is: "configuration", ...configuration };
  if (test?.how !== "sure" && declared(path))
    return { is: "test", how: "sure", reason: "a test, by the project's own test settings" };
  return test === null ? { is: "unnamed" } : { is: "test", ...test };
}

/**
 * The person's glob that makes a path product. A wide glob does not release the tests, configuration and manifests that
 * its wildcards happen to match: the glob has to name those itself (`src/testing/**`, `tools/*.config.js`).
 */
function productGlobs(globs: readonly string[]): (path: string) => string | null {
  const matchers = globs.map((glob) => ({
    glob,
    matches: picomatch(glob, { dot: true }),
    special: special(standIn(glob)),
  }));
  return (path) => {
    const named = special(path);
    return (
      matchers.find(({ matches, special: says }) => matches(path) && (named === null || says === named))?.glob ?? null
    );
  };
}

/** A path that the glob would match, with plain letters for its wildcards. */
const standIn = (glob: string): string => glob.replaceAll("**/", "").replace(/\*+|\?/g, "x");

function special(path: string): string | null {
  const named = byName(path, () => false);
  return named.is === "unnamed" || ("how" in named && named.how === "likely" && named.is === "configuration")
    ? null
    : named.is;
}

export function matcher(globs: readonly string[]): (path: string) => boolean {
  return globs.length === 0 ? () => false : picomatch([...globs], { dot: true });
}
