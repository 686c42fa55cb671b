// Looks at a simulated world from outside: is anything lost, twice, or false, and does it end?
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { entriesOf } from "../../src/core/progresses.ts";
import type { Run } from "../../src/core/run.ts";
import { sha256 } from "../../src/runtime/proof/proof-file.ts";
import { recordPaths } from "../../src/runtime/records/paths.ts";
import { redLines, SimulatedWorld } from "../../src/testing/world/index.ts";

// One seed again: SEED=123 npx vitest run tests/simulation. More of them: SEEDS=100000 npx vitest run tests/simulation
const only = process.env["SEED"];
const count = Number(process.env["SEEDS"] ?? 1000);

export type Batch = { readonly first: number; readonly last: number };

/** Every other batch of seeds, so that two test files can share the work. */
export function batches(part: 0 | 1): Batch[] {
  if (only !== undefined) return part === 0 ? [{ first: Number(only), last: Number(only) }] : [];
  const size = Math.max(100, Math.ceil(count / 200));
  const all = Array.from({ length: Math.ceil(count / size) }, (_, at) => at * size + 1);
  return all.filter((_, at) => at % 2 === part).map((first) => ({ first, last: Math.min(count, first + size - 1) }));
}

export async function checkSeed(seed: number): Promise<void> {
  const world = new SimulatedWorld(seed, isLarge(seed) ? {} : { features: 1 });
  try {
    const disturbed = await world.restartUntilDone();
    checkSafety(world, disturbed);
    const run = await reachTheEnd(world);
    checkSafety(world, run);
  } catch (error) {
    const lives = `${world.lives} lives, deaths: ${world.faults.deaths.slice(-6).join("; ")}`;
    throw new Error(`seed ${seed} (SEED=${seed} npx vitest run tests/simulation; ${lives})\n${error}`, {
      cause: error,
    });
  }
}

/** Most faults show with one feature, which costs half as much; one world in five has several, and limits over them. */
const isLarge = (seed: number): boolean => seed % 5 === 0;

/** Liveness: faults stop, and with room and honest agents the run ends in success, however it had been left. */
async function reachTheEnd(world: SimulatedWorld): Promise<Run> {
  let run = await world.calmDown();
  checkEnded(run);
  // Each feature may be tried again after a rest, and a gate may follow each iteration.
  for (let times = 0; run.now.is === "resting" && times < 40; times++) {
    run = await world.continue(run);
    checkEnded(run);
  }
  if (run.now.is !== "stopped") throw new Error(`it still rests: ${JSON.stringify(run.now)}`);
  if (run.now.outcome.kind !== "cancelled") {
    expect(run.now.outcome).toEqual({ kind: "success" });
    const known = run.contract.features.map(({ id }) => String(id));
    for (const id of world.person.added) expect(known).toContain(id);
  }
  return run;
}

function checkEnded({ now }: Run): void {
  if (now.is !== "resting" && now.is !== "stopped")
    throw new Error(`it neither rests nor has stopped: it is ${now.is}`);
  expect(now.outcome.kind).toMatch(/./);
}

function checkSafety(world: SimulatedWorld, run: Run): void {
  const { events, story } = world.journal();
  // No acknowledged event is lost, and the state is what the journal adds up to.
  const found = [...world.acknowledged.keys()].map((seq) => events[seq - 1]);
  same(found, [...world.acknowledged.values()]);
  same(run, story.run);
  checkCommits(world, run);
  checkMoney(world, run, new Set(events.flatMap((e) => (e.type === "session-reserved" ? [e.session] : []))));
  checkPeople(world);
  checkCancelled(events.map(({ type }) => type));
}

/** Compared fast first: only what differs is worth a report. */
function same(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

/** Each feature is committed at most once; it is complete exactly when that commit is there, with a proof of that tree. */
function checkCommits({ repo, files }: SimulatedWorld, run: Run): void {
  if (!repo.isWhole) return; // An agent is at it: the next look is after it was put right.
  const made = repo.history().filter(({ trailers }) => trailers["Loop-Feature"] !== undefined);
  const committed = made.map(({ trailers }) => trailers["Loop-Feature"]);
  expect(new Set(committed).size, `committed: ${committed.join(", ")}`).toBe(committed.length);
  const complete = entriesOf(run.progress).filter(([, { status }]) => status === "complete");
  expect(complete.map(([id]) => id).sort()).toEqual([...committed].sort());
  for (const [id, progress] of complete) {
    const commit = made.find(({ trailers }) => trailers["Loop-Feature"] === id);
    expect(commit?.id).toBe(progress.commit);
    if (commit === undefined) continue;
    const text = files.get(`proofs/${id}-i${commit.trailers["Loop-Iteration"]}.json`) ?? "";
    expect(sha256(text)).toBe(commit.trailers["Loop-Proof"]);
    const proof = JSON.parse(text) as { candidate: string; feature: string; failures: unknown[]; verdict: Verdict };
    expect([proof.candidate, proof.verdict.tree, proof.feature]).toEqual([commit.tree, commit.tree, id]);
    expect(proof.failures).toEqual([]);
    expect(proof.verdict.reply.pass && proof.verdict.reply.criteria.every(({ met }) => met)).toBe(true);
    // Not by its word: the tree is green, does what was asked, and still has the test that was there before the run.
    const tree = repo.trees.get(commit.tree);
    expect(redLines(new Map([...tree, ["test/old.test", "src/old.js: good\n"]]))).toEqual([]);
    expect(tree.get(`src/${id}.js`)).toContain(`does-${id}`);
  }
}
type Verdict = { tree: string; reply: { pass: boolean; criteria: { met: boolean }[] } };

/** Every session was on record before it began, is begun once, does each thing once, and fits what was left to spend. */
function checkMoney({ sessions }: SimulatedWorld, run: Run, reserved: ReadonlySet<string>): void {
  let paid = 0;
  for (const { id, starts, done, costUsd, costUsdMax, result } of sessions.values()) {
    expect(reserved.has(id), `${id} ran, and nobody had written it down`).toBe(true);
    expect(starts).toBe(1);
    for (const times of done) expect(times).toBe(1);
    const { costUsdMax: cap } = run.contract.limits;
    if (cap !== null) expect(paid + costUsdMax).toBeLessThanOrEqual(cap + 1e-6);
    paid += result === null || costUsd === null ? costUsdMax : costUsd;
  }
  const overdrawn = Math.max(
    0,
    ...[...sessions.values()].map(({ costUsd, costUsdMax }) => (costUsd ?? 0) - costUsdMax),
  );
  const { costUsdMax: cap } = run.contract.limits;
  if (cap !== null) expect(run.spent.costUsd).toBeLessThanOrEqual(cap + overdrawn + 1e-6);
}

/** Whatever a person wrote is in the folder, in the history, or in quarantine; what they committed stays committed. */
function checkPeople({ repo, person, written }: SimulatedWorld): void {
  expect(repo.folder.get(".env")).toBe("SECRET=1\n");
  const kept = [...repo.history().map(({ tree }) => tree), ...repo.quarantine.map(({ tree }) => tree)];
  for (const [path, text] of person.wrote) {
    const isThere = repo.folder.get(path) === text || kept.some((tree) => repo.trees.get(tree).get(path) === text);
    expect(isThere, `${path} is gone`).toBe(true);
  }
  if (!repo.isWhole) return;
  const [tip] = repo.history();
  const head = tip === undefined ? new Map<string, string>() : repo.trees.get(tip.tree);
  for (const [path, text] of person.committed) expect(head.get(path), `${path} was committed, and is gone`).toBe(text);
  const records = recordPaths("docs");
  expect([...written].filter((path) => !records.includes(path))).toEqual([]);
}

/** After a cancel the effect in flight lets go, and nothing more is done. */
function checkCancelled(types: readonly string[]): void {
  const asked = types.indexOf("cancel-requested");
  const signals = ["noted", "pause-requested", "cancel-requested", "continued", "answered", "approved"];
  if (asked >= 0) expect(types.slice(asked).filter((type) => !signals.includes(type)).length).toBeLessThanOrEqual(1);
}
