// Events and states written by hand, for tests of a single step of a run.
import { apply } from "../../core/apply.ts";
import type { Cause, CauseKind } from "../../core/cause.ts";
import type { Contract } from "../../core/contract.ts";
import type { ResultEvent, RunEvent, SignalEvent } from "../../core/event.ts";
import { checkpointId, commitId, featureId, sessionId, treeId } from "../../core/ids.ts";
import { begin, type Mark, type Run } from "../../core/run.ts";
import { type FailureClass, noUsage } from "../../core/session.ts";
import { contractOf, feature } from "./contracts.ts";

export const hash = (digit: string) => digit.repeat(40);
export const tree = treeId(hash("a"));
export const head = commitId(hash("c"));
export const mark = (id: string, at = head): Mark => ({
  checkpoint: checkpointId(id),
  tree: treeId(hash("b")),
  head: at,
});
export const F1 = featureId("F1");
export const F2 = featureId("F2");

/** Everything happens at one time: only timers depend on it. */
export const stamp = (event: ResultEvent | SignalEvent, tookMs = 10): RunEvent =>
  ({ ...event, at: 1000, sinceMs: tookMs, tookMs }) as RunEvent;
export const send = (run: Run, ...events: (ResultEvent | SignalEvent)[]): Run =>
  events.map((e) => stamp(e)).reduce(apply, run);

export const prepared: ResultEvent = { type: "prepared", mark: mark("origin"), baseline: [], seal: "s" };
export const observed: ResultEvent = { type: "observed", features: null };
export const checkpointed = (id: string, at = head): ResultEvent => ({ type: "checkpointed", mark: mark(id, at) });
export const reserved = (id: string): ResultEvent => ({ type: "session-reserved", session: sessionId(id) });
export const replied = (id: string, reply: object, costUsd: number | null = 0.5): ResultEvent =>
  ({
    type: "session-ended",
    session: id,
    ending: { how: "replied", reply },
    usage: { ...noUsage, costUsd },
    editsMax: null,
  }) as never;
export const failed = (id: string, kind: FailureClass): ResultEvent =>
  ({
    type: "session-ended",
    session: id,
    ending: { how: "failed", failure: { class: kind, text: "why", retryAt: null } },
    usage: noUsage,
    editsMax: null,
  }) as never;
export const done = { kind: "made", status: "done", summary: "" };
export const verdict = (pass: boolean, met = pass, verification = "observation") => ({
  kind: "judged",
  pass,
  rootCause: "r",
  summary: "s",
  criteria: [{ criterion: 0, met, verification }],
});
export const collected = (changed = 1, extra: object = {}): ResultEvent =>
  ({ type: "collected", candidate: tree, changed, violations: [], moved: null, ...extra }) as never;
export const proved = (...failures: Cause[]): ResultEvent => ({
  type: "proved",
  candidate: tree,
  proof: "p",
  grade: failures.length === 0 ? "strong" : "weak",
  checks: [],
  failures,
  missing: [],
  contradiction: null,
});
export const weak = (...missing: string[]): ResultEvent => ({ ...proved(), grade: "weak", missing }) as ResultEvent;
export const contradicting = (...tests: string[]): ResultEvent =>
  ({ ...proved(), grade: "weak", contradiction: { files: ["test/a.js"], tests } }) as ResultEvent;
export const cause = (kind: CauseKind, key = "k"): Cause => ({ kind, key, text: `${kind}!` });
export const committed: ResultEvent = { type: "committed", commit: commitId(hash("d")) };
export const rolledBack: ResultEvent = { type: "rolled-back", quarantine: "q1" };
export const held: ResultEvent = { type: "held", branch: "loop/held/F1" };
export const released: ResultEvent = { type: "released", features: [F1] };
export const takenUp = (...conflicts: string[]): ResultEvent => ({
  type: "taken-up",
  candidate: tree,
  changed: 1,
  conflicts,
});
/** One of each kind, for tests that an unexpected result is refused. */
export const everyResult = (): readonly ResultEvent[] => [
  prepared,
  observed,
  checkpointed("i9"),
  reserved("s9"),
  replied("s1", done),
  collected(),
  proved(),
  committed,
  rolledBack,
  held,
  released,
  takenUp(),
  { type: "closed", red: [] },
  { type: "filed", commit: null },
  { type: "woke" },
  { type: "head-moved", why: "" },
];
export const pause: SignalEvent = { type: "pause-requested", by: "person" };
export const cancel: SignalEvent = { type: "cancel-requested" };
export const goOn = (retry = false): SignalEvent => ({ type: "continued", limits: {}, retry });

export const start = (change: Partial<Contract> = {}): Run =>
  begin(contractOf([feature("F1"), feature("F2", { priority: 2 })], change));
export const steps = {
  opening: [],
  between: [prepared],
  marking: [prepared, observed],
  unpaid: [prepared, observed, checkpointed("i1")],
  paid: [prepared, observed, checkpointed("i1"), reserved("s1")],
  collecting: [prepared, observed, checkpointed("i1"), reserved("s1"), replied("s1", done)],
  proving: [prepared, observed, checkpointed("i1"), reserved("s1"), replied("s1", done), collected()],
} as const;
export const at = (name: keyof typeof steps, change: Partial<Contract> = {}): Run =>
  send(start(change), ...steps[name]);
export const judging = (run = at("proving")): Run => send(run, proved(), reserved("s2"));
/** F1 is built, judged and committed, and nothing else remains. */
export const built = (change: Partial<Contract> = {}): Run =>
  send(
    begin(contractOf([feature("F1")], change)),
    ...steps.proving,
    proved(),
    reserved("s2"),
    replied("s2", verdict(true)),
    committed,
  );
export const committing = (): Run => send(judging(), replied("s2", verdict(true)));
/** A second attempt at F1, up to its proof; the first failed with `check-red`. */
export const again = (): Run =>
  send(
    at("proving"),
    proved(cause("check-red", "first")),
    observed,
    checkpointed("i2"),
    reserved("s3"),
    replied("s3", done),
    collected(),
  );
