// What waits for a person, as data.
import type { Cause } from "./cause.ts";
import type { Gap } from "./event.ts";
import type { FeatureId } from "./ids.ts";
import type { Decided } from "./proof.ts";
import type { HeldWhy } from "./run.ts";

/** `feature` is null if it is about the whole run. */
export type InboxItem = { readonly feature: FeatureId | null } & Matter;
export type Matter =
  | { readonly kind: "question"; readonly question: string; readonly supposition: string }
  | { readonly kind: "blocked"; readonly by: Obstacle }
  | { readonly kind: "failed"; readonly over: TriedEnough; readonly cause: Cause }
  | { readonly kind: "check-red"; readonly check: string }
  | { readonly kind: "gap"; readonly gap: Gap }
  | {
      readonly kind: HeldWhy;
      readonly tests: readonly string[];
      readonly missing: readonly string[];
      /** A person accepted it, and the checks refused it. */
      readonly refused?: Refused;
    };
export type Refused = { readonly decided: Decided; readonly cause: Cause };

/** What blocks a feature, or the run. */
export type Obstacle =
  | { readonly is: "dependencies"; readonly missing: readonly FeatureId[] }
  | { readonly is: "blocked-before" | "no-work" }
  | { readonly is: "rejected"; readonly by: string };

/** Why a feature is not tried again. */
export type TriedEnough =
  /** `regression`, `scope`: again, though for another reason. */
  | { readonly is: "must-not" | "same-cause" | "regression" | "scope" }
  /** Its builder says so: another attempt would meet the same obstacle. */
  | { readonly is: "blocked" }
  | { readonly is: "attempts"; readonly attempts: number };
