// What a run has agreed to: goal, work, checks, limits. Fixed when the run begins; only what is said here may change it.
import type { FeatureId, RunId } from "./ids.ts";
import type { Limits } from "./limits.ts";

export type Contract = {
  readonly version: 1;
  /** What was asked, to the letter. */
  readonly request: string;
  /** The features in scope, in the order of their file. */
  readonly features: readonly Feature[];
  readonly checks: readonly CheckSpec[];
  readonly limits: Limits;
  readonly autonomy: Autonomy;
  /** Which pairs work on it. A stage that is not named here costs nothing and does nothing. */
  readonly stages: readonly Stage[];
  readonly scope: Scope;
  readonly recordsDir: string;
  /** What to do when an agent's usage limit is reached. `switch` only where maker and checker are different agents. */
  readonly onLimit: "wait" | "switch";
  /** How full a session's context may get before its agent compacts it, where it can; left out: never. */
  readonly compactPercent?: number;
  /** How full a session's context may get before a fresh session goes on in its place. */
  readonly handoverPercent: number;
  /** Where a person answers before the run goes on. */
  readonly gates: readonly GateName[];
  /** An agent's question is answered with its own best supposition, and the answer is recorded. */
  readonly fullAutoAnswers: boolean;
  /** What the request was found to be; null: nobody asked for anything but what the features say. */
  readonly intake: IntakeNote | null;
  readonly followUp: FollowUp;
  /** How a candidate is proved. */
  readonly proof: ProofTerms;
};

export type ProofTerms = {
  readonly depth: "quick" | "standard" | "deep";
  /** The share of taken-back changes that the tests must notice, 0 to 1. */
  readonly strength: number;
  /** Who may let a protected test change. */
  readonly allow: "person" | "checker" | "never";
  /** Globs of files that are product, whatever the rules say. */
  readonly product: readonly string[];
  /** How dependencies are installed; null: detected from the lockfile. */
  readonly setup: Setup | null;
  /** Runs in every room before the checks; null: detected, `""`: nothing. */
  readonly build: string | null;
  readonly room: RoomNeeds;
};
/** The command line, names of variables and paths in the home that only this command gets. */
export type Setup = { readonly run: string; readonly env: readonly string[]; readonly home: readonly string[] };
/** What a clean checkout needs beside the tracked files and the installed dependencies. */
export type RoomNeeds = {
  /** Ignored files and folders, as they were before the first session. */
  readonly files: readonly string[];
  /** Names of environment variables. */
  readonly env: readonly string[];
  /** Paths below the home. */
  readonly home: readonly string[];
  /** Folders outside of the project, relative to it or absolute, that are seen as they are. */
  readonly outside: readonly string[];
};
export const defaultProofTerms: ProofTerms = {
  depth: "standard",
  strength: 0.5,
  allow: "person",
  product: [],
  setup: null,
  build: null,
  room: { files: [], env: [], home: [], outside: [] },
};

/** G1: before anything is built. G2: after each iteration. G3: before the run calls itself done. */
export type GateName = "G1" | "G2" | "G3";

export type IntakeNote = {
  readonly score: number;
  readonly shape: "tool" | "colleague";
  readonly workflow: "build" | "debug" | "refactor";
  /** What that kind of work begins with. */
  readonly rule: string;
  /** 1: hours to take back, so that somebody argues against it before anything is built. */
  readonly reversibility: "2A" | "2B" | "1";
};

/** A run can follow up on what the audit of an earlier one found missing; never deeper than `depthMax`. */
export type FollowUp = { readonly of: RunId | null; readonly depth: number; readonly depthMax: number };

export type Autonomy = "L1" | "L2" | "L3";
export type Stage = "plan" | "implement" | "test" | "audit";

export type Feature = {
  readonly id: FeatureId;
  readonly name: string;
  /** Lower is sooner. */
  readonly priority: number;
  readonly status: FeatureStatus;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly dependencies: readonly FeatureId[];
  /** Checks that this feature has to turn green, beside all that must stay green. */
  readonly checks: readonly string[];
  readonly mayTouch: readonly string[];
  readonly designDoc: string | null;
  readonly kind: FeatureKind;
  /** Protected files, or `file > test name`, that this feature may change. */
  readonly mayChange: readonly string[];
  /** `review`: a verdict is enough; counts only where a person wrote it. */
  readonly enough: "proof" | "review";
};
/** What a feature is that says nothing about it; journals of earlier versions hold such. */
export const featureDefaults = { kind: "change", mayChange: [], enough: "proof" } as const;
/**
 * change: new behaviour, with a test that fails without it. keep: the same behaviour, arranged differently. docs: documents
 * only. judge: tests, configuration or CI themselves, which a person decides.
 */
export type FeatureKind = "change" | "keep" | "docs" | "judge";
export type FeatureStatus = "not-started" | "in-progress" | "needs-rework" | "complete" | "blocked" | "existing";

export type CheckSpec = {
  readonly name: string;
  readonly run: string;
  /** stay-green: green before and after. turn-green: red before, green when the run ends. */
  readonly must: "stay-green" | "turn-green";
  readonly timeoutMs: number;
  /** Globs of the test files that belong to it and are sealed with it. */
  readonly tests: readonly string[];
  /** Command lines around every run of the check: start a database, drop it again. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** Acceptance steps in a browser, instead of the command; `run` then says what they are, for people. */
  readonly browser?: BrowserSteps;
  /** Where the runner writes its test report, or a folder of them; null: its output is read. */
  readonly report?: string | null;
};

/** Steps are data, as they stand in loop.yaml. */
export type BrowserSteps = {
  /** Where it begins, and what paths in the steps belong to; null: the checkout's files. */
  readonly url: string | null;
  readonly server: { readonly run: string; readonly ready: string; readonly timeoutMs: number } | null;
  readonly steps: readonly BrowserStep[];
  /** Hosts beside this machine that pages may reach. */
  readonly allowHosts: readonly string[];
};
export type BrowserStep =
  | { readonly goto: string }
  | { readonly fill: { readonly selector: string; readonly value: string } }
  | { readonly click: string }
  | { readonly press: string | { readonly selector: string; readonly key: string } }
  | { readonly expect_text: string | { readonly selector?: string | undefined; readonly text: string } }
  | { readonly expect_url: string }
  | { readonly expect_count: { readonly selector: string; readonly count: number } }
  | { readonly wait_for: string }
  | { readonly screenshot: string };

export type Scope = {
  readonly mayTouch: readonly string[];
  readonly mustNot: readonly string[];
  /** Sealed paths that the work may change after all. */
  readonly mayChange: readonly string[];
  /** Which features are meant, by id, range or prefix; null: all of them. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
  /** Features that were open before the request of this run came: they are left for another run. */
  readonly waiting?: readonly FeatureId[];
  /** What follows when a session tried what no session does, and was refused: the run pauses, or it is only noted. */
  readonly onDestructive?: "stop" | "note";
};
