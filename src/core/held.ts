// Work that waits for a person: it is kept, the tree is rolled back, and the person's answer decides what happens to
// it.
import { endIteration, failAttempt, triedEnough, update } from "./attempt.ts";
import type { Cause } from "./cause.ts";
import type { Feature } from "./contract.ts";
import type { ResultEvent, SignalEvent } from "./event.ts";
import type { FeatureId, TreeId } from "./ids.ts";
import type { InboxItem } from "./inbox.ts";
import { capReached } from "./ledger.ts";
import type { Outcome } from "./outcome.ts";
import { entriesOf, progressIn } from "./progresses.ts";
import type { Contradiction, Decided } from "./proof.ts";
import { reopen, sendBack, withReleased } from "./reopen.ts";
import type { Held, Mark, Phase, Run, Work } from "./run.ts";
import { featureOf, isDone, progressOf } from "./select.ts";
import { rest, startProof } from "./stop.ts";
import { normal } from "./words.ts";

/** The feature with everything it may change: what its contract allows, and what a person has allowed since. */
export function allowedFeature(run: Run, id: FeatureId): Feature {
  const feature = featureOf(run.contract, id);
  const { allowed } = progressOf(run, id);
  return allowed.length === 0 ? feature : { ...feature, mayChange: [...new Set([...feature.mayChange, ...allowed])] };
}

/** The tree goes back to the base, and the work is kept on a separate branch. */
export function holdWork(run: Run, work: Work, held: Held, cause: Cause): Run {
  const { why, tests, missing } = held;
  const item: InboxItem = { kind: why, feature: work.feature, tests, missing };
  const failed = update(run, work.feature, { lastCause: cause });
  return { ...failed, now: { is: "undoing", work, cause, after: { do: "hold", held, item } } };
}

/** `isForPerson`: no further session could change what is missing. */
type Weak = { readonly proof: string; readonly missing: readonly string[]; readonly isForPerson?: boolean };

/**
 * First a failed attempt: the builder learns what is missing. Then the work waits for a person; immediately if no further
 * attempt could prove it, as for a feature about tests or configuration.
 */
export function unproved(run: Run, work: Work, tree: TreeId, { proof, missing, isForPerson = false }: Weak): Run {
  const cause: Cause = {
    kind: "unproved",
    key: `unproved:${normal(missing.join(" "))}`,
    text: missing.join("\n"),
    frame: { is: "unproved" },
  };
  const isHeldNow = isForPerson || featureOf(run.contract, work.feature).kind === "judge";
  if (!isHeldNow && triedEnough(run, work, cause) === null) return failAttempt(run, work, cause);
  const held: Held = { tree, base: work.base, proof, why: "unproved", missing, tests: [], decided: null };
  return holdWork(run, work, held, cause);
}

export function contradicted(
  run: Run,
  work: Work,
  { tree, proof, missing }: Pick<Held, "tree" | "missing"> & { readonly proof: string },
  found: Contradiction,
): Run {
  const cause: Cause = {
    kind: "tampering",
    key: `contradiction:${normal(found.tests.join(" "))}`,
    text: "",
    frame: { is: "rewrote", tests: found.tests, isAgainst: false },
  };
  const held: Held = {
    tree,
    base: work.base,
    proof,
    why: "contradiction",
    missing,
    tests: found.tests.length > 0 ? found.tests : found.files,
    files: found.files,
    decided: null,
  };
  return holdWork(run, work, held, cause);
}

/** The builder asks instead of trying. Its work so far is kept with the question. */
export function asksPermission(run: Run, work: Work, tree: TreeId, tests: readonly string[], reason: string): Run {
  const key = `permission:${normal(tests.join(" "))}`;
  const cause: Cause = { kind: "permission", key, text: reason, frame: { is: "asks", tests } };
  const missing = reason === "" ? [] : [reason];
  const held: Held = { tree, base: work.base, proof: null, why: "permission", missing, tests, decided: null };
  return holdWork(run, work, held, cause);
}

export function afterHeld(
  run: Run,
  { work, held, item, halt }: Extract<Phase, { is: "holding" }>,
  { branch }: Extract<ResultEvent, { type: "held" }>,
): Run {
  return keepHeld(run, work.feature, { ...held, branch }, item, halt);
}

/** The feature waits with its held work. `halt`: the run also rests, for this reason. */
export function keepHeld(run: Run, feature: FeatureId, held: Held, item: InboxItem, halt?: Outcome): Run {
  const blocked = update(run, feature, { status: "blocked", base: null, builtBy: null, held });
  const filed = { ...blocked, inbox: [...withoutItems(blocked, feature), item] };
  return halt === undefined ? endIteration(filed, feature) : rest(filed, halt, { is: "between" });
}

/**
 * A decision applies only to the work that was shown; an answer about other work, or a second answer, changes nothing.
 */
function shownTo(run: Run, { feature, tree }: { feature: FeatureId; tree: TreeId }): Held | null {
  const held = progressIn(run.progress, feature)?.held ?? null;
  return held !== null && held.tree === tree && held.decided === null ? held : null;
}

export function accepted(run: Run, event: Extract<SignalEvent, { type: "accepted" }>): Run {
  const held = shownTo(run, event);
  return held?.why === "unproved" ? decide(run, event.feature, held, { how: "accept", by: event.by }) : run;
}

export function allowed(run: Run, event: Extract<SignalEvent, { type: "allowed" }>): Run {
  const held = shownTo(run, event);
  if (held === null || held.why === "unproved") return run;
  if (held.why === "contradiction") return decide(run, event.feature, held, { how: "allow", by: event.by });
  const frame = { is: "allowed", tests: held.tests, by: event.by } as const;
  return again(run, event.feature, { kind: "permission", key: "permission:given", text: "", frame }, held.tests);
}

export function turnedDown(run: Run, event: Extract<SignalEvent, { type: "turned-down" }>): Run {
  const { feature, by } = event;
  const held = shownTo(run, event);
  if (held === null) return run;
  const reason = event.reason.trim();
  if (reason !== "") return sendBack(run, feature, reason);
  const item: InboxItem = { kind: "blocked", feature, by: { is: "rejected", by } };
  const dropped = update(run, feature, { held: null });
  return { ...dropped, released: withReleased(run, feature), inbox: [...withoutItems(run, feature), item] };
}

/** It is taken up once any open work in the folder is done. */
function decide(run: Run, feature: FeatureId, held: Held, decided: Decided): Run {
  return { ...update(run, feature, { held: { ...held, decided } }), inbox: withoutItems(run, feature) };
}

/** `tests`: protected tests that a person lets it change. */
function again(run: Run, feature: FeatureId, cause: Cause, tests: readonly string[]): Run {
  const { allowed: before } = progressOf(run, feature);
  return reopen(run, feature, cause, { allowed: [...new Set([...before, ...tests])] });
}

const withoutItems = ({ inbox }: Run, feature: FeatureId): InboxItem[] =>
  inbox.filter((item) => item.feature !== feature);

/** The first feature whose held work a person has decided about. Null while the folder has other open work. */
export function nextDecided(run: Run): FeatureId | null {
  const entries = entriesOf(run.progress);
  if (entries.some(([, { base }]) => base !== null)) return null;
  const found = entries.find(([id, { held }]) => held !== null && held.decided !== null && isReady(run, id));
  return found?.[0] ?? null;
}

const isReady = (run: Run, id: FeatureId): boolean =>
  featureOf(run.contract, id).dependencies.every((other) => isDone(run, other));

/**
 * This makes a commit but starts no session, so only that cap applies. It is numbered like an iteration, and a person's
 * decision must not take one from the agents: their cap moves along.
 */
export function beginTakingUp(run: Run, feature: FeatureId): Run {
  const over = capReached(run, ["commits"]);
  if (over !== null) return rest(run, over, { is: "between" });
  const { limits } = run.contract;
  const iterationsMax = limits.iterationsMax === null ? null : limits.iterationsMax + 1;
  const contract = { ...run.contract, limits: { ...limits, iterationsMax } };
  const counted = { ...run, contract, spent: { ...run.spent, iterations: run.spent.iterations + 1 } };
  return { ...update(counted, feature, { status: "in-progress" }), now: { is: "marking", feature } };
}

/** Taken up as an attempt with its own checkpoint, so that it can be rolled back. */
export function takeUp(run: Run, feature: FeatureId, mark: Mark, held: Held, decided: Decided): Run {
  const attempt = Math.max(1, progressOf(run, feature).attempts);
  const work: Work = {
    feature,
    iteration: run.spent.iterations,
    attempt,
    stage: "implement",
    mark,
    base: mark,
    decided,
  };
  return { ...update(run, feature, { base: mark }), now: { is: "taking-up", work, held } };
}

export function afterTakingUp(
  run: Run,
  { work, held }: Extract<Phase, { is: "taking-up" }>,
  { candidate, conflicts }: Extract<ResultEvent, { type: "taken-up" }>,
): Run {
  if (conflicts.length === 0) return startProof({ ...run, left: candidate }, work, candidate);
  const { feature } = work;
  const frame = { is: "conflict", files: conflicts, by: work.decided?.by ?? null } as const;
  const cause: Cause = { kind: "conflict", key: `conflict:${normal(conflicts.join(" "))}`, text: "", frame };
  const tests = work.decided?.how === "allow" ? held.tests : [];
  const open = update(again(run, feature, cause, tests), feature, { base: null });
  return endIteration(open, feature);
}

/** A person accepted it, but the checks still refuse it: it waits again, with the reason. */
export function refusedAgain(run: Run, work: Work, decided: Decided, cause: Cause): Run {
  const { feature } = work;
  const { held } = progressOf(run, feature);
  const failed = update(run, feature, { lastCause: cause, held: held === null ? null : { ...held, decided: null } });
  const item: InboxItem = {
    kind: held?.why ?? (decided.how === "accept" ? "unproved" : "contradiction"),
    feature,
    tests: held?.tests ?? [],
    missing: held?.missing ?? [],
    refused: { decided, cause },
  };
  return { ...failed, now: { is: "undoing", work, cause, after: { do: "shelve", item } } };
}
