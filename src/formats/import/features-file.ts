// A foreign FEATURES.json: the format is ours, but its complete features were not proved here.
import { type FeatureStatus, parseFeaturesJson } from "../queue/features-json.ts";
import { renderFeaturesJson } from "../queue/features-render.ts";
import type { Imported } from "./draft.ts";

export function readFeaturesFile(raw: string, source: string): Imported {
  const file = parseFeaturesJson(raw, source);
  const claimed = file.features.filter(({ status }) => status === "complete");
  const begun = file.features.filter(({ status }) => status === "in-progress");
  const changed = new Map<string, FeatureStatus>([
    ...claimed.map(({ id }): [string, FeatureStatus] => [id, "existing"]),
    ...begun.map(({ id }): [string, FeatureStatus] => [id, "not-started"]),
  ]);
  const text = renderFeaturesJson(file, changed);
  return {
    format: "features",
    goal: null,
    features: parseFeaturesJson(text, source).features,
    warnings:
      claimed.length === 0
        ? []
        : [
            `Called complete elsewhere, and not proved here, so they come in as existing: ${claimed.length} of ${file.features.length}`,
          ],
    kept: [],
    text,
  };
}
