// A feature as people are shown it: how it stands, what its proof rests on, and what it took.
import type { Feature, FeatureKind, FeatureStatus } from "../core/contract.ts";
import { progressIn } from "../core/progresses.ts";
import type { Contradiction, Decided, Share } from "../core/proof.ts";
import { type Grade, type Held, type HeldWhy, newProgress, type Progress, type Run } from "../core/run.ts";
import { commitSubject } from "../formats/queue/commit-subject.ts";
import type { Iteration } from "./chronicle.ts";
import { type CauseOverview, causeOverview } from "./overview-iteration.ts";
import { type OldCheck, type Proof, type Proofs, proofFile } from "./proof-view.ts";
import { heldBranch } from "./words/held-branch.ts";
import { gradeWords, isAsItShould, isRunShown, restsOn, shareOf, shownLine } from "./words/shown.ts";

/** One feature as people are shown it. */
export type FeatureOverview = {
  readonly id: string;
  readonly name: string;
  /** The first line of its commit. */
  readonly subject: string;
  readonly status: FeatureStatus;
  /** It counts as done: a run completed it, or it was there before. */
  readonly isDone: boolean;
  /** How it stands, in a few words: `proved`, `reviewed by Pat`, `unproved: waits for you`, `accepted by Pat, not committed yet`, `needs rework`. */
  readonly standing: string;
  /** Null: this run has not completed it. */
  readonly grade: Grade | null;
  /** Who reviewed it, if its grade is reviewed. */
  readonly reviewedBy: string | null;
  readonly commit: string | null;
  /** The revert commit of `loop undo`; null: it was not taken back. */
  readonly takenBack: string | null;
  /** `212 old tests pass, 6 new ones fail without it, 4 of 5 changes noticed`; empty: nothing was run for it. */
  readonly restsOn: string;
  /** How many parts of the change the tests noticed when they were taken back. */
  readonly strength: Share | null;
  readonly criteria: readonly CriterionOverview[];
  readonly dependencies: readonly string[];
  readonly kind: FeatureKind;
  /** Protected tests that it may change by its contract. */
  readonly mayChange: readonly string[];
  readonly enough: Feature["enough"];
  /** In this run. */
  readonly attempts: number;
  readonly sessions: number;
  readonly costUsd: number;
  /** Some of the cost is a reservation that was never confirmed. */
  readonly estimated: boolean;
  readonly ms: number;
  /** Why the last attempt failed. */
  readonly lastCause: CauseOverview | null;
  /** Work on it that waits for a decision, or for its turn after one. */
  readonly held: HeldOverview | null;
  /** The proof of its commit; null: it has none, or proofs were not read. */
  readonly proof: ProofOverview | null;
};

export type CriterionOverview = {
  readonly text: string;
  readonly isMet: boolean;
  /** How that is known; null: no verdict about it was read. */
  readonly verification: string | null;
  readonly evidence: readonly string[];
};

export type HeldOverview = {
  readonly why: HeldWhy;
  /** The branch that shows it to people. */
  readonly branch: string;
  readonly missing: readonly string[];
  readonly tests: readonly string[];
  readonly files: readonly string[];
  /** A person's decision, carried out when it is the feature's turn. */
  readonly decided: Decided | null;
};

export type ProofOverview =
  | { readonly is: "unreadable"; readonly file: string }
  | {
      readonly is: "read";
      readonly file: string;
      readonly sha256: string;
      /** What the loop ran itself. */
      readonly runs: readonly RunOverview[];
      readonly decided: Decided | null;
      readonly contradiction: Contradiction | null;
      /** What keeps it from being strong. */
      readonly weakness: readonly string[];
      readonly remarks: readonly string[];
    };

/** `isGood` is null if it is unknown whether that is the expected result. */
export type RunOverview = {
  readonly text: string;
  /** Only in proofs of the first version. */
  readonly command: string | null;
  readonly isGood: boolean | null;
};

export function featureOverview(
  run: Run,
  feature: Feature,
  tries: readonly Iteration[],
  proofs: Proofs,
): FeatureOverview {
  const progress = progressIn(run.progress, feature.id) ?? newProgress("not-started");
  const made = tries.findLast(({ commit }) => commit !== null);
  const isComplete = progress.status === "complete";
  const shown = made !== undefined && isComplete ? made.checks : [];
  const view = made === undefined ? undefined : proofs[proofFile(made)];
  const sessions = tries.flatMap((it) => it.sessions);
  return {
    id: feature.id,
    name: feature.name,
    subject: commitSubject(feature),
    status: progress.status,
    isDone: isComplete || progress.status === "existing",
    standing: isAsked(run, feature.id) ? "waits for your answer" : standing(progress),
    grade: progress.grade,
    reviewedBy: progress.reviewedBy,
    commit: progress.commit,
    takenBack: null,
    restsOn: restsOn(shown),
    strength: shareOf(shown.filter(isRunShown).filter((each) => each.run === "D")),
    criteria: criteriaOf(feature, progress, view?.is === "read" ? view.proof : null),
    dependencies: feature.dependencies,
    kind: feature.kind,
    mayChange: feature.mayChange,
    enough: feature.enough,
    attempts: tries.length,
    sessions: sessions.length,
    costUsd: sessions.reduce((all, { costUsd }) => all + costUsd, 0),
    estimated: sessions.some(({ estimated }) => estimated),
    ms: tries.reduce((all, it) => all + it.endedAt - it.at, 0),
    lastCause: progress.lastCause === null ? null : causeOverview(progress.lastCause),
    held: progress.held === null ? null : heldOverview(progress.held, feature.id),
    proof:
      view === undefined
        ? null
        : view.is === "read"
          ? { is: "read", file: view.file, sha256: view.hash, ...proofOverview(view.proof) }
          : view,
  };
}

/** Its question is open. */
const isAsked = ({ inbox }: Run, id: string): boolean =>
  inbox.some((item) => item.kind === "question" && item.feature === id);

function standing({ status, grade, reviewedBy, held }: Progress): string {
  if (status === "complete") return gradeWords({ grade, reviewedBy });
  if (status !== "blocked") return status.replaceAll("-", " ");
  if (held === null) return "blocked: in the inbox";
  const { why, decided } = held;
  if (decided === null) return `${heldWords[why]}: waits for you`;
  const name = decided.by.replace(/\s*<[^>]*>$/, "") || decided.by;
  return `${decided.how === "accept" ? "accepted" : "allowed"} by ${name}, not committed yet`;
}

const heldWords: Readonly<Record<HeldWhy, string>> = {
  unproved: "unproved",
  contradiction: "rewrote protected tests",
  permission: "asks to change protected tests",
};

const heldOverview = (held: Held, id: string): HeldOverview => {
  const { why, missing, tests, files = [], decided } = held;
  return { why, branch: heldBranch(held, id), missing, tests, files, decided };
};

function criteriaOf({ criteria }: Feature, { criteriaMet }: Progress, proof: Proof | null): CriterionOverview[] {
  const judged = proof?.verdict.reply.criteria ?? [];
  return criteria.map((text, at) => {
    const verdict = judged.find((each) => each.criterion === at);
    return {
      text,
      isMet: verdict?.met ?? criteriaMet.includes(at),
      verification: verdict?.verification ?? null,
      evidence: verdict?.evidence ?? [],
    };
  });
}

function proofOverview(proof: Proof): Omit<Extract<ProofOverview, { is: "read" }>, "is" | "file" | "sha256"> {
  const { shown = [], weakness = [], decided = null, contradiction = null, checks = [], witness } = proof;
  const runs = shown.map((each) => ({ text: shownLine(each), command: null, isGood: isAsItShould(each) }));
  return {
    runs: shown.length > 0 ? runs : checks.map(oldRun),
    decided,
    contradiction,
    weakness: [
      ...(shown.length > 0 || (witness?.seen ?? true) ? [] : [`nothing was red first: ${witness?.why}`]),
      ...weakness,
    ],
    remarks: proof.notes ?? proof.remarks ?? [],
  };
}

const placeTitles = { candidate: "as committed", sealed: "protected tests laid back", before: "on the code before" };

/** Of a proof by the first version. */
function oldRun(check: OldCheck): RunOverview {
  const isGood = isAsItShould(check) === true;
  const how = check.on === "before" && isGood ? `red, as it has to be: ${check.how}` : check.how;
  return { text: `${placeTitles[check.on]}: ${how}`, command: check.command, isGood };
}
