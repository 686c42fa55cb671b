// What a run waits for, as codes and data. They become sentences where people read them.
import type { Cause } from "./cause.ts";
import type { Finding } from "./event.ts";
import type { FeatureId } from "./ids.ts";
import type { AskingFailure } from "./session.ts";

/** What a person is asked before the run continues. */
export type Need =
  /** This many features are open, and nothing is built yet. */
  | { readonly about: "contract"; readonly open: number }
  | { readonly about: "plan-disputed"; readonly rounds: number; readonly against: readonly Finding[] }
  | { readonly about: "hard-to-undo"; readonly against: readonly Finding[] }
  | { readonly about: "contract-rejected"; readonly reason: string }
  | ({ readonly about: "iteration"; readonly iteration: number; readonly feature: FeatureId } & Became)
  | { readonly about: "done"; readonly proved: number; readonly reviewed: number }
  | { readonly about: "audit-disputed"; readonly rounds: number; readonly against: readonly Finding[] }
  | { readonly about: "agent"; readonly failure: AskingFailure; readonly text: string }
  /** Null: the planner gave no reason and named no feature. */
  | { readonly about: "no-plan"; readonly said: string | null }
  /** The first of several open questions; the feature is null if it is about the whole run. */
  | {
      readonly about: "question";
      readonly feature: FeatureId | null;
      readonly question: string;
      readonly waiting: number;
    }
  | { readonly about: "request-changed" };

/** What an iteration achieved for its feature. */
export type Became =
  | { readonly became: "proved" }
  | { readonly became: "reviewed"; readonly by: string | null }
  | { readonly became: "rework" | "shelved"; readonly cause: Cause | null };

/** Endless repetition or a forbidden event that stopped the run. */
export type Trip =
  | { readonly breaker: "nothing-changed" | "same-criteria-unmet"; readonly times: number }
  /** `isVaried`: all of them failed, for various reasons, and this is the last one. */
  | { readonly breaker: "same-error"; readonly times: number; readonly error: string; readonly isVaried: boolean }
  | { readonly breaker: "still-failing-to-reach"; readonly times: number; readonly error: string }
  | { readonly breaker: "same-file-edited"; readonly path: string; readonly times: number }
  | { readonly breaker: "must-not"; readonly cause: Cause }
  | {
      readonly breaker: "destructive-action";
      readonly command: string;
      readonly why: string;
      readonly others: number;
    };
