// Features of which everything in scope is done: a success that takes no run.

import type { FeatureId } from "../../core/ids.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { inScope } from "../../formats/queue/feature-selector.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { count } from "../../report/words/words.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import { agree, readInputs } from "../config/contract-inputs.ts";
import { type Reader, readOnce } from "../config/read-once.ts";
import { isOpen } from "./work-queue.ts";

export type NothingLeft = {
  readonly path: string;
  /** How many features are in scope, all of them done. */
  readonly done: number;
  /** Open ones that the scope leaves out. */
  readonly outside: readonly FeatureId[];
  /** What sets the scope. */
  readonly scopedIn: string;
};

/** Null: a feature in scope is open, or there is none. */
export function nothingLeft(root: string, flags: LoopYaml, disk: Reader = readOnce(root)): NothingLeft | null {
  const inputs = readInputs(root, disk, flags);
  const path = featuresPath(inputs.recordsDir);
  const text = disk.read(path);
  const features = text === null ? [] : parseFeaturesJson(text, path).features;
  if (features.length === 0) return null;
  const ids = features.map(({ id }) => id);
  const { settings, from } = agree(inputs, ids, true);
  const isMeant = (id: FeatureId): boolean => inScope(id, settings.scope.features);
  const meant = features.filter(({ id }) => isMeant(id));
  if (meant.length === 0 || meant.some(isOpen)) return null;
  const outside = features.flatMap((feature) => (isOpen(feature) && !isMeant(feature.id) ? [feature.id] : []));
  return { path, done: meant.length, outside, scopedIn: from.include === "default" ? from.exclude : from.include };
}

/** A status in a file is no proof, and nothing was run: this says so. */
export function nothingLeftText({ path, done, outside, scopedIn }: NothingLeft): string {
  const which = outside.length === 0 ? `Every feature in ${path}` : `Every feature in scope (${scopedIn})`;
  const first = `Nothing is left to do. ${which} is complete: ${done} of ${done}. No run began, and nothing was checked.`;
  if (outside.length === 0) return `${first}\nNext: loop "what should be done"\n`;
  const named = outside.length <= 10 ? outside.join(", ") : `${outside.slice(0, 10).join(", ")}, …`;
  const others = `${count(outside.length, "open feature")} ${outside.length === 1 ? "is" : "are"} out of scope: ${named}.`;
  return `${first}\n${others}\nNext: widen the scope in ${scopedIn}, then loop run\n`;
}
