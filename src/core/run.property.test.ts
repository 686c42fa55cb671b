// Invariants on every path of a run, for any reply and any signal at any time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Answers } from "../testing/world/answers.ts";
import { anyContract } from "../testing/world/contracts.ts";
import { anySignal, play, playOn, type Step } from "../testing/world/play.ts";
import { type Choices, taped } from "../testing/world/random.ts";
import { apply } from "./apply.ts";
import { failuresMax, waitsMax } from "./breakers.ts";
import type { Contract } from "./contract.ts";
import { isSettled } from "./done.ts";
import { isSignalType, type Stamp } from "./event.ts";
import { gateOf } from "./gates.ts";
import type { FeatureId } from "./ids.ts";
import { capReached, iterationCaps, sessionCaps } from "./ledger.ts";
import { next } from "./next.ts";
import type { Gate } from "./outcome.ts";
import { entriesOf, progressIn } from "./progresses.ts";
import { begin, type Run } from "./run.ts";
import { suppositionsMax } from "./suppositions.ts";

const about = ({ name, number, tree }: Gate) => ({ gate: name, number, tree });
const tapes = fc.array(fc.nat(0xffffff), { maxLength: 1500, size: "max" });
const troubles = fc.constantFrom(0, 60, 150, 350, 700);
/** Set FC_RUNS=20000 to search longer. */
const numRuns = Number(process.env["FC_RUNS"] ?? 400);

type Body = (contract: Contract, choose: Choices, trouble: number) => void;
/** Runs the body on arbitrary worlds. A failure is shrunk to the shortest tape that still fails. */
function always(body: Body, runs = numRuns): void {
  const property = fc.property(tapes, troubles, (tape, trouble) => {
    const choose = taped(tape);
    body(anyContract(choose), choose, trouble);
  });
  // Shrinking a long tape must not hang a build: report the best result so far.
  fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 50_000 });
}

/**
 * Within how many events a run stops or rests.
 *
 * Between two replies there are at most `failuresMax - 1` failed sessions and `waitsMax - 1` waits: one more of either
 * trips a breaker. A session is at most five events: reserved, ended, collected, woke too early, woke. Each iteration
 * has at most five replies (designer, builder, evaluator, tester, test-verifier), plus eight events besides its
 * sessions: released, observed, checkpointed, taken up, proved twice, committed or rolled back, and held. A feature has
 * `reworkMax + 1` attempts before it is shelved, so that bounds the iterations even where no cap does; edits of the
 * queue may add features, so all that were ever seen count. The plan and audit pairs have `roundsMax` rounds each, the
 * planner may answer itself `suppositionsMax` times, and the skeptic speaks once. Opening, closing and filing happen
 * once each. Signals come on top, and so does one cut for each of them. Any input from a person gives a feature its
 * attempts back, or restarts the rounds of a pair.
 */
const renewing = new Set([
  "answered",
  "continued",
  "approved",
  "rejected",
  "accepted",
  "allowed",
  "turned-down",
  "amended",
]);

function bound(contract: Contract, { steps }: { steps: readonly Step[] }): number {
  const { limits } = contract;
  const signals = steps.filter(({ event }) => isSignalType(event.type)).length;
  const features = new Set(steps.flatMap(({ after }) => after.contract.features.map(({ id }) => id))).size;
  const lives = 1 + steps.filter(({ event }) => renewing.has(event.type)).length;
  const iterations = Math.min(
    limits.iterationsMax ?? Number.POSITIVE_INFINITY,
    features * (limits.reworkMax + 1) * lives,
  );
  const replies = (5 + suppositionsMax) * iterations + lives * (4 * limits.roundsMax + suppositionsMax + 1) + 1;
  const sessions = Math.min(
    limits.sessionsMax ?? Number.POSITIVE_INFINITY,
    replies * (1 + failuresMax - 1 + waitsMax - 1),
  );
  return 8 * iterations + 5 * sessions + 4 + 2 * signals;
}

const quiet = { signals: 0, stepsMax: 20_000 } as const;
const noisy = { signals: 60, stepsMax: 20_000 } as const;
const longer = { ...noisy, continues: 5 } as const;

test("every run stops or rests within its bound, and says why", () => {
  always((contract, choose, trouble) => {
    const played = play(contract, choose, { trouble, ...noisy });
    expect(played.steps.length).toBeLessThanOrEqual(bound(contract, played));
    const { now } = played.run;
    expect(now.is === "resting" || now.is === "stopped" ? now.outcome.kind : now.is).not.toBe(now.is);
  });
});

test("no cap is ever exceeded: exactly at the cap means stop", () => {
  always((contract, choose, trouble) => {
    for (const { effect, before, after } of play(contract, choose, { trouble, ...longer }).steps) {
      const { limits } = before.contract;
      const { spent } = after;
      // At the entrance, nothing may be used up yet. `spent` already includes what the effect begins.
      if (effect?.do === "reserve-session") expect(capReached(before, sessionCaps)).toBeNull();
      // An iteration begun in time may be cut at its checkpoint and resumed late: it makes the checkpoint, and no
      // session.
      if (before.now.is === "between" && after.now.is === "marking") {
        const earlier = { ...after, spent: { ...spent, iterations: spent.iterations - 1 } };
        // Held work is taken up without a session, so it only spends a commit and an iteration.
        const isTakenUp = progressIn(after.progress, after.now.feature)?.held?.decided != null;
        expect(capReached(earlier, isTakenUp ? ["commits", "iterations"] : iterationCaps)).toBeNull();
      }
      expect(spent.costUsd).toBeLessThanOrEqual(limits.costUsdMax ?? Number.POSITIVE_INFINITY);
      // A person's decision takes no iteration from the agents: the step that takes it up raises the cap.
      const { iterationsMax } = after.contract.limits;
      expect(spent.iterations).toBeLessThanOrEqual(iterationsMax ?? Number.POSITIVE_INFINITY);
      expect(spent.commits).toBeLessThanOrEqual(limits.commitsMax ?? Number.POSITIVE_INFINITY);
      expect(spent.sessions).toBeLessThanOrEqual(limits.sessionsMax ?? Number.POSITIVE_INFINITY);
      if (effect?.do === "run-session") expect(effect.costUsdMax).toBeLessThanOrEqual(limits.sessionCostUsdMax);
    }
  });
});

test("sessions are charged once: the ledger is the sum of their reported costs, or of their reservations", () => {
  always((contract, choose, trouble) => {
    const { steps, run } = play(contract, choose, { trouble, ...quiet });
    const paid = steps.flatMap(({ event, effect }) =>
      event.type === "session-ended" && effect?.do === "run-session" ? [event.usage.costUsd ?? effect.costUsdMax] : [],
    );
    expect(run.spent.costUsd).toBeCloseTo(
      paid.reduce((sum, usd) => sum + usd, 0),
      4,
    );
    expect(run.spent.sessions).toBe(steps.filter(({ event }) => event.type === "session-reserved").length);
  });
});

test("a feature is complete only when it is proved or reviewed: a clean proof of its tree, and a verdict or a person", () => {
  always((contract, choose, trouble) => {
    const { steps } = play(contract, choose, { trouble, ...longer });
    const proofs = new Map<string, { proof: string; feature: FeatureId; isStrong: boolean }>();
    const passed = new Map<string, FeatureId>();
    const taken = new Map<FeatureId, string>();
    for (const { effect, event, before, after } of steps) {
      if (effect?.do === "prove" && event.type === "proved" && event.failures.length === 0) {
        const isStrong = event.grade === "strong" && event.contradiction == null;
        proofs.set(event.candidate, { proof: event.proof, feature: effect.work.feature, isStrong });
      }
      if (event.type === "accepted" || event.type === "allowed") taken.set(event.feature, event.by);
      if (effect?.do === "run-session" && effect.candidate !== null && event.type === "session-ended")
        if (passes(before, effect.work?.feature ?? null, event))
          passed.set(effect.candidate.tree, featureOf(effect.work));
      for (const [id, progress] of entriesOf(after.progress)) {
        if (progress.status !== "complete" || progressIn(before.progress, id)?.status === "complete") continue;
        if (progressIn(before.progress, id) === undefined) continue; // The queue said so when it was read.
        expect(effect?.do).toBe("commit");
        if (effect?.do !== "commit") continue;
        const isStrong = progress.grade === "strong";
        expect(proofs.get(effect.candidate.tree)).toMatchObject({ proof: progress.proof, feature: id });
        if (isStrong) expect(proofs.get(effect.candidate.tree)?.isStrong).toBe(true);
        else expect(progress.grade).toBe("reviewed");
        const { decided } = effect.work;
        if (decided === undefined) expect(passed.get(effect.candidate.tree)).toBe(id);
        else expect([isStrong, taken.get(id), progress.reviewedBy]).toEqual([false, decided.by, decided.by]);
        expect(progress.commit).toBe(event.type === "committed" ? event.commit : "");
        expect(after.head?.tree).toBe(effect.candidate.tree);
      }
    }
  });
});

test("a complete feature stays complete, with its commit, unless a person rejects it", () => {
  always((contract, choose, trouble) => {
    for (const { before, event, after } of play(contract, choose, { trouble, ...longer }).steps)
      for (const [id, progress] of entriesOf(before.progress))
        if (progress.status === "complete" && progress.commit !== null && event.type !== "rejected")
          expect(progressIn(after.progress, id)).toEqual(progress);
  });
});

test("a feature that is worked on again has no held work that still waits for a decision", () => {
  always((contract, choose, trouble) => {
    const all: Contract = { ...contract, gates: ["G2"] };
    for (const { after } of play(all, choose, { trouble, ...longer }).steps)
      for (const { status, held } of after.progress.all)
        if (status === "needs-rework" && held !== null) expect(held.decided).not.toBeNull();
  });
});

test("a run succeeds only if it made a commit, every feature is proved or reviewed, and the final checks were green", () => {
  always((contract, choose, trouble) => {
    const { run, steps } = play(contract, choose, { trouble, ...longer });
    if (run.now.is !== "stopped" || run.now.outcome.kind !== "success") return;
    for (const progress of run.progress.all) expect(isSettled(progress)).toBe(true);
    expect(run.progress.all.some(({ commit }) => commit !== null)).toBe(true);
    const looked = steps.filter(({ event }) => event.type === "closed").at(-1)?.event;
    expect(looked).toMatchObject({ type: "closed", red: [] });
  });
});

test("cancelled means cancelled: the effect in flight ends, and nothing follows", () => {
  always((contract, choose, trouble) => {
    const before = play(contract, choose, { trouble, ...quiet }).steps;
    const step = before[choose.below(Math.max(1, before.length))];
    if (step?.effect === undefined || step.effect === null) return;
    const answers = new Answers(choose, { trouble });
    const asked = apply(step.before, answers.stamp({ type: "cancel-requested" as const }));
    expect(next(asked)).toEqual(step.effect);
    const also =
      choose.below(2) === 1
        ? apply(asked, answers.stamp({ type: "pause-requested" as const, by: "person" as const }))
        : asked;
    const over = apply(also, answers.answer(step.effect, also));
    const finished = over.now.is === "stopped" && over.now.outcome.kind === "success";
    if (!finished) expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(next(over)).toBeNull();
    expect(apply(over, answers.stamp(anySignal(choose, over)))).toEqual(over);
  });
});

test("a run that rests is over once it is cancelled", () => {
  always((contract, choose, trouble) => {
    const { run } = play(contract, choose, { trouble, ...noisy });
    if (run.now.is !== "resting") return;
    const over = apply(run, { type: "cancel-requested", at: 0, sinceMs: 0 });
    expect(over.now).toEqual({ is: "stopped", outcome: { kind: "cancelled" } });
    expect(next(over)).toBeNull();
  });
});

test("the events alone reproduce the state, also as JSON, also from any state in between", () => {
  always((contract, choose, trouble) => {
    const { run, steps } = play(contract, choose, { trouble, ...longer });
    const events = steps.map(({ event }) => event);
    const asJson = JSON.parse(JSON.stringify(events)) as typeof events;
    expect(events.reduce(apply, begin(contract))).toEqual(run);
    expect(asJson.reduce(apply, JSON.parse(JSON.stringify(begin(contract))) as Run)).toEqual(run);
    const at = choose.below(steps.length + 1);
    const snapshot = JSON.parse(JSON.stringify(at === 0 ? begin(contract) : steps[at - 1]?.after)) as Run;
    expect(asJson.slice(at).reduce(apply, snapshot)).toEqual(run);
  }, numRuns / 2);
});

test("next and apply are functions: the same state gives the same effect, and no state is ever mutated", () => {
  always((contract, choose, trouble) => {
    for (const { before, effect, event, after } of play(contract, choose, { trouble, ...longer }).steps.slice(-60)) {
      const frozen = deepFreeze(structuredClone(before));
      expect(next(frozen)).toEqual(effect);
      expect(apply(frozen, deepFreeze(structuredClone(event)))).toEqual(after);
    }
  }, numRuns / 4);
});

test("pausing anywhere and resuming leads to the same state as not pausing", () => {
  always((contract, choose, trouble) => {
    const undisturbed = play(contract, choose, { trouble, ...quiet });
    let run = begin(contract);
    for (const { effect, event } of undisturbed.steps) {
      const still = { at: event.at, sinceMs: 0 };
      if (choose.below(3) === 2) {
        run = apply(run, { type: "pause-requested", by: "person", ...still });
        // Cut short, or ended by itself: both are legal for any effect.
        if (choose.below(2) === 1) {
          run = goOn(apply(run, { type: "cut", usage: null, tookMs: 0, ...still }), still);
          expect(next(run)).toEqual(effect);
        }
      }
      const answered = apply(run, event);
      run = paused(answered) && answered.now.is === "resting" ? goOn(answered, still) : answered;
    }
    expect(run).toEqual(undisturbed.run);
  });
});

test("a run that rests and is resumed works, or rests again at a cap that was not raised", () => {
  always((contract, choose, trouble) => {
    const { run } = play(contract, choose, { trouble, ...noisy });
    if (run.now.is !== "resting" || gateOf(run) !== null) return;
    const { resume, outcome } = run.now;
    const plainly = apply(run, { type: "continued", limits: {}, retry: false, at: 0, sinceMs: 0 });
    if (plainly.now.is === "resting") expect([outcome.kind, plainly.now.outcome.kind]).toContain("cap");
    else expect(next(plainly)).not.toBeNull();
    const limits = {
      costUsdMax: null,
      tokensMax: null,
      sessionsMax: null,
      iterationsMax: null,
      commitsMax: null,
      activeMsMax: null,
    };
    const freely = apply(run, { type: "continued", limits, retry: true, at: 0, sinceMs: 0 });
    const ticket = resume.is === "in-session" ? resume.ticket : null;
    // What a session had used by the pause is forgotten once it works again.
    expect(freely.now).toEqual(ticket === null ? resume : { ...resume, ticket: { ...ticket, used: undefined } });
    expect(next(freely)).not.toBeNull();
  });
});

test("resumed again and again with room to work, a run with an honest world ends in success", () => {
  always((contract, choose, trouble) => {
    let { run } = play(contract, choose, { trouble, ...quiet });
    const honest = new Answers(taped([]), { trouble: 0 });
    const limits = {
      costUsdMax: null,
      tokensMax: null,
      sessionsMax: null,
      iterationsMax: null,
      commitsMax: null,
      activeMsMax: null,
    };
    // Each feature may get its attempts again, and a gate may follow each iteration.
    for (let times = 0; run.now.is === "resting" && times < 60; times++) {
      for (const { id } of run.contract.features)
        run = apply(
          run,
          honest.stamp({ type: "answered" as const, feature: id, answer: "a", source: "person" as const }),
        );
      const gate = gateOf(run);
      if (gate !== null) run = apply(run, honest.stamp({ type: "approved" as const, ...about(gate) }));
      for (const [id, { held }] of entriesOf(run.progress)) {
        if (held === null) continue;
        const shown = { feature: id, tree: held.tree, by: "Pat" };
        run = apply(run, honest.stamp({ type: "accepted" as const, ...shown }));
        run = apply(run, honest.stamp({ type: "allowed" as const, ...shown }));
      }
      run = apply(run, honest.stamp({ type: "continued" as const, limits, retry: true }));
      run = playOn(run, honest, taped([]), { trouble: 0, ...quiet }).run;
    }
    const blocked = run.contract.features.some(({ status }) => status === "blocked");
    // Gaps from an audit of the dishonest world are left to another run. And a run with nothing left to do has not
    // succeeded.
    const hasDone = run.progress.all.some(({ commit }) => commit !== null);
    if (!blocked && hasDone && (run.audit?.gaps ?? []).length === 0)
      expect(run.now).toEqual({ is: "stopped", outcome: { kind: "success" } });
  });
});

test("only an answer to what a gate shows passes it", () => {
  always((contract, choose, trouble) => {
    for (const { before, event, after } of play(contract, choose, { trouble, ...noisy }).steps) {
      const gate = gateOf(before);
      if (gate === null || gateOf(after)?.number === gate.number) continue;
      if (event.type === "cancel-requested" || event.type === "amended") continue;
      expect(event).toMatchObject(about(gate));
      const late = apply(after, { ...event, at: 0, sinceMs: 0 });
      expect(late, "an answer that comes twice counts once").toEqual(after);
    }
  });
});

test("a gate never shows the same tree under the same number again", () => {
  always((contract, choose, trouble) => {
    const shown = new Set<string>();
    let open = "";
    for (const { after } of play({ ...contract, gates: ["G1", "G2", "G3"] }, choose, { trouble, ...longer }).steps) {
      const gate = gateOf(after);
      const key = gate === null ? "" : JSON.stringify(about(gate));
      if (key !== "" && key !== open) expect(shown).not.toContain(key);
      shown.add(key);
      open = key;
    }
  });
});

test("nothing is built before G1 (before building) is passed, and nothing is called done before G3 (before done) is", () => {
  always((contract, choose, trouble) => {
    const all: Contract = { ...contract, gates: ["G1", "G3"] };
    const seen = new Set<string>();
    for (const { event, after } of play(all, choose, { trouble, ...noisy }).steps) {
      if (event.type === "approved") seen.add(event.gate);
      if (event.type === "checkpointed") expect(seen).toContain("G1");
      if (after.now.is === "stopped" && after.now.outcome.kind === "success") expect(seen).toContain("G3");
    }
  });
});

test("a pair never exceeds its rounds without a person in between", () => {
  always((contract, choose, trouble) => {
    for (const { effect } of play(contract, choose, { trouble, ...longer }).steps)
      if (effect?.do === "run-session") expect(effect.pair?.round ?? 1).toBeLessThanOrEqual(contract.limits.roundsMax);
  });
});

test("nothing is begun while another feature's unfinished work lies in the workspace", () => {
  always((contract, choose, trouble) => {
    let open: FeatureId | null = null;
    for (const { effect, event, before } of play(contract, choose, { trouble, ...longer }).steps) {
      if (effect?.do === "checkpoint" && event.type === "checkpointed")
        expect(open === null || open === effect.feature, `${open} lies open, ${effect.feature} begins`).toBe(true);
      if (effect?.do === "run-session" && isMaker(effect.role)) open = featureOf(effect.work);
      if (effect?.do === "take-up" && event.type === "taken-up") open = effect.work.feature;
      const settled = ["committed", "rolled-back", "head-moved"].includes(event.type) || isConflict(event);
      // If a person committed, the tree is theirs: they are asked to look at it.
      if (settled || (event.type === "collected" && event.moved !== null)) open = null;
      if (event.type === "checkpointed" && movedBetween(before, event.mark.head)) open = null;
    }
  });
});

test("a roll-back leads to the state before the first attempt that has not been rolled back", () => {
  always((contract, choose, trouble) => {
    let base: string | null = null;
    for (const { effect, event, before } of play(contract, choose, { trouble, ...longer }).steps) {
      if (event.type === "checkpointed")
        base = movedBetween(before, event.mark.head) ? null : (base ?? event.mark.checkpoint);
      if (effect?.do === "roll-back") expect(effect.work.base.checkpoint).toBe(base);
      if (["committed", "rolled-back", "head-moved"].includes(event.type) || isConflict(event)) base = null;
      if (event.type === "collected" && event.moved !== null) base = null;
    }
  });
});

test("a reserved session is the one that is run, until it has ended or the run is cancelled", () => {
  always((contract, choose, trouble) => {
    let reserved: string | null = null;
    for (const { effect, event } of play(contract, choose, { trouble, ...longer }).steps) {
      if (effect?.do === "run-session") expect(effect.session).toBe(reserved);
      if (event.type === "session-reserved") reserved = event.session;
      if (event.type === "session-ended") reserved = null;
    }
  });
});

function passes(
  run: Run,
  feature: FeatureId | null,
  event: Extract<Step["event"], { type: "session-ended" }>,
): boolean {
  if (event.ending.how !== "replied" || event.ending.reply.kind !== "judged" || !event.ending.reply.pass) return false;
  const { criteria } = event.ending.reply;
  const asked = run.contract.features.find(({ id }) => id === feature)?.criteria ?? [];
  return asked.every((_, at) => criteria.some((c) => c.criterion === at && c.met && c.verification !== "assumption"));
}

const isConflict = (event: Step["event"]): boolean => event.type === "taken-up" && event.conflicts.length > 0;
const featureOf = (work: { feature: FeatureId } | null): FeatureId => work?.feature ?? ("none" as FeatureId);
const isMaker = (role: string): boolean => role === "builder" || role === "tester";
const paused = ({ now }: Run): boolean => now.is === "resting" && now.outcome.kind === "paused";

/** The branch has moved since this feature was begun. */
function movedBetween({ now, progress }: Run, head: string | null): boolean {
  const base = now.is === "marking" ? progressIn(progress, now.feature)?.base : null;
  return base !== null && base !== undefined && base.head !== head;
}

function goOn(run: Run, stamp: Stamp): Run {
  expect(paused(run)).toBe(true);
  return apply(run, { type: "continued", limits: {}, retry: false, ...stamp });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
