// The bundle of evidence behind a feature: gathered by the loop, kept by hash, named in the commit.
import { createHash } from "node:crypto";
import { Bug } from "../../core/errors.ts";
import type { Candidate, Cause, Grade, Work } from "../../core/run.ts";
import type { Counts } from "../../formats/test-report/index.ts";
import type { RunFiles } from "../ports.ts";
import type { Worn } from "./compare-with-seal.ts";
import { numbers } from "./counting.ts";

export type Evidence = {
  readonly version: 1;
  readonly run: string;
  readonly feature: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly base: { readonly tree: string; readonly head: string | null };
  readonly candidate: string;
  readonly checks: readonly CheckEvidence[];
  readonly seal: {
    readonly hash: string;
    readonly changed: readonly string[];
    readonly deleted: readonly string[];
    /** What earlier features of the run had rewritten, laid back as well. */
    readonly worn?: Worn | null;
    /** Tests that moved with their module, as `old → new`. */
    readonly renamed?: readonly string[];
    /** Added files that could decide over the old tests, which were run without them. */
    readonly steering?: readonly string[];
    /** Added tests and configuration that the sealed run was made without. */
    readonly leftOut?: readonly string[];
    /** Sealed files that the contract lets change, and that did. */
    readonly released?: readonly string[];
  };
  readonly witness: {
    readonly seen: boolean;
    readonly why: string;
    readonly tests: readonly string[];
    /** What the failing run printed last. */
    readonly saw?: string;
  };
  /** What is worth knowing and weakens nothing: runners that cannot be counted, added dependencies. */
  readonly remarks?: readonly string[];
  readonly touched: readonly string[];
  readonly grade: Grade;
  readonly weakness: readonly string[];
  readonly failures: readonly Cause[];
};
export type CheckEvidence = {
  readonly name: string;
  readonly command: string;
  readonly on: "candidate" | "sealed" | "before";
  readonly how: string;
  readonly exitCode: number | null;
  readonly output: string;
  /** How many tests ran; null: its runner cannot be counted. */
  readonly counts?: Counts | null;
};

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Keeps the evidence and returns the name it is found by again. */
export function keepEvidence(files: RunFiles, evidence: Evidence): string {
  const text = `${JSON.stringify(evidence, null, 2)}\n`;
  const hash = sha256(text);
  files.write(`evidence/${hash}.json`, text);
  return hash;
}

export function readEvidence(files: RunFiles, hash: string): Evidence {
  const text = files.read(`evidence/${hash}.json`);
  if (text === null || sha256(text) !== hash) throw new Bug(`the evidence ${hash} is missing or was altered`);
  return JSON.parse(text) as Evidence;
}

/** The evidence in a few lines, for an evaluator and for people. */
export function proofText(files: RunFiles, hash: string): string {
  const { checks, witness, seal, weakness, remarks = [] } = readEvidence(files, hash);
  const on = {
    candidate: "on the change",
    sealed: "with the sealed tests laid back",
    before: "on the code as it was before",
  };
  return [
    ...checks.map((check) => {
      const ran = check.counts == null ? "" : `, ${numbers(check.counts)}`;
      return `${check.name} (${check.command}) ${on[check.on]}: ${check.how}${ran}`;
    }),
    witness.seen ? `Red first: ${witness.why}` : `Not red first: ${witness.why}`,
    ...(seal.changed.length > 0 ? [`Sealed files that were changed: ${seal.changed.join(", ")}`] : []),
    ...(seal.renamed === undefined || seal.renamed.length === 0
      ? []
      : [`Tests that moved: ${seal.renamed.join(", ")}`]),
    ...weakness,
    ...remarks,
  ].join("\n");
}

/** Evidence and verdict together are the proof. Made again from the same parts it is the same file, so a crash costs nothing. */
export function sealProof(files: RunFiles, work: Work, candidate: Candidate): string {
  const evidence = readEvidence(files, candidate.proof);
  const verdictText = files.read(`verdicts/${work.feature}-i${work.iteration}.json`);
  if (verdictText === null) throw new Bug(`${work.feature} has no verdict to commit on`);
  const verdict = JSON.parse(verdictText) as { tree: string };
  if (evidence.candidate !== candidate.tree || verdict.tree !== candidate.tree) {
    throw new Bug(`the proof of ${work.feature} is of another tree than the one to commit`);
  }
  const text = `${JSON.stringify({ ...evidence, grade: candidate.grade, verdict }, null, 2)}\n`;
  files.write(`proofs/${work.feature}-i${work.iteration}.json`, text);
  return sha256(text);
}
