// What a run has agreed to: goal, work, checks, limits. Fixed when the run begins; after that, only events of the run
// change it.
import type { FeatureId, RunId } from "./ids.ts";
import type { Limits, Used } from "./limits.ts";

/** What a run has agreed to. */
export type Contract = {
  readonly version: 1;
  /** The request, word for word. */
  readonly request: string;
  /** The features in scope, in file order. */
  readonly features: readonly Feature[];
  readonly checks: readonly CheckSpec[];
  readonly limits: Limits;
  readonly autonomy: Autonomy;
  /** The pairs that work on it. Stages that are not listed cost nothing and do nothing. */
  readonly stages: readonly Stage[];
  readonly scope: Scope;
  readonly recordsDir: string;
  /** What to do when an agent's usage limit is reached. `switch` only if maker and checker are different agents. */
  readonly onLimit: "wait" | "switch";
  /** How full a session's context may get before its agent compacts it, if it can; never when omitted. */
  readonly compactPercent?: number;
  /** How full a session's context may get before a fresh session takes over. */
  readonly handoverPercent: number;
  /** Where a person must answer before the run continues. */
  readonly gates: readonly GateName[];
  /** An agent's question is answered with its own best supposition, and the answer is recorded. */
  readonly fullAutoAnswers: boolean;
  /** The result of the intake; null if nothing was requested beyond the features. */
  readonly intake: IntakeNote | null;
  /** What each feature that a person wrote says of itself, as far as it was open; omitted: the request speaks for all. */
  readonly notes?: readonly FeatureNote[];
  readonly followUp: FollowUp;
  /** How a candidate is proved. */
  readonly proof: ProofTerms;
  /** An agent runs on a subscription: every sum of money is an estimate. */
  readonly isEstimate?: true;
  /** The planner's features get higher numbers than this; omitted: than those of the queue. */
  readonly highestUsed?: number;
};

/** How candidates are proved, and what a clean checkout needs. */
export type ProofTerms = {
  readonly depth: "quick" | "standard" | "deep";
  /** The share of reverted changes that the tests must notice, 0 to 1. */
  readonly strength: number;
  /** Who may allow a change to a protected test. */
  readonly allow: "person" | "checker" | "never";
  /** Globs of files that are always product. */
  readonly product: readonly string[];
  /** How dependencies are installed; null: detected from the lockfile. */
  readonly setup: Setup | null;
  /** Runs in every room before the checks; null: detected, `""`: nothing. */
  readonly build: string | null;
  readonly room: RoomNeeds;
};
/** The command line, and the environment variables and paths in the home folder that only this command gets. */
export type Setup = { readonly run: string; readonly env: readonly string[]; readonly home: readonly string[] };
/** What a clean checkout needs besides the tracked files and the installed dependencies. */
export type RoomNeeds = {
  /** Ignored files and folders, as they were before the first session. */
  readonly files: readonly string[];
  /** Names of environment variables. */
  readonly env: readonly string[];
  /** Paths in the home folder. */
  readonly home: readonly string[];
  /** Folders outside the project, relative to it or absolute, that are visible unchanged. */
  readonly outside: readonly string[];
};
/** The terms where nothing is configured. */
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

/** What was read from the request without a model. */
export type IntakeNote = {
  readonly score: number;
  readonly shape: "tool" | "colleague";
  readonly workflow: "build" | "debug" | "refactor";
  /** The first rule of that workflow. */
  readonly rule: string;
  /** 1: takes hours to undo, so the skeptic argues against it before anything is built. */
  readonly reversibility: "2A" | "2B" | "1";
};

/** What the rules found in the words of one feature. */
export type FeatureNote = Pick<IntakeNote, "workflow" | "reversibility"> & { readonly feature: FeatureId };

/** Whether any of these features, or the request, would take hours to undo. */
export const isHardToUndo = ({ intake, notes = [] }: Contract, features: readonly FeatureId[]): boolean =>
  intake?.reversibility === "1" ||
  notes.some(({ feature, reversibility }) => reversibility === "1" && features.includes(feature));

/** A run can follow up on the gaps that an earlier run's audit found, at most `depthMax` levels deep. */
export type FollowUp = {
  readonly of: RunId | null;
  readonly depth: number;
  readonly depthMax: number;
  /** What the runs before it used of the task's caps: its own limits are the rest. Omitted by earlier versions. */
  readonly used?: Used;
};

/** L1: asks after each iteration. L2: asks only when unclear. L3: unattended. */
export type Autonomy = "L1" | "L2" | "L3";
/** A pair of producer and verifier. */
export type Stage = "plan" | "implement" | "test" | "audit";

/** One entry of the work queue. */
export type Feature = {
  readonly id: FeatureId;
  readonly name: string;
  /** Lower comes first. */
  readonly priority: number;
  readonly status: FeatureStatus;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly dependencies: readonly FeatureId[];
  /** Checks that this feature has to turn green, besides all that must stay green. */
  readonly checks: readonly string[];
  readonly mayTouch: readonly string[];
  readonly designDoc: string | null;
  readonly kind: FeatureKind;
  /** Protected files, or `file > test name`, that this feature may change. */
  readonly mayChange: readonly string[];
  /** `review`: a verdict is enough; counts only if a person wrote it. */
  readonly enough: "proof" | "review";
};
/** Defaults for features that say nothing about these; journals of earlier versions contain such features. */
export const featureDefaults = { kind: "change", mayChange: [], enough: "proof" } as const;
/**
 * change: new behaviour, with a test that fails without it. keep: the same behaviour, arranged differently. docs: only
 * documents. judge: tests, configuration or CI themselves, which need a person's decision.
 */
export type FeatureKind = "change" | "keep" | "docs" | "judge";
/** Where a feature stands. Existing: it was there before any run. */
export type FeatureStatus = "not-started" | "in-progress" | "needs-rework" | "complete" | "blocked" | "existing";

/** What the loop runs to judge work. */
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
  /** Acceptance steps in a browser, instead of the command; `run` then describes them for people. */
  readonly browser?: BrowserSteps;
  /** A check that a program has registered under this name, instead of the command. */
  readonly library?: string;
  /** Where the runner writes its test report, or a folder of reports; null: its output is read. */
  readonly report?: string | null;
  /** none: only a private loopback interface. Not given: open. */
  readonly network?: CheckNetwork;
};
/** What a check reaches: none is itself alone, on a loopback interface. */
export type CheckNetwork = "none" | "open";

/** Steps are data, exactly as written in loop.yaml. */
export type BrowserSteps = {
  /** The start page and the base of relative paths; null: the checkout's files. */
  readonly url: string | null;
  readonly server: { readonly run: string; readonly ready: string; readonly timeoutMs: number } | null;
  readonly steps: readonly BrowserStep[];
  /** Hosts other than this machine that pages may reach. */
  readonly allowHosts: readonly string[];
};
/** One step of an acceptance check in a browser. */
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

/** What may be touched, and what must not happen. */
export type Scope = {
  readonly mayTouch: readonly string[];
  readonly mustNot: readonly string[];
  /** Sealed paths that the work may change anyway. */
  readonly mayChange: readonly string[];
  /** The features to work on, by id, range or prefix; null: all of them. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
  /** Features that were already open before this run's request, or before the follow-up: left for another run. */
  readonly waiting?: readonly FeatureId[];
  /** What to do when a session attempts a forbidden action and is refused: pause the run, or only note it. */
  readonly onDestructive?: "stop" | "note";
};
