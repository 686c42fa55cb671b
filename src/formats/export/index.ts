// Exports features: the queue and its progress, in formats for other tools and people.
import { writtenTerms } from "../queue/feature-terms.ts";
import type { FeatureEntry, FeatureFile, FeatureStatus } from "../queue/features-json.ts";
import { unstatedPriority } from "../queue/features-json.ts";
import { renderFeaturesJson } from "../queue/features-render.ts";
import { exportCsv } from "./csv.ts";
import { exportMarkdown } from "./markdown.ts";

export const exportFormats = ["features", "prd-json", "feature-list", "markdown", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The export: the file, the run's statuses, and the goal. */
export type Export = {
  readonly file: FeatureFile;
  readonly statuses: ReadonlyMap<string, FeatureStatus>;
  readonly goal: string | null;
};

export function exportFeatures({ file, statuses, goal }: Export, format: ExportFormat): string {
  const features = file.features.map((feature) => ({ ...feature, status: statuses.get(feature.id) ?? feature.status }));
  switch (format) {
    case "features":
      return renderFeaturesJson(file, statuses);
    case "prd-json":
      return json({ description: goal ?? "", userStories: features.map(story) });
    case "feature-list":
      return json({ ...(goal === null ? {} : { goal }), features: features.map(listEntry) });
    case "markdown":
      return exportMarkdown(features, goal);
    case "csv":
      return exportCsv(features);
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const isDone = ({ status }: FeatureEntry): boolean => status === "complete" || status === "existing";
const stated = ({ priority }: FeatureEntry): object => (priority === unstatedPriority ? {} : { priority });

const story = (feature: FeatureEntry): object => ({
  id: feature.id,
  title: feature.name,
  description: feature.description,
  acceptanceCriteria: feature.criteria,
  ...stated(feature),
  passes: isDone(feature),
  blockedBy: feature.dependencies,
  ...writtenTerms(feature),
});

const listEntry = (feature: FeatureEntry): object => ({
  id: feature.id,
  name: feature.name,
  description: feature.description,
  steps: feature.criteria,
  ...stated(feature),
  dependencies: feature.dependencies,
  passes: isDone(feature),
  ...writtenTerms(feature),
});
