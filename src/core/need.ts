// What a run waits for, as codes and data. Sentences are made where people read them.
import type { Cause } from "./cause.ts";
import type { Finding } from "./event.ts";
import type { FeatureId } from "./ids.ts";
import type { AskingFailure } from "./session.ts";

/** What a person is asked before the run goes on. */
export type Need =
  /** So many features are open, and nothing is built yet. */
  | { readonly about: "contract"; readonly open: number }
  | { readonly about: "plan-disputed"; readonly rounds: number; readonly against: readonly Finding[] }
  | { readonly about: "hard-to-undo"; readonly against: readonly Finding[] }
  | { readonly about: "contract-rejected"; readonly reason: string }
  | ({ readonly about: "iteration"; readonly iteration: number; readonly feature: FeatureId } & Became)
  | { readonly about: "done"; readonly proved: number; readonly reviewed: number }
  | { readonly about: "audit-disputed"; readonly rounds: number; readonly against: readonly Finding[] }
  | { readonly about: "agent"; readonly failure: AskingFailure; readonly text: string }
  /** Null: it did not say why, and named no feature. */
  | { readonly about: "no-plan"; readonly said: string | null }
  /** The first of so many questions; the feature is null where it is about the whole. */
  | {
      readonly about: "question";
      readonly feature: FeatureId | null;
      readonly question: string;
      readonly waiting: number;
    }
  | { readonly about: "request-changed" };

/** What an iteration made of its feature. */
export type Became =
  | { readonly became: "proved" }
  | { readonly became: "reviewed"; readonly by: string | null }
  | { readonly became: "rework" | "shelved"; readonly cause: Cause | null };

/** What went on and on, or must not have happened, and so stopped the run. */
export type Trip =
  | { readonly breaker: "nothing-changed" | "same-criteria-unmet"; readonly times: number }
  /** `isVaried`: each of them failed, for whatever reason, and this is the last one. */
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
