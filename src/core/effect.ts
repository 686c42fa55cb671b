// Orders to the outside world. Each has one file in runtime/perform and a rule for repeated delivery.

import type { Cause } from "./cause.ts";
import type { CheckpointId, EffectKey, FeatureId, SessionId, TreeId } from "./ids.ts";
import type { Outcome } from "./outcome.ts";
import type { Candidate, Held, Pair, Role, Side, Work } from "./run.ts";

/** The same effect has the same key however often it is ordered, and no other effect of the run has that key. */
export type Effect = Order & { readonly key: EffectKey };

export type Order =
  | { readonly do: "prepare" }
  | { readonly do: "observe" }
  | { readonly do: "checkpoint"; readonly id: CheckpointId; readonly feature: FeatureId }
  | { readonly do: "reserve-session"; readonly role: Role }
  | {
      readonly do: "run-session";
      readonly session: SessionId;
      readonly role: Role;
      readonly work: Work | null;
      readonly candidate: Candidate | null;
      readonly pair: Pair | null;
      /** The agent chosen for it: the role's own, or the other one while the role's own is rate limited. */
      readonly by: Side;
      /** The session whose conversation it may resume. */
      readonly resumes?: SessionId;
      readonly costUsdMax: number;
      /** Null: tokens have no limit. */
      readonly tokensMax: number | null;
      readonly timeoutMs: number;
      readonly silenceMs: number;
    }
  | { readonly do: "collect"; readonly work: Work }
  | { readonly do: "prove"; readonly work: Work; readonly candidate: TreeId }
  | { readonly do: "commit"; readonly work: Work; readonly candidate: Candidate }
  | { readonly do: "roll-back"; readonly work: Work; readonly cause: Cause }
  | { readonly do: "hold"; readonly work: Work; readonly held: Held }
  | { readonly do: "release"; readonly features: readonly FeatureId[] }
  | { readonly do: "take-up"; readonly work: Work; readonly held: Held }
  | { readonly do: "close" }
  | { readonly do: "file"; readonly outcome: Outcome }
  | { readonly do: "wait"; readonly until: number; readonly because: string };
