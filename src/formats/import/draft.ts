// What a reader of somebody else's format found, before it has become features of ours.
import type { FeatureTerms } from "../feature-terms.ts";
import type { FeatureEntry, FeatureStatus } from "../features-json.ts";

export const importFormats = [
  "features",
  "feature-list",
  "prd-json",
  "fix-plan",
  "phase-plan",
  "tasks-json",
  "state-json",
  "markdown",
] as const;
export type ImportFormat = (typeof importFormats)[number];

export type DraftFeature = {
  /** As its own system calls it; null: it has no id there. */
  readonly id: string | null;
  readonly name: string;
  readonly description: string;
  readonly criteria: readonly string[];
  /** Ids of their system. */
  readonly dependencies: readonly string[];
  /** Lower comes first; null: nobody said. */
  readonly priority: number | null;
  readonly status: FeatureStatus;
  readonly checks?: readonly string[];
  readonly mayTouch?: readonly string[];
  readonly designDoc?: string;
  /** What has no place in a feature of ours; kept as it is beside the feature. */
  readonly extra: Readonly<Record<string, unknown>>;
} & FeatureTerms;
export type Draft = {
  /** What it is all for; null: the file does not say. */
  readonly goal: string | null;
  readonly features: readonly DraftFeature[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
};

/** Kept word for word, where something had no place. */
export type Kept = { readonly of: string | null; readonly keys: readonly string[] };

export type Imported = {
  readonly format: ImportFormat;
  readonly goal: string | null;
  readonly features: readonly FeatureEntry[];
  readonly warnings: readonly string[];
  readonly kept: readonly Kept[];
  /** A whole FEATURES.json of it, with what was kept. */
  readonly text: string;
};
