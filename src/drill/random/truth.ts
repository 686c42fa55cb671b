// The truth about a random change, found with git, a fresh clone and the project's runner: no code of the prover.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Case, Edit } from "../cases/case.ts";
import type { Snippet } from "../cases/kits/kit.ts";
import { bring, closureOf, lay, type Place } from "../cases/lay.ts";
import type { RandomChange } from "./generate.ts";
import { featureEdit, reference } from "./operations/product.ts";
import { moduleAt, shippingAt } from "./operations/tests.ts";

export type Ground = {
  /** An empty folder for this seed only. */
  readonly dir: string;
  /** A node_modules with real packages. */
  readonly packages: string;
};

export type Truth = {
  /** The change as it would be committed, in a fresh clone with the base's packages: its own tests pass. */
  readonly own: boolean;
  /** The original tests, fixtures and configuration over the committed product pass. */
  readonly old: boolean;
  /** How many of the hidden calls of the feature give a wrong answer, out of `points`. */
  readonly wrong: number;
  readonly points: number;
  readonly good: boolean;
  /** Whether the change's tests fail when the feature is a stub, a constant or a wrong sum. */
  noticesFeature(): Promise<"all" | "some" | "none">;
  /** The change's tests fail when the old functions are broken. */
  noticesOld(): Promise<boolean>;
};

const weights = [0, 1, 3, 5, 7, 12, 19, 20, 21, 25, 40];

export async function findTruth(change: RandomChange, { dir, packages }: Ground): Promise<Truth> {
  const store = join(dir, "store");
  await commitChange(change, join(dir, "replay"), store);
  let count = 0;
  const clone = async (): Promise<Place> => {
    count += 1;
    const place = { folder: join(dir, `clone-${count}`, "till"), home: join(dir, `clone-${count}`, "home") };
    await mkdir(place.home, { recursive: true });
    succeed(`git clone -q ${store} ${place.folder}`, { folder: dir, home: place.home });
    await install(change, place, packages);
    return place;
  };
  const own = passes(change.case.check.run, await clone());
  const restored = await clone();
  await restore(change, restored, "plain");
  let old = passes(change.case.check.run, restored);
  if (!old && change.moves.size > 0) {
    // A module whose imports were updated stays in its new place for old tests, too.
    await restore(change, restored, "moved");
    old = passes(change.case.check.run, restored);
  }
  const wrong = await wrongCalls(change, restored);
  return {
    own,
    old,
    wrong,
    points: weights.length,
    good: own && old && wrong === 0,
    noticesFeature: () => noticed(change, clone, ["shipping-stub", "shipping-constant", "shipping-wrong"]),
    noticesOld: () => noticesAll(change, clone),
  };
}

/** The agent's folder again, and what git finds in it with default settings: from the bytes on disk, not its index. */
async function commitChange({ case: one }: RandomChange, dir: string, store: string): Promise<void> {
  const place = await begun(one, dir);
  await mkdir(store, { recursive: true });
  const outside = `export GIT_DIR=${store}/.git GIT_WORK_TREE=${place.folder}`;
  succeed(`git init -q -b main ${store} && ${outside} && ${identity} && git add -A && git commit -qm start`, place);
  await lay(one.installed ?? {}, place);
  await leave(one, place);
  await rm(place.home, { recursive: true, force: true });
  await mkdir(place.home);
  succeed(`${outside} && git add -A && git commit -qm done --allow-empty`, place);
}

const identity = "git config user.name till && git config user.email till@example.org";

async function begun(one: Case, dir: string): Promise<Place> {
  const place = { folder: join(dir, "work"), home: join(dir, "home") };
  for (const folder of Object.values(place)) await mkdir(folder, { recursive: true });
  await lay(one.project, place);
  succeed(`git init -q -b main && ${identity} && git add -A && git commit -qm start`, place);
  return place;
}

async function leave(one: Case, place: Place): Promise<void> {
  await lay(one.change, place);
  await lay(one.tampered ?? {}, place);
  if (one.act !== undefined) succeed(one.act, place);
}

/** The tests pass in the agent's own folder, with everything that it left there. */
export async function looksWell(change: RandomChange, { dir, packages }: Ground): Promise<boolean> {
  const place = await begun(change.case, dir);
  await install(change, place, packages);
  await leave(change.case, place);
  return passes(change.case.check.run, place);
}

async function install({ case: one }: RandomChange, place: Place, packages: string): Promise<void> {
  await lay(one.installed ?? {}, place);
  const { needs = [] } = one;
  const names = needs.length === 0 ? null : await closureOf(packages, needs);
  if (names !== null) await bring({ packages, names, needs }, place.folder, "links");
}

/** Resets everything except the product to the base: new files are removed, missing ones restored. */
async function restore(change: RandomChange, place: Place, how: "plain" | "moved"): Promise<void> {
  const listed = run("git ls-files -z", place).output.split("\0");
  const fresh = listed.filter((path) => path !== "" && !change.isProduct(path));
  await lay(Object.fromEntries(fresh.map((path) => [path, null])), place);
  const { project } = change.case;
  const judge = Object.entries(project).filter(([path]) => !change.isProduct(path));
  await lay(
    Object.fromEntries(judge.map(([path, text]) => [path, how === "moved" ? renamed(change, text) : text])),
    place,
  );
}

const renamed = ({ moves }: RandomChange, text: string | null): string | null =>
  [...moves].reduce((words, [from, to]) => words?.replaceAll(reference(from), reference(to)) ?? null, text);

/** If any hidden call fails, run each separately, to tell a wrong edge case from a missing feature. */
async function wrongCalls(change: RandomChange, place: Place): Promise<number> {
  const { kit, prefix } = change.base;
  const path = kit.source("shipping");
  const module = moduleAt(path, change.moves.get(path) ?? path);
  const isRight = async (kilograms: readonly number[]): Promise<boolean> => {
    const probe = kit.probe([{ module, names: ["shipping"] }], kilograms.map(shippingAt));
    await lay(probe.files, place);
    return passes(`${prefix}${probe.run}`, place);
  };
  if (await isRight(weights)) return 0;
  let wrong = 0;
  for (const weight of weights) if (!(await isRight([weight]))) wrong += 1;
  return wrong;
}

type Clone = () => Promise<Place>;

async function noticed(
  change: RandomChange,
  clone: Clone,
  snippets: readonly Snippet[],
): Promise<"all" | "some" | "none"> {
  const path = change.base.kit.source("shipping");
  let count = 0;
  for (const snippet of snippets) {
    const { [path]: text } = featureEdit(change, snippet);
    if (await isRedWith(change, await clone(), { [path]: text ?? "" })) count += 1;
  }
  return count === 0 ? "none" : count < snippets.length ? "some" : "all";
}

async function noticesAll(change: RandomChange, clone: Clone): Promise<boolean> {
  const { kit, ground, modules, golden } = change.base;
  const broken = [
    ["price", "total-broken"],
    ...(golden === null ? [] : ([["receipt", "receipt-broken"]] as const)),
  ] as const;
  for (const [module, snippet] of broken) {
    const path = kit.source(module);
    const { [path]: text } = ground.product({ ...modules, [module]: [snippet] });
    if (!(await isRedWith(change, await clone(), { [path]: text ?? "" }))) return false;
  }
  return true;
}

/** The change's own tests with one product file replaced, at the module's current place. */
async function isRedWith(change: RandomChange, at: Place, edit: Edit): Promise<boolean> {
  await lay(Object.fromEntries(Object.entries(edit).map(([path, text]) => [change.moves.get(path) ?? path, text])), at);
  return !passes(change.case.check.run, at);
}

type Ran = { readonly status: number | null; readonly output: string };

/** The interpreter itself: a launcher in front of it may need the home. */
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const programs = python.status === 0 ? dirname(python.stdout.trim()) : dirname(process.execPath);

function run(command: string, { folder, home }: Place): Ran {
  const rustup = process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup");
  const ran = spawnSync("sh", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: `${programs}:${process.env["PATH"]}`,
      HOME: home,
      LANG: "C.UTF-8",
      PYTHONDONTWRITEBYTECODE: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GOFLAGS: "-mod=mod",
      ...(existsSync(rustup) ? { RUSTUP_HOME: rustup } : {}),
    },
  });
  return { status: ran.status, output: `${ran.stdout}${ran.stderr}` };
}

const passes = (command: string, place: Place): boolean => run(command, place).status === 0;

function succeed(command: string, place: Place): void {
  const { status, output } = run(command, place);
  if (status !== 0) throw new Error(`${command} failed: ${output.slice(-500)}`);
}
