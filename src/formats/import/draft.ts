// The result of reading a foreign format, before it becomes features.
import type { FeatureTerms } from "../queue/feature-terms.ts";
import type { FeatureEntry, FeatureStatus } from "../queue/features-json.ts";

export const importFormats = [
  "features",
  "feature-list",
  "prd-json",
  "fix-plan",
  "phase-plan",
  "tasks-json",
  "state-json",
  "beads",
  "github-issues",
  "markdown",
] as const;
export type ImportFormat = (typeof importFormats)[number];

export type DraftFeature = {
  /** Its id in the original system; null: none. */
  readonly id: string | null;
  readonly name: string;
  readonly description: string;
  readonly criteria: readonly string[];
  /** Ids of the original system. */
  readonly dependencies: readonly string[];
  /** Lower comes first; null: not given. */
  readonly priority: number | null;
  readonly status: FeatureStatus;
  readonly checks?: readonly string[];
  readonly mayTouch?: readonly string[];
  readonly designDoc?: string;
  /** Data without a place in our features; kept unchanged with the feature. */
  readonly extra: Readonly<Record<string, unknown>>;
} & FeatureTerms;
export type Draft = {
  /** The overall goal; null: not given. */
  readonly goal: string | null;
  readonly features: readonly DraftFeature[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
};

/** Data kept verbatim because it had no place. */
export type Kept = { readonly of: string | null; readonly keys: readonly string[] };

export type Imported = {
  readonly format: ImportFormat;
  readonly goal: string | null;
  readonly features: readonly FeatureEntry[];
  readonly warnings: readonly string[];
  readonly kept: readonly Kept[];
  /** A complete FEATURES.json, including the kept data. */
  readonly text: string;
};
