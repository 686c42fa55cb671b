// How a run ended, or why it rests. Each outcome has its own exit code and next command.
import type { GateName } from "./contract.ts";
import { unreachable } from "./errors.ts";
import type { FeatureId, TreeId } from "./ids.ts";
import type { Need, Trip } from "./need.ts";

/** How a run ended, or why it rests. */
export type Outcome =
  | { readonly kind: "success" }
  | { readonly kind: "refused"; readonly code: string; readonly why: string; readonly next: string }
  /** `price`: what the next session costs, where that is known, and is more than what is left. */
  | {
      readonly kind: "cap";
      readonly cap: Cap;
      readonly used: number;
      readonly allowed: number;
      readonly price?: number;
    }
  /** A commit that the loop did not make. Null: it was made between two attempts at one feature. */
  | { readonly kind: "head-moved"; readonly why: string | null }
  | ({ readonly kind: "breaker" } & Trip)
  | { readonly kind: "too-vague"; readonly missing: readonly string[] }
  | { readonly kind: "needs-person"; readonly need: Need; readonly gate?: Gate }
  /** Everything is proved, but the audit found gaps: a follow-up run takes care of them. */
  | { readonly kind: "followup"; readonly gaps: number }
  | { readonly kind: "inbox"; readonly features: readonly FeatureId[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "paused"; readonly by: PauseReason };

/** What a person is shown, and what their answer therefore refers to. */
export type Gate = {
  readonly name: GateName;
  /** The number of sessions so far, or a higher one: distinguishes showings of the same gate and tree. */
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
/** With `--no-wait`, the exit code of a run that waits for a usage limit. */
export const exitWaiting = 8;
