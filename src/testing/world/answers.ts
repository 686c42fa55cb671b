// Arbitrary but legal answers to every effect: tests a core against any world, without having one.

import type { Cause, CauseKind } from "../../core/cause.ts";
import type { Feature } from "../../core/contract.ts";
import type { Effect } from "../../core/effect.ts";
import type { Gap, ResultEvent, RunEvent, SessionEnding, SignalEvent, Verification } from "../../core/event.ts";
import { checkpointId, commitId, sessionId, type TreeId, treeId } from "../../core/ids.ts";
import type { Mark, Role, Run } from "../../core/run.ts";
import type { Failure, FailureClass, Usage } from "../../core/session.ts";
import { anyFeature } from "./contracts.ts";
import { type Choices, chance, pick } from "./random.ts";

/** How much trouble the answers make. */
export type AnswerOptions = {
  /** How often, out of a thousand, something fails where it can. */
  readonly trouble: number;
};

const reservedFor = (effect: Effect): number => (effect.do === "run-session" ? effect.costUsdMax : 0);

const failureClasses: readonly [FailureClass, ...FailureClass[]] = [
  "crashed",
  "transient",
  "limited",
  "context-full",
  "timed-out",
  "silent",
  "no-result",
  "out-of-tokens",
  "authentication",
  "billing",
  "refused",
  "misconfigured",
];
const causeKinds: readonly [CauseKind, ...CauseKind[]] = [
  "check-red",
  "flaky",
  "tampering",
  "scope",
  "secret",
  "must-not",
  "rejected",
];

/** Invents the world's side of a run. Names are numbered, so that no two are equal by accident. */
export class Answers {
  readonly #choose: Choices;
  readonly #trouble: number;
  #names = 0;
  #now = 1_700_000_000_000;

  constructor(choose: Choices, { trouble }: AnswerOptions) {
    this.#choose = choose;
    this.#trouble = trouble;
  }

  /** One answer to the effect, as an event. A requested pause or cancel may interrupt it. */
  answer(effect: Effect, run: Run): RunEvent {
    const cut = run.asked !== null && this.#choose.below(2) === 1;
    const result: ResultEvent = cut
      ? { type: "cut", usage: chance(this.#choose, 500) ? this.#usage(reservedFor(effect)) : null }
      : this.#trouble > 0 && chance(this.#choose, 8)
        ? { type: "refused", code: "disk-full", why: "The disk is full.", next: "Make room." }
        : this.#result(effect, run);
    return this.stamp(result, effect);
  }

  /** With an effect, as an answer to it. */
  stamp(event: ResultEvent | SignalEvent, effect?: Effect): RunEvent {
    const tookMs = this.#choose.below(3) * 10_000;
    this.#now += tookMs;
    // Some timers fire early: clocks are set back, machines sleep.
    const early = effect?.do === "wait" && this.#choose.below(5) === 4;
    if (effect?.do === "wait" && !early) this.#now = Math.max(this.#now, effect.until);
    const stamped = { at: this.#now, sinceMs: tookMs };
    return { ...event, ...stamped, ...(effect === undefined ? {} : { key: effect.key, tookMs }) } as RunEvent;
  }

  #wrong(): boolean {
    return chance(this.#choose, this.#trouble);
  }

  #hash(): string {
    return (++this.#names).toString(16).padStart(40, "0");
  }

  #mark(name: string, run: Run): Mark {
    const moved = this.#wrong() && this.#choose.below(4) === 3;
    const head = run.head?.commit ?? null;
    return {
      checkpoint: checkpointId(name),
      tree: treeId(this.#hash()),
      head: moved || head === null ? commitId(this.#hash()) : head,
    };
  }

  #result(effect: Effect, run: Run): ResultEvent {
    const wrong = () => this.#wrong();
    switch (effect.do) {
      case "prepare":
        return { type: "prepared", mark: this.#mark("origin", run), baseline: [], seal: "seal" };
      case "observe":
        return { type: "observed", features: wrong() && this.#choose.below(3) === 2 ? this.#edited(run) : null };
      case "checkpoint":
        return wrong() && this.#choose.below(8) === 7
          ? { type: "head-moved", why: "Pat committed." }
          : { type: "checkpointed", mark: this.#mark(effect.id, run) };
      case "reserve-session":
        return { type: "session-reserved", session: sessionId(`s${++this.#names}`) };
      case "run-session":
        return this.#ended(effect, run);
      case "collect": {
        const changed = wrong() ? 0 : 1 + this.#choose.below(3);
        const violations = wrong() ? [{ kind: "ref-changed", what: "A ref.", grave: this.#choose.below(2) === 1 }] : [];
        const moved = wrong() && this.#choose.below(4) === 3 ? "Pat committed." : null;
        const changedInAll = changed === 0 && wrong() ? 1 : changed;
        return { type: "collected", candidate: treeId(this.#hash()), changed, changedInAll, violations, moved };
      }
      case "prove":
        return this.#proved(effect.candidate);
      case "hold":
        return { type: "held", branch: wrong() ? null : `loop/held/${effect.work.feature}` };
      case "release":
        return { type: "released", features: effect.features };
      case "take-up": {
        const conflicts = wrong() ? ["src/a.js"] : [];
        return { type: "taken-up", candidate: treeId(this.#hash()), changed: 1, conflicts };
      }
      case "commit":
        return wrong() && this.#choose.below(4) === 3
          ? { type: "head-moved", why: "Pat committed." }
          : { type: "committed", commit: commitId(this.#hash()) };
      case "roll-back":
        return wrong() && this.#choose.below(8) === 7
          ? { type: "head-moved", why: "Pat committed." }
          : { type: "rolled-back", quarantine: `q${++this.#names}` };
      case "close":
        return { type: "closed", red: wrong() ? ["test"] : [] };
      case "file":
        return { type: "filed", commit: wrong() ? null : commitId(this.#hash()) };
      case "wait":
        return { type: "woke" };
    }
  }

  #proved(candidate: TreeId): ResultEvent {
    const failures = this.#wrong() ? [this.#cause(), ...(this.#wrong() ? [this.#cause()] : [])] : [];
    const grade = this.#wrong() ? "weak" : this.#wrong() ? "reviewed" : "strong";
    const missing = grade === "weak" ? [`Missing ${this.#choose.below(3)}.`] : [];
    const contradiction =
      this.#wrong() && this.#choose.below(2) === 1 ? { files: ["test/a.js"], tests: ["test/a.js > a"] } : null;
    return { type: "proved", candidate, proof: this.#hash(), grade, checks: [], failures, missing, contradiction };
  }

  /** Only a few keys, so that the same root cause does occur twice. */
  #cause(): Cause {
    const kind = pick(this.#choose, causeKinds);
    return { kind, key: `${kind}:${this.#choose.below(3)}`, text: `${kind}.` };
  }

  /** A planner says what is to be built, and never what is done. */
  #planned(id: string): Feature {
    return { ...anyFeature(this.#choose, id, []), status: "not-started" };
  }

  #gap(): Gap {
    return { id: `G${++this.#names}`, blocking: this.#choose.below(2) === 1, text: "A gap.", evidence: [] };
  }

  #edited(run: Run): Feature[] {
    const features = [...run.contract.features];
    if (this.#choose.below(2) === 1) features.pop();
    if (this.#choose.below(2) === 1 && features.length < 8)
      features.push(anyFeature(this.#choose, `N${++this.#names}`, []));
    const ids = new Set(features.map(({ id }) => id));
    return features.map((f) => ({ ...f, dependencies: f.dependencies.filter((id) => ids.has(id)) }));
  }

  /** Within the reserved amount, or unknown: then all of it is charged. */
  #usage(costUsdMax: number): Usage {
    const share = this.#choose.below(5);
    const costUsd = share === 4 ? null : Math.floor(((costUsdMax * share) / 3) * 1e6) / 1e6;
    const tokens = this.#choose.below(4) * 100;
    return { inputTokens: tokens, outputTokens: tokens, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd };
  }

  #ended(effect: Extract<Effect, { do: "run-session" }>, run: Run): ResultEvent {
    const { session, role } = effect;
    const ending: SessionEnding = this.#wrong()
      ? { how: "failed", failure: this.#failure() }
      : { how: "replied", reply: this.#reply(role, run, effect.work?.feature ?? null) };
    const usage = this.#usage(effect.costUsdMax);
    const editsMax = this.#wrong() ? { path: "src/a.js", times: 3 + this.#choose.below(4) } : null;
    const refused = this.#wrong() ? { refused: [{ command: "git push", why: "Pushing is left to a person." }] } : {};
    return { type: "session-ended", session, ending, usage, editsMax, ...refused };
  }

  #failure(): Failure {
    const retryAt = this.#choose.below(2) === 1 ? this.#now + this.#choose.below(4) * 600_000 - 600_000 : null;
    return { class: pick(this.#choose, failureClasses), text: `error ${this.#choose.below(3)}`, retryAt };
  }

  #reply(role: Role, run: Run, feature: string | null): Extract<SessionEnding, { how: "replied" }>["reply"] {
    switch (role) {
      case "builder":
      case "tester":
      case "designer": {
        if (!this.#wrong()) return { kind: "made", status: "done", summary: "done" };
        const summary = `blocked ${this.#choose.below(3)}`;
        if (this.#choose.below(3) === 2)
          return { kind: "made", status: "needs-permission", tests: ["test/a.js"], reason: "It must." };
        if (this.#choose.below(2) === 1) return { kind: "made", status: "blocked", summary };
        return { kind: "made", status: "question", question: "Which?", supposition: "This." };
      }
      case "examiner":
        return { kind: "examined", tests: this.#choose.below(3) };
      case "planner":
        if (this.#wrong())
          return this.#choose.below(2) === 1
            ? { kind: "made", status: "blocked", summary: "No." }
            : { kind: "made", status: "question", question: "Which?", supposition: "This." };
        return { kind: "planned", features: ["P1", "P2"].map((id) => this.#planned(id)) };
      case "auditor":
        return { kind: "audited", summary: "audited", gaps: this.#wrong() ? [this.#gap()] : [], revised: "More." };
      case "plan-verifier":
      case "audit-verifier":
      case "skeptic": {
        const findings = this.#wrong() ? [this.#gap()] : [];
        return { kind: "reviewed", pass: !this.#wrong(), summary: "reviewed", findings };
      }
      case "evaluator":
      case "test-verifier": {
        const criteria = run.contract.features.find(({ id }) => id === feature)?.criteria ?? [];
        const seen = (): Verification =>
          this.#wrong() ? pick(this.#choose, ["assumption", "code review"]) : "execution output";
        const judged = criteria.map((_, criterion) => ({ criterion, met: !this.#wrong(), verification: seen() }));
        const pass = !this.#wrong();
        const rootCause = `root ${this.#choose.below(3)}`;
        return { kind: "judged", pass, rootCause, summary: "judged", criteria: judged };
      }
    }
  }
}
