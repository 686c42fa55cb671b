// What `loop run` would work on: the open features of the work queue, or the goal of the contract. A mistake in a file is
// reported, and hides nothing else.
import { UserError } from "../../core/errors.ts";
import { readPersonsLoopMd } from "../../formats/contract/loop-md-mark.ts";
import { type FeatureEntry, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { featuresPath, recordPath } from "../../runtime/records/paths.ts";
import { readConfiguration, readOnce } from "../config/read-once.ts";
import { recordsDirOf } from "../config/settings.ts";
import { isOpen } from "./work-queue.ts";

export type OpenFeatures = {
  readonly path: string;
  readonly features: readonly FeatureEntry[];
  /** The file with the goal that is built where there is no queue; null: there is none. */
  readonly goalIn: string | null;
  /** Why they are not known; null: they are. */
  readonly problem: string | null;
};

export function openFeatures(root: string): OpenFeatures {
  const disk = readOnce(root);
  let path = "loop.yaml";
  try {
    const recordsDir = recordsDirOf(readConfiguration(root, disk), disk);
    path = featuresPath(recordsDir);
    const text = disk.read(path);
    const features = text === null ? [] : parseFeaturesJson(text, path).features.filter(isOpen);
    const contract = recordPath(recordsDir, "LOOP.md");
    // A goal whose features are all complete is reached.
    const hasGoal = text === null && readPersonsLoopMd(disk.read(contract) ?? "").goal !== null;
    return { path, features, goalIn: hasGoal ? contract : null, problem: null };
  } catch (error) {
    if (error instanceof UserError) return { path, features: [], goalIn: null, problem: error.why };
    throw error;
  }
}

/** The command that begins the next run. */
export const nextStart = ({ features, goalIn }: OpenFeatures): string =>
  features.length > 0 || goalIn !== null ? "loop run" : 'loop "what should be done"';
