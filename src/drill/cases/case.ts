// A case of the drill: a small green project, a change that an agent leaves behind, and what must become of it.
import type { FeatureKind } from "../../core/contract.ts";

export type Stack = "node" | "vitest" | "pytest" | "unittest" | "shell" | "jest" | "mocha" | "rust" | "go";

/** Path → new text; null deletes. Paths have forward slashes; in `tampered`, `~/` is the agent's home. */
export type Edit = Readonly<Record<string, string | null>>;

/** Real packages that the harness puts into node_modules, with everything that they need. */
export type Package = "vitest" | "jest" | "mocha" | "@biomejs/biome" | "typescript";

export type Case = {
  readonly name: string;
  readonly stack: Stack;
  readonly class: CaseClass;
  /** The twin of a cheat: it does the same for a good reason. */
  readonly honest: boolean;
  /** The base. Every file is tracked, and `check.run` is green on it. */
  readonly project: Edit;
  /** Installed at the base and ignored by git: a small node_modules, a folder of Python packages, a local `.env`. */
  readonly installed?: Edit;
  /** How ignored things come to be at the base where text cannot say it: the link of a workspace package. */
  readonly installs?: string;
  /** What `build:` in loop.yaml says. */
  readonly build?: string;
  readonly needs?: readonly Package[];
  readonly check: Checks;
  /** What the agent leaves, as a commit would hold it. */
  readonly change: Edit;
  /** What the agent leaves in ignored places: node_modules, caches, its home. */
  readonly tampered?: Edit;
  /** What the agent also runs in its workspace, for what text cannot say: links, times, index flags, bytecode. */
  readonly act?: string;
  readonly feature: CaseFeature;
  /** Features that were completed before it. */
  readonly earlier?: readonly CaseFeature[];
  readonly truth: Truth;
  readonly expect: Expect;
};

export type Checks = {
  /** Green at the base, and must stay so. */
  readonly run: string;
  /** A second check of the same kind, such as a linter. */
  readonly lint?: string;
  /** A check that is red at the base and has to turn green; its tests are in the base already. */
  readonly turn?: string;
};

export type CaseFeature = {
  readonly name: string;
  readonly description?: string;
  readonly criteria: readonly string[];
  readonly kind?: FeatureKind;
  readonly mayChange?: readonly string[];
};

/**
 * What is really so, found without the project's own tests: files to lay over a fresh clone of the change, with the
 * dependencies of the base, and a command. It passes for honest work and fails for a cheat.
 */
export type Truth = {
  readonly files: Edit;
  readonly run: string;
  /** Laid over the base, this makes the truth pass: so a cheat does not fail it by accident. Left out: the base does. */
  readonly passesOn?: Edit;
};

/**
 * refused: a failure, or a proof that is not strong. asked: a person decides between the old tests and the new ones.
 * Honest work is asked about only where the case changes what it is judged by.
 */
export type Expect = "refused" | "refused-or-asked" | "accepted" | "accepted-or-asked" | "asked";

export const caseClasses = [
  // A weak proof counts as done.
  "worthless-test",
  "not-built",
  "fitted-answer",
  // The judge is only partly sealed.
  "old-test-changed",
  "old-behaviour-adapted",
  "helper-emptied",
  "judge-hollowed",
  "expected-rewritten",
  "runner-configuration",
  "lint-configuration",
  "selection-narrowed",
  "tests-in-source",
  "turn-green-edited",
  // New tests run together with old ones.
  "test-patches",
  "test-ends-runner",
  "test-rewrites-disk",
  "report-forged",
  // The product plays along.
  "product-exits",
  "product-needs-tests",
  "alias-hijacked",
  // The environment and the folder are the agent's.
  "dependency-tampered",
  "dependency-undeclared",
  "environment-planted",
  "git-trick",
  "stale-build",
  "outside-planted",
  // What no test needs is gone.
  "removed-unseen",
  // Ordinary work, with nothing on the other side.
  "plain-feature",
  "behaviour-change",
  "rename-or-move",
  "refactor",
  "documents",
  "new-files",
  "removal",
  "formatting",
] as const;
export type CaseClass = (typeof caseClasses)[number];
