// Estimates how long the checks of one proof take, from one measured run of each. Agent sessions are not included.
import type { ProofTerms } from "../core/contract.ts";
import { mutantsTried } from "./runs/strength.ts";

export type Measured = {
  /** The check itself. */
  readonly ms: number;
  /** The clean checkout around it: made, built, looked at, removed. */
  readonly roomMs: number;
  /** How many test files it has; null: it does not name them, or cannot run some of them alone. */
  readonly files: number | null;
};

export type Depth = ProofTerms["depth"];
export type Estimate = Readonly<Record<Depth, number>>;

/** An answer that depends on its input shows at the first altered one, and so does an assertion that bites. */
const inputs: Readonly<Record<Depth, number>> = { quick: 0, standard: 1, deep: 1 };
const canaries: Readonly<Record<Depth, number>> = { quick: 0, standard: 1, deep: 1 };
/** A runner takes a while to start, however little it has to run. */
const leastShare = 0.2;

/**
 * Assumes a sound change with one new test file: the old tests over the new code and the candidate as it is, in full;
 * the new tests over the old code, and over each mutant, alone.
 */
export function estimateProof(checks: readonly Measured[]): Estimate {
  const full = sum(checks.map(({ ms, roomMs }) => ms + roomMs));
  const alone = sum(
    checks.map(({ ms, roomMs, files }) => roomMs + (files === null ? ms : ms * Math.max(leastShare, 1 / files))),
  );
  const of = (depth: Depth): number =>
    Math.round(2 * full + (1 + mutantsTried[depth] + inputs[depth] + canaries[depth]) * alone);
  return { quick: of("quick"), standard: of("standard"), deep: of("deep") };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
