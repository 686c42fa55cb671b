// The evidence of a proof: what was run, on which trees, and the results. With the verdict it becomes the proof.
import type { Cause } from "../core/cause.ts";
import type { Feature, FeatureKind } from "../core/contract.ts";
import { Bug } from "../core/errors.ts";
import type { TreeId } from "../core/ids.ts";
import type { Share } from "../core/proof.ts";
import type { Grade } from "../core/run.ts";
import { evidenceFile } from "../formats/kept/proof-files.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { ProofFiles } from "./checks-in-rooms.ts";
import type { Contradiction, Decided, ProofContract, RunName, Told } from "./prover.ts";

export type Evidence = {
  readonly version: 2;
  readonly feature: string;
  readonly label: string;
  readonly kind: FeatureKind;
  readonly depth: "quick" | "standard" | "deep";
  readonly base: TreeId;
  readonly candidate: TreeId;
  /** The tree that a person left, where earlier features came in between. */
  readonly person?: TreeId;
  /** What was asked for, so that the proof can be repeated. */
  readonly order: {
    readonly contract: ProofContract;
    readonly feature: Feature;
    /** Those with examples. */
    readonly earlier?: readonly Told[];
  };
  /** The loop's own files, which belong to no side. */
  readonly ours?: readonly string[];
  /** The trees that the rooms held. */
  readonly trees: Partial<Record<"A" | "U" | "B" | "C", TreeId>>;
  readonly runs: readonly RunRecord[];
  readonly witnesses: readonly string[];
  readonly strength: { readonly noticed: number; readonly tried: readonly { what: string; noticed: boolean }[] } | null;
  /** What the change did to protected files. */
  readonly judge: {
    readonly changed: readonly string[];
    readonly released: readonly string[];
    readonly moved: readonly string[];
    readonly left: readonly string[];
  };
  readonly grade: Grade;
  readonly missing: readonly string[];
  readonly failures: readonly Cause[];
  readonly contradiction: Contradiction | null;
  readonly decided?: Decided;
  /** For information only, without effect on the grade: smells, flaky tests, checks without names. */
  readonly remarks: readonly string[];
  readonly touched: readonly string[];
  readonly cost: { readonly ms: number; readonly runs: number };
};

/** One run of one check, or the result of a group of runs. */
export type RunRecord = {
  readonly run: RunName;
  readonly check: string;
  readonly command: string;
  readonly how: "green" | "red" | "flaky" | "noticed" | "not-noticed" | "not-shown";
  /** For people: "48 tests passed", "3 new tests fail", "4 of 5 noticed". */
  readonly text: string;
  readonly output: string | null;
  readonly ms: number;
  /** Left out of the checkout. */
  readonly without?: "agents";
  /** Names of the tests that passed, to compare with when the proof is repeated. */
  readonly passed?: readonly string[];
  /** How many of how many: tests that pass (B), new tests that fail without the change (C), pieces taken back that were noticed (D). */
  readonly share?: Share;
};

/** Returns the name to find it by. */
export function keepEvidence(files: ProofFiles, evidence: Evidence): string {
  const text = `${JSON.stringify(evidence, null, 2)}\n`;
  const hash = sha256(text);
  files.write(`evidence/${hash}.json`, text);
  return hash;
}

export function readEvidence(files: Pick<ProofFiles, "read">, hash: string): Evidence {
  const text = files.read(`evidence/${hash}.json`);
  if (text === null || sha256(text) !== hash) throw new Bug(`the evidence ${hash} is missing or was altered`);
  return evidenceFile.mustParse<Evidence>(text, `evidence/${hash}.json`);
}

/** Null: written by another version, or not evidence. The caller has compared its hash with the commit's. */
export const parseEvidence = (text: string): Evidence | null => evidenceFile.parseIfPossible<Evidence>(text);
