// A list of features that are all complete: nothing is left to run.

import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import { readInputs } from "../config/contract-inputs.ts";
import { readOnce } from "../config/read-once.ts";
import { hasOpen } from "./work-queue.ts";

/** How many features there are, if all of them are complete. Null: one is open, or there is no list. */
export function finishedQueue(root: string, flags: LoopYaml): number | null {
  const disk = readOnce(root);
  const path = featuresPath(readInputs(root, disk, flags).recordsDir);
  const text = disk.read(path);
  if (text === null || hasOpen(text, path)) return null;
  return parseFeaturesJson(text, path).features.length || null;
}
