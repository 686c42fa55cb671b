// Runs every check in a clean checkout, one after the other, and diagnoses what a red one lacks there.
import * as fs from "node:fs";
import type { CheckSpec } from "../../core/contract.ts";
import { packagesAt, settingOf, type Tools } from "../../proof/case.ts";
import { ChecksInRooms } from "../../proof/checks-in-rooms.ts";
import { type Addition, keyOf, withAdditions } from "../../proof/diagnose/addition.ts";
import { Budget, type Diagnosis, diagnose, type Trial, tryWith } from "../../proof/diagnose/diagnose.ts";
import type { Surroundings } from "../../proof/diagnose/surroundings.ts";
import { type Estimate, estimateProof, type Measured } from "../../proof/estimate.ts";
import { makeProver } from "../../proof/make-prover.ts";
import type { BaselineCheck, ProofContract } from "../../proof/prover.ts";
import { isGreen, type Seen } from "../../proof/seen.ts";
import type { LoadedTree } from "../../proof/trees.ts";

/** named: reports tests by name. unnamed: only has an exit code. empty: runs no tests, so it proves nothing. */
export type Looks = "named" | "unnamed" | "empty" | "red" | "flaky";

export type CheckedCheck = {
  readonly spec: CheckSpec;
  readonly looks: Looks;
  /** How its first run ended. */
  readonly how: Seen["how"];
  /** Whether a run would start with it now. */
  readonly isFit: boolean;
  /** Tests that passed. */
  readonly tests: number | null;
  readonly ms: number;
  /** The end of its output, if it is red. */
  readonly tail: string;
  /** The whole output; null: there is none. */
  readonly log: string | null;
  /** For a red check that should be green. */
  readonly diagnosis: Diagnosis | null;
  /** Without the network; null: not tried. */
  readonly offline: "green" | "red" | null;
};

export type LookStep =
  | { readonly step: "offline"; readonly check: CheckSpec }
  | { readonly step: "run"; readonly check: CheckSpec }
  | ({ readonly step: "try" } & Trial);

export type LookOrder = {
  readonly tools: Tools;
  readonly tree: LoadedTree;
  readonly contract: ProofContract;
  /** The command that runs before the checks; "": none. */
  readonly build: string;
  /** Called only if something is red. */
  readonly around: () => Promise<Surroundings>;
  /** Whether to find out which checks need no network. */
  readonly tryOffline: boolean;
  readonly signal: AbortSignal;
  readonly onStep: (step: LookStep) => void;
};

export type Looked = {
  readonly checks: readonly CheckedCheck[];
  readonly additions: readonly Addition[];
  readonly estimate: Estimate | null;
  readonly notes: readonly string[];
};

export async function lookAtChecks(order: LookOrder): Promise<Looked> {
  const budget = new Budget();
  const checks: CheckedCheck[] = [];
  const notes: string[] = [];
  const measured: Measured[] = [];
  let additions: readonly Addition[] = [];
  for (const spec of order.contract.checks) {
    const first = await firstLook(order, spec);
    const isDue = first.check.looks === "red" && spec.must === "stay-green";
    const offline = first.check.looks === "red" ? await tryOnline(order, spec) : await tryOffline(order, spec);
    const diagnosis = isDue && offline !== "red" ? await diagnosed(order, spec, first.seen, additions, budget) : null;
    order.signal.throwIfAborted();
    checks.push({ ...first.check, diagnosis, offline });
    notes.push(...first.notes, ...(diagnosis?.untried ?? []).map(untriedNote));
    if (isGreen(first.seen)) measured.push(first.measured);
    // The result of an unfinished search is unusable: it may still include the whole environment.
    if (diagnosis?.is !== "found" || !diagnosis.smallest) continue;
    additions = together(additions, diagnosis.additions);
    measured.push(await measuredWith(order, spec, diagnosis.additions, first.measured.roomMs));
  }
  notes.push(...(await disagreements(order, checks, additions)));
  return { checks, additions, notes, estimate: measured.length === 0 ? null : estimateProof(measured) };
}

const untriedNote = (path: string): string => `${path} is ignored and too large to be tried; room: files brings it.`;

/** Two builds become one command line. */
function together(one: readonly Addition[], other: readonly Addition[]): readonly Addition[] {
  const all = [...new Map([...one, ...other].map((addition) => [keyOf(addition), addition])).values()];
  const lines = all.flatMap((addition) => (addition.is === "build" && addition.run !== "" ? [addition.run] : []));
  const builds: Addition[] = lines.length === 0 ? [] : [{ is: "build", run: lines.join(" && ") }];
  return [
    ...(builds.length > 0 ? builds : all.filter(({ is }) => is === "build")),
    ...all.filter(({ is }) => is !== "build"),
  ];
}

type FirstLook = {
  readonly seen: Seen;
  readonly check: CheckedCheck;
  readonly measured: Measured;
  readonly notes: readonly string[];
};

/** The prover's own verdict on the base; its first run is timed here and cached for when the prover needs it. */
async function firstLook({ tools, contract, tree, signal, onStep }: LookOrder, spec: CheckSpec): Promise<FirstLook> {
  onStep({ step: "run", check: spec });
  // A trial for an earlier check may have kept something else.
  await tools.rooms.keep(tree.id, contract.proof, signal);
  const rooms = new ChecksInRooms(settingOf(tools, contract, tree), signal);
  const started = performance.now();
  const seen = await rooms.run(spec, { label: "check", tree: tree.id, ...packagesAt(tree) });
  const roomMs = Math.max(0, performance.now() - started - seen.ms);
  const { checks, notes } = await makeProver(tools).baseline(
    { contract: { ...contract, checks: [spec] }, tree: tree.id },
    signal,
  );
  signal.throwIfAborted();
  const { how = "red", tests = null, tail = "" } = checks[0] ?? {};
  return {
    seen,
    check: {
      spec,
      looks: looksOf(how, tests),
      how: seen.how,
      isFit: (how === "green") === (spec.must === "stay-green"),
      tests,
      ms: seen.ms,
      tail,
      log: fs.existsSync(seen.output) ? seen.output : null,
      diagnosis: null,
      offline: null,
    },
    measured: { ms: seen.ms, roomMs, files: filesAlone(rooms, spec, seen) },
    notes: notes.filter((note) => !checks.some(({ name }) => note.startsWith(`${name} (`))),
  };
}

/** Once more where it is red: a flaky test must not look like one that needs the network. */
async function tryOffline(
  { tools, contract, tree, signal, onStep, tryOffline: isWanted }: LookOrder,
  check: CheckSpec,
): Promise<CheckedCheck["offline"]> {
  const isFree = isWanted && check.network === undefined && check.browser === undefined && check.library === undefined;
  if (!isFree || (await tools.rooms.whyNotOffline()) !== null) return null;
  onStep({ step: "offline", check });
  await tools.rooms.keep(tree.id, contract.proof, signal);
  const rooms = new ChecksInRooms(settingOf(tools, contract, tree), signal);
  const order = { label: "offline", tree: tree.id, ...packagesAt(tree) };
  const alone = { ...check, network: "none" } as const;
  const isOk = isGreen(await rooms.run(alone, order)) || isGreen(await rooms.run(alone, { ...order, again: 1 }));
  signal.throwIfAborted();
  return isOk ? "green" : "red";
}

/** Whether only the network is missing. */
async function tryOnline(order: LookOrder, check: CheckSpec): Promise<CheckedCheck["offline"]> {
  if (check.network !== "none" || check.must === "turn-green") return null;
  const { tools, contract, tree, signal } = order;
  const rooms = new ChecksInRooms(settingOf(tools, contract, tree), signal);
  const seen = await rooms.run({ ...check, network: "open" }, { label: "online", tree: tree.id, ...packagesAt(tree) });
  return isGreen(seen) ? "red" : null;
}

const looksOf = (how: BaselineCheck["how"], tests: number | null): Looks =>
  how !== "green" ? how : tests === null ? "unnamed" : tests === 0 ? "empty" : "named";

/** The additions that made an earlier check green are tried first: the cause is often the same. */
async function diagnosed(
  order: LookOrder,
  check: CheckSpec,
  seen: Seen,
  known: readonly Addition[],
  budget: Budget,
): Promise<Diagnosis> {
  const { tools, contract, tree, build, signal } = order;
  const onTry = (trial: Trial): void => order.onStep({ step: "try", ...trial });
  const around = await order.around();
  return diagnose({ check, contract, tree, seen, around, build, known, onTry }, tools, budget, signal);
}

/** That run is cached, so this costs nothing. */
async function measuredWith(
  { tools, contract, tree, signal }: LookOrder,
  check: CheckSpec,
  additions: readonly Addition[],
  roomMs: number,
): Promise<Measured> {
  const proof = withAdditions(contract.proof, additions);
  const rooms = new ChecksInRooms(settingOf(tools, { ...contract, proof }, tree), signal);
  const seen = await rooms.run(check, { label: "check", tree: tree.id, ...packagesAt(tree) });
  return { ms: seen.ms, roomMs, files: filesAlone(rooms, check, seen) };
}

/** How many test files it has, if it can run some of them alone. */
function filesAlone(rooms: ChecksInRooms, check: CheckSpec, { tests }: Seen): number | null {
  const files = new Set([...(tests?.values() ?? [])].flatMap(({ file }) => file ?? []));
  return rooms.selects(check) && files.size > 0 ? files.size : null;
}

/** Each addition was found for one check: are the checks green with all of them? */
async function disagreements(
  { tools, contract, tree, signal }: LookOrder,
  checks: readonly CheckedCheck[],
  additions: readonly Addition[],
): Promise<string[]> {
  const found = checks.filter(({ diagnosis }) => diagnosis?.is === "found" && diagnosis.smallest);
  if (found.length < 2) return [];
  const notes: string[] = [];
  for (const { spec: check } of found) {
    const result = await tryWith({ check, contract, tree, additions, label: "together" }, tools, signal);
    if (result !== "green") notes.push(`${check.name} is not green with what the other checks need.`);
  }
  return notes;
}
