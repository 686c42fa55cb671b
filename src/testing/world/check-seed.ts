// Checks a simulated world from the outside: nothing is lost, duplicated or false, and it terminates.
import { ok, deepStrictEqual as same } from "node:assert/strict";
import { isSignalType, type RunEvent } from "../../core/event.ts";
import { unknownUsdPerSecond } from "../../core/ledger.ts";
import { entriesOf } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { follow, newStory } from "../../report/story.ts";
import { guardedPaths } from "../../runtime/records/paths.ts";
import { redLines } from "./red-lines.ts";
import { sessionMs } from "./sessions.ts";
import { SimulatedWorld } from "./world.ts";

/** Plays the world of a seed to its end, with crashes, and throws if anything was lost, done twice or untrue. */
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

/** Most bugs show with one feature, which costs half as much; one world in five has several, and limits over them. */
const isLarge = (seed: number): boolean => seed % 5 === 0;

/** Liveness: faults stop, and with room and honest agents the run succeeds from any state. */
async function reachTheEnd(world: SimulatedWorld): Promise<Run> {
  let run = await world.calmDown();
  checkEnded(run);
  // Each feature may be retried after a rest, and a gate may follow each iteration.
  for (let times = 0; run.now.is === "resting" && times < 40; times++) {
    run = await world.continue(run);
    checkEnded(run);
  }
  if (run.now.is !== "stopped") throw new Error(`it still rests: ${JSON.stringify(run.now)}`);
  if (run.now.outcome.kind !== "cancelled") {
    same(run.now.outcome, { kind: "success" });
    const known = run.contract.features.map(({ id }) => String(id));
    for (const id of world.person.added)
      ok(known.includes(id), `${id} was added, and is not among ${known.join(", ")}`);
  }
  return run;
}

function checkEnded({ now }: Run): void {
  if (now.is !== "resting" && now.is !== "stopped")
    throw new Error(`it neither rests nor has stopped: it is ${now.is}`);
  ok(now.outcome.kind);
}

function checkSafety(world: SimulatedWorld, run: Run): void {
  const { events, story } = world.journal();
  // No acknowledged event is lost, and the state is the fold of the journal.
  const found = [...world.acknowledged.keys()].map((seq) => events[seq - 1]);
  same(found, [...world.acknowledged.values()]);
  same(run, story.run);
  checkCommits(
    world,
    run,
    events.some(({ type }) => type === "allowed"),
  );
  checkHeld(world, run);
  checkMoney(world, run, new Set(events.flatMap((e) => (e.type === "session-reserved" ? [e.session] : []))));
  checkPeople(world);
  checkCancelled(world, events);
}

/**
 * Each feature is committed at most once; it is complete exactly when that commit exists, with a proof of that tree.
 * The old test may differ only if a person allowed it.
 */
function checkCommits({ repo, files }: SimulatedWorld, run: Run, isAllowed: boolean): void {
  if (!repo.isWhole) return; // An agent is destroying it: check again after the repair.
  const made = repo.history().filter(({ trailers }) => trailers["Loop-Feature"] !== undefined);
  const committed = made.map(({ trailers }) => trailers["Loop-Feature"]);
  ok(new Set(committed).size === committed.length, `committed: ${committed.join(", ")}`);
  const complete = entriesOf(run.progress).filter(([, { status }]) => status === "complete");
  same(complete.map(([id]) => id).sort(), [...committed].sort());
  for (const [id, progress] of complete) {
    const commit = made.find(({ trailers }) => trailers["Loop-Feature"] === id);
    same(commit?.id, progress.commit);
    if (commit === undefined) continue;
    const text = files.get(`proofs/${id}-i${commit.trailers["Loop-Iteration"]}.json`) ?? "";
    same(sha256(text), commit.trailers["Loop-Proof"]);
    const proof = JSON.parse(text) as Proof;
    same([proof.candidate, proof.verdict.tree, proof.feature], [commit.tree, commit.tree, id]);
    same([proof.failures, progress.grade === "weak", progress.held], [[], false, null]);
    const by = commit.trailers["Loop-Accepted-By"];
    same([proof.decided?.by, progress.reviewedBy ?? undefined], [by, by]);
    const { pass = false, criteria = [] } = proof.verdict.reply;
    ok(by !== undefined || (pass && criteria.every(({ met }) => met)), `the verdict on ${id}`);
    // Checked independently of the loop: the tree is green, does what was requested, and still has the old test.
    const tree = repo.trees.get(commit.tree);
    same(redLines(isAllowed ? tree : new Map([...tree, ["test/old.test", "src/old.js: good\n"]])), []);
    // A person who accepts unproved work accepts it as it is.
    ok(by !== undefined || tree.get(`src/${id}.js`)?.includes(`does-${id}`), `${id} is committed, and does nothing`);
  }
}
type Verdict = { tree: string; reply: { pass?: boolean; criteria?: { met: boolean }[] } };
type Proof = { candidate: string; feature: string; failures: unknown[]; verdict: Verdict; decided?: { by: string } };

/** Work that waits for a person is visible to them. */
function checkHeld({ repo }: SimulatedWorld, run: Run): void {
  if (!repo.isWhole) return;
  for (const [id, { held }] of entriesOf(run.progress)) {
    if (held === null) continue;
    const tip = repo.commits.get(repo.refs.get(`loop/held/${id}`) ?? (held.base.head as never));
    same(tip?.tree, held.tree, `${id} is held, and its branch shows something else`);
  }
}

/** Every session was recorded before it started, starts once, does each act once, and fits the remaining budget. */
function checkMoney({ sessions }: SimulatedWorld, run: Run, reserved: ReadonlySet<string>): void {
  let paid = 0;
  for (const { id, starts, done, costUsd, costUsdMax, result } of sessions.values()) {
    ok(reserved.has(id), `${id} ran, and nobody had written it down`);
    ok(starts === 1, `${id} was begun ${starts} times`);
    for (const times of done) ok(times === 1, `${id} did one thing ${times} times`);
    const { costUsdMax: cap } = run.contract.limits;
    ok(cap === null || paid + costUsdMax <= cap + 1e-6, `${id} may cost more than is left of ${cap}`);
    const isUnknown = result === null || costUsd === null;
    // An unknown price is bounded by the session's time.
    paid += isUnknown ? Math.min(costUsdMax, (sessionMs / 1000) * unknownUsdPerSecond) : costUsd;
  }
  const overdrawn = Math.max(
    0,
    ...[...sessions.values()].map(({ costUsd, costUsdMax }) => (costUsd ?? 0) - costUsdMax),
  );
  const { costUsdMax: cap } = run.contract.limits;
  ok(cap === null || run.spent.costUsd <= cap + overdrawn + 1e-6, `${run.spent.costUsd} was spent of ${cap}`);
}

/** Everything a person wrote is in the folder, in the history, or in quarantine; their commits stay. */
function checkPeople({ repo, person, written }: SimulatedWorld): void {
  same(repo.folder.get(".env"), "SECRET=1\n");
  const kept = [...repo.history().map(({ tree }) => tree), ...repo.quarantine.map(({ tree }) => tree)];
  for (const [path, text] of person.wrote) {
    const isThere = repo.folder.get(path) === text || kept.some((tree) => repo.trees.get(tree).get(path) === text);
    ok(isThere, `${path} is gone`);
  }
  if (!repo.isWhole) return;
  const [tip] = repo.history();
  const head = tip === undefined ? new Map<string, string>() : repo.trees.get(tip.tree);
  for (const [path, text] of person.committed) ok(head.get(path) === text, `${path} was committed, and is gone`);
  const records = guardedPaths("docs");
  same(
    [...written].filter((path) => !records.includes(path)),
    [],
  );
}

/** After a cancel the effect in flight ends, and nothing more is done. A result that comes twice or late counts once. */
function checkCancelled({ contract }: SimulatedWorld, events: readonly RunEvent[]): void {
  let story = newStory(contract);
  let isCancelled = false;
  const later: string[] = [];
  for (const event of events) {
    const after = follow(story, event);
    isCancelled ||= event.type === "cancel-requested";
    if (isCancelled && !isSignalType(event.type) && after !== story) later.push(event.type);
    story = after;
  }
  ok(later.length <= 1, `cancelled, and then: ${later.join(", ")}`);
}
