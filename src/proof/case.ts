// One candidate before the prover: its two trees, split into sides, and everything that the runs share.
import { createHash } from "node:crypto";
import type { CheckSpec, Feature } from "../core/contract.ts";
import type { TreeId } from "../core/ids.ts";
import { inOwnWords } from "../formats/contract/others-words.ts";
import type { Change, Workspace } from "../workspace/workspace.ts";
import { ChecksInRooms, type ProofFiles, type RunOrder, type Setting } from "./checks-in-rooms.ts";
import { type Classification, isLockfile, isManifest } from "./classify/index.ts";
import { matcher } from "./globs.ts";
import type { ProofContract, ProveOrder, RunName } from "./prover.ts";
import type { Dependencies, Rooms } from "./rooms/room.ts";
import { askedRemovals } from "./rules/removed.ts";
import type { Seen } from "./seen.ts";
import { followsMoves, isTestOrExpected, type Release, type SidedChange, type Sides, sidesOf } from "./sides.ts";
import { testModuleFiles } from "./source/index.ts";
import type { KnownTrees, LoadedTree } from "./trees.ts";

export type Tools = {
  readonly workspace: Workspace;
  readonly rooms: Rooms;
  readonly files: ProofFiles;
  readonly trees: KnownTrees;
  /** Paths of the loop's own files, which are neither product nor judge. */
  readonly ours: ReadonlySet<string>;
};

export type Case = {
  readonly order: ProveOrder;
  readonly feature: Feature;
  readonly workspace: Workspace;
  readonly files: ProofFiles;
  readonly ours: ReadonlySet<string>;
  readonly sides: Sides;
  /** Everything that differs between the trees, without the loop's own files. */
  readonly changes: readonly Change[];
  readonly checks: readonly CheckSpec[];
  readonly rooms: ChecksInRooms;
  /** Protected files that may change, and single tests that have no vote. */
  readonly release: Release;
  readonly isReleased: (key: string) => boolean;
  /** Single tests that the feature names, each as `file > test name`. */
  readonly releasedTests: readonly string[];
  /**
   * A file that may change and that no person has reviewed yet: its tests may be renamed, but none may disappear, unless
   * it tests something that the feature says to remove.
   */
  readonly keepsCount: (path: string) => boolean;
  /** Which packages to install: on the base, with the base's judge over the candidate, and with the candidate's. */
  readonly packages: { readonly base: Packages; readonly old: Packages; readonly new: Packages };
  readonly cut: AbortSignal;
};

export type Packages = Pick<RunOrder, "dependencies" | "installed">;

export async function openCase(given: ProveOrder, tools: Tools, cut: AbortSignal): Promise<Case> {
  const { workspace, files, trees, ours } = tools;
  const order = inTheirOwnWords(given);
  const { contract, feature, base, candidate } = order;
  const changes = await workspace.changes(base, candidate);
  const before = await trees.load(base);
  const classes = classesOf(tools, contract, before);
  const after = await trees.load(candidate);
  const sides = sidesOf(before, after, changes, classes);
  return {
    order,
    feature,
    workspace,
    files,
    ours,
    sides,
    changes: changes.filter(({ path }) => !ours.has(path)),
    checks: contract.checks,
    rooms: new ChecksInRooms(settingOf(tools, contract, before), cut),
    ...released(order, sides),
    packages: packagesOf(before, after),
    cut,
  };
}

/** What a feature quotes from others says nothing about what it asks for. */
function inTheirOwnWords({ feature, earlier, ...order }: ProveOrder): ProveOrder {
  return {
    ...order,
    feature: inOwnWords(feature),
    ...(earlier === undefined ? {} : { earlier: earlier.map(inOwnWords) }),
  };
}

export function classesOf({ trees, ours }: Tools, contract: ProofContract, tree: LoadedTree): Classification {
  return trees.classify(tree, {
    product: contract.proof.product,
    tests: [...contract.checks.flatMap(({ tests }) => tests), ...testModules(tree)],
    ours: (path) => ours.has(path),
  });
}

/** Rust files that only tests use: another file declares that, and neither their name nor their folder shows it. */
const testModules = (tree: LoadedTree): string[] =>
  tree.paths
    .filter((path) => path.endsWith(".rs"))
    .flatMap((path) => testModuleFiles(path, tree.text(path) ?? ""))
    .filter((path) => tree.has(path));

export function settingOf(
  { rooms, files, workspace, ours }: Tools,
  contract: ProofContract,
  script: LoadedTree,
): Setting {
  const without = [...ours].map((path) => ({ path, content: null }));
  return { rooms, files, terms: contract.proof, script, identity: (tree) => workspace.compose(tree, without) };
}

/** The manifests and lockfiles of a tree determine what it has installed. */
export function packagesAt(tree: LoadedTree): Packages {
  const files = tree.paths.filter((path) => isLockfile(path) || isManifest(path));
  const hash = createHash("sha256");
  for (const path of files) hash.update(`${path}\0${tree.lock(path) ?? tree.text(path) ?? ""}\0`);
  return { dependencies: { of: "tree", tree: tree.id }, installed: hash.digest("hex") };
}

function packagesOf(base: LoadedTree, candidate: LoadedTree): Case["packages"] {
  const [was, is] = [packagesAt(base), packagesAt(candidate)];
  if (was.installed === is.installed) return { base: was, old: was, new: was };
  const both: Dependencies = { of: "both", base: base.id, tree: candidate.id };
  return { base: was, old: { dependencies: both, installed: `${was.installed}+${is.installed}` }, new: is };
}

/**
 * `file` releases the file, and its tests where the change rewrote it; `file > test name` releases only that test, and
 * its file stays as it was.
 */
function released(
  { contract, feature, decided }: ProveOrder,
  sides: Sides,
): Pick<Case, "release" | "isReleased" | "releasedTests" | "keepsCount"> {
  const named = [...contract.scope.mayChange, ...feature.mayChange];
  const tests = named.filter((entry) => entry.includes(" > "));
  const { changes } = sides;
  const isNamed = matcher(named.filter((entry) => !entry.includes(" > ")));
  // It needs no permission, and as a test that may change it would show less.
  const following = new Set(
    changes.map(({ path }) => path).filter((path) => isNamed(path) && followsMoves(sides, path)),
  );
  const files = (path: string): boolean => isNamed(path) && !following.has(path);
  const isAllowed = (change: SidedChange): boolean =>
    files(change.path) || (decided?.how === "allow" && isTestOrExpected(change));
  const allowed = new Set(changes.filter(isAllowed).map(({ path }) => path));
  const removed = new Set(askedRemovals({ sides, feature }));
  const isAboutRemoved = (text: string): boolean => (text.match(/\w+/g) ?? []).some((word) => removed.has(word));
  return {
    release: (path) => files(path) || allowed.has(path),
    releasedTests: tests,
    isReleased: (key) =>
      tests.some((test) => key === test || key.startsWith(`${test} > `)) ||
      inReleasedFile(key, (path) => allowed.has(path)),
    keepsCount: (path) => decided === undefined && allowed.has(path) && !isAboutRemoved(sides.base.text(path) ?? ""),
  };
}

/** A file that may change may also rename its tests. Run F shows whether it still bites. */
export function inReleasedFile(key: string, release: Release): boolean {
  const end = key.indexOf(" > ");
  return end !== -1 && release(key.slice(0, end));
}

export type At = { run: RunName | "base"; tree: TreeId; judge: "old" | "new"; part?: string; altered?: boolean } & Pick<
  RunOrder,
  "only" | "again" | "second" | "env"
>;

/** Runs one check on a tree of this case. */
export const look = (c: Case, check: CheckSpec, at: At): Promise<Seen> => c.rooms.run(check, orderFor(c, at));

export function orderFor(
  { order, packages }: Case,
  { run, tree, judge, part, only, again, altered, second, env }: At,
): RunOrder {
  return {
    label: `${order.label}-${run}${part === undefined ? "" : `-${part}`}`,
    tree,
    ...packages[run === "base" ? "base" : judge],
    ...(only === undefined ? {} : { only }),
    ...(again === undefined ? {} : { again }),
    ...(second === undefined ? {} : { second }),
    ...(env === undefined ? {} : { env }),
    ...((altered ?? isAltered(run, part)) ? { altered: true } : {}),
  };
}

/** Something in the room is missing or wrong on purpose: a server that does not answer, a loop that does not end. */
const isAltered = (run: At["run"], part: string | undefined): boolean =>
  run === "base" ? part !== undefined : ["C", "D", "E", "F", "K"].includes(run);

/** Results of the checks on the base. Runs of an earlier proof count, since its candidate is this base. */
export async function onBase(c: Case): Promise<ReadonlyMap<string, Seen>> {
  const found = new Map<string, Seen>();
  for (const check of c.checks)
    found.set(check.name, await look(c, check, { run: "base", tree: c.sides.base.id, judge: "old" }));
  return found;
}

export const mustBeGreen = ({ feature }: Pick<Case, "feature">, check: CheckSpec): boolean =>
  check.must === "stay-green" || feature.checks.includes(check.name);
