// The open features of the work queue. A mistake in a file is reported, and hides nothing else.
import { UserError } from "../../core/errors.ts";
import { type FeatureEntry, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import { readConfiguration, readOnce } from "../config/read-once.ts";
import { recordsDirOf } from "../config/settings.ts";
import { isOpen } from "./work-queue.ts";

export type OpenFeatures = {
  readonly path: string;
  readonly features: readonly FeatureEntry[];
  /** Why they are not known; null: they are. */
  readonly problem: string | null;
};

export function openFeatures(root: string): OpenFeatures {
  const disk = readOnce(root);
  let path = "loop.yaml";
  try {
    path = featuresPath(recordsDirOf(readConfiguration(root, disk), disk));
    const text = disk.read(path);
    const features = text === null ? [] : parseFeaturesJson(text, path).features.filter(isOpen);
    return { path, features, problem: null };
  } catch (error) {
    if (error instanceof UserError) return { path, features: [], problem: error.why };
    throw error;
  }
}
