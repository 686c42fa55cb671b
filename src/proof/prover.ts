// The prover decides whether work is done. There is only one: runs, their ends, `loop prove` and the Stop hook use it.

import type { Cause } from "../core/cause.ts";
import type { Contract, Feature } from "../core/contract.ts";
import type { TreeId } from "../core/ids.ts";
import type { Contradiction, Decided, RunShown } from "../core/proof.ts";
import type { Grade } from "../core/run.ts";

export type { Contradiction, Decided, RunName, RunShown } from "../core/proof.ts";

/**
 * Contract: never throws for what a candidate can do. A machine problem (a full disk, no git) is a UserError.
 * Once `cut` aborts, it returns within seconds with `cut: true`, and no process that it started is alive.
 */
export interface Prover {
  /** Looks at a tree before any agent has worked on it: keeps its dependencies, runs its checks in a room. */
  baseline(order: BaselineOrder, cut: AbortSignal): Promise<Baseline>;
  /** Gathers the evidence on a candidate. For the same trees it always returns the same result. */
  prove(order: ProveOrder, cut: AbortSignal): Promise<Proved>;
  /** Every check, on the tree that a run leaves behind. */
  close(order: BaselineOrder, cut: AbortSignal): Promise<Closed>;
  /** A clean checkout with its dependencies, for a session that judges. What it does there affects nothing else. */
  checkout(order: BaselineOrder, cut: AbortSignal): Promise<Checkout>;
}

export type Checkout = { readonly dir: string; close(): Promise<void> };

/** The parts of a contract that decide a proof. */
export type ProofContract = Pick<Contract, "checks" | "proof" | "scope">;
export type BaselineOrder = { readonly contract: ProofContract; readonly tree: TreeId };

export type Baseline = {
  readonly cut: boolean;
  readonly checks: readonly BaselineCheck[];
  /** What a person should know before anything is spent. */
  readonly notes: readonly string[];
};
export type BaselineCheck = {
  readonly name: string;
  readonly how: "green" | "red" | "flaky";
  /** Tests that passed; null: the check gives no names. */
  readonly tests: number | null;
  /** The end of its output, where it is not green. */
  readonly tail: string;
  /** The whole output. */
  readonly output: string;
  readonly ms: number;
};

/** A test file that was written from the contract alone. */
export type HiddenTest = { readonly path: string; readonly content: string };
/** Where the files of a run keep a feature's hidden tests. They are never copied into the workspace. */
export const hiddenPlace = (feature: string): string => `hidden/${feature}.json`;

/** A feature in its own words. */
export type Told = Pick<Feature, "id" | "name" | "description" | "criteria">;

export type ProveOrder = {
  readonly contract: ProofContract;
  readonly feature: Feature;
  /** Features that are complete: the examples in their words must go on to hold. */
  readonly earlier?: readonly Told[];
  readonly base: TreeId;
  readonly candidate: TreeId;
  /** The tree that a person left, before any agent worked on it. Left out: the base. */
  readonly person?: TreeId;
  /** Names the evidence and its output files: F003-i4. */
  readonly label: string;
  /** A person has decided: `accept` requires the old judge to pass, `allow` lets the tests that it rewrote change. */
  readonly decided?: Decided;
  /** For run H, which only a deep proof has. */
  readonly hidden?: readonly HiddenTest[];
};

export type Proved = {
  readonly cut: boolean;
  /**
   * strong: the runs show it. reviewed: it only needs a passing verdict, or a person. weak: something is missing.
   * With failures the grade is weak.
   */
  readonly grade: Grade;
  /** The hash that the evidence is kept under. */
  readonly proof: string;
  readonly checks: readonly RunShown[];
  /** Why the candidate is refused. */
  readonly failures: readonly Cause[];
  /** What keeps it from being strong, one sentence each, written for the builder. */
  readonly missing: readonly string[];
  /** No further session could change any of it: a person has to look. */
  readonly isForPerson?: boolean;
  /** Only protected tests that it rewrote itself speak against it: a person has to decide. */
  readonly contradiction: Contradiction | null;
  readonly notes: readonly string[];
};

export type Closed = { readonly cut: boolean; readonly red: readonly string[]; readonly notes: readonly string[] };
