// How a run ended, or why it rests. Every one has its own exit code and a next command.
import type { GateName } from "./contract.ts";
import { unreachable } from "./errors.ts";
import type { FeatureId, TreeId } from "./ids.ts";
import type { Need, Trip } from "./need.ts";

export type Outcome =
  | { readonly kind: "success" }
  | { readonly kind: "refused"; readonly code: string; readonly why: string; readonly next: string }
  | { readonly kind: "cap"; readonly cap: Cap; readonly used: number; readonly allowed: number }
  /** Somebody else's commit. Null: it was made between two attempts at one feature. */
  | { readonly kind: "head-moved"; readonly why: string | null }
  | ({ readonly kind: "breaker" } & Trip)
  | { readonly kind: "too-vague"; readonly missing: readonly string[] }
  | { readonly kind: "needs-person"; readonly need: Need; readonly gate?: Gate }
  /** All is proved, and the audit found that it is not all that was asked for: a run of its own goes on with that. */
  | { readonly kind: "followup"; readonly gaps: number }
  | { readonly kind: "inbox"; readonly features: readonly FeatureId[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "paused"; readonly by: PauseReason };

/** What a person is shown, and what their answer is therefore about. */
export type Gate = {
  readonly name: GateName;
  /** Tells one from the next of its name, where the tree is the same: how many sessions there had been. */
  readonly number: number;
  readonly tree: TreeId;
  readonly feature: FeatureId | null;
};

export type Cap = "cost" | "tokens" | "minutes" | "check-minutes" | "sessions" | "commits" | "iterations";
export type PauseReason = "person" | "interrupt" | "terminate";

/** The exit code of the command that drove the run. A run that waits for a usage limit has none: see `exitWaiting`. */
export function exitCode(outcome: Outcome): number {
  switch (outcome.kind) {
    case "success":
      return 0;
    case "refused":
    case "head-moved":
      return 1;
    case "cap":
      return outcome.cap === "iterations" ? 3 : 2;
    case "breaker":
      return 4;
    case "too-vague":
      return 5;
    case "needs-person":
      return 6;
    case "inbox":
    case "followup":
      return 7;
    case "cancelled":
      return 9;
    case "paused":
      return outcome.by === "terminate" ? 143 : 130;
    default:
      return unreachable(outcome);
  }
}
/** With `--no-wait`, a run that waits for a usage limit leaves with this. */
export const exitWaiting = 8;
