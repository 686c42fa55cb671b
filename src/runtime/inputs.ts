// The work queue, docs/FEATURES.json: what the contract takes from it, and what the loop writes back.
import type { Contract, Feature } from "../core/contract.ts";
import type { FeatureId } from "../core/ids.ts";
import { isBegun } from "../core/iteration.ts";
import { progressIn } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import { inScope } from "../formats/queue/feature-selector.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../formats/queue/features-json.ts";
import { renderStatuses } from "../formats/queue/features-render.ts";
import type { LaidFile } from "../workspace/workspace.ts";
import type { Ports, RunFiles } from "./ports.ts";
import { holds, known, remember } from "./records/guard.ts";
import { featuresPath, featuresSource, isInIgnored } from "./records/paths.ts";

export { featuresSource };

/**
 * The features as edited by a person, or null. Compared with the contract, not with the last reading, so that an edit
 * is seen again if a crash came before it was recorded.
 */
export function readFeatures(run: Run, { disk, files }: Pick<Ports, "disk" | "files">): readonly Feature[] | null {
  const path = featuresPath(run.contract.recordsDir);
  const was = known(files, path);
  const text = was !== null && holds(disk, path, was) ? null : disk.read(path);
  if (text !== null) {
    parseFeaturesJson(text, path);
    files.write(featuresSource, text);
    remember(files, path, text);
  }
  const source = files.read(featuresSource);
  if (source === null) return null;
  const edited = featuresInScope(parseFeaturesJson(source, featuresSource), run.contract.scope);
  return isAgreed(run, edited) ? null : edited;
}

/** Compares the features that can still change, without their statuses, which only the loop writes. */
function isAgreed(run: Run, edited: readonly Feature[]): boolean {
  const { features } = run.contract;
  if (areEqual(features, edited)) return true;
  const [ours, theirs] = [features, edited].map((all) => all.filter((f) => !isBegun(run, f.id)));
  return ours?.length === theirs?.length && ours?.every((feature, at) => isEqual(feature, theirs?.[at])) === true;
}

const areEqual = (ours: readonly Feature[], theirs: readonly Feature[]): boolean =>
  ours.length === theirs.length && ours.every((feature, at) => isEqual(feature, theirs[at]));

const isEqual = (one: Feature, other: Feature | undefined): boolean =>
  one === other || (other !== undefined && inOrder(one) === inOrder(other));

/** A feature as text, independent of key order and without its status. */
const inOrder = (feature: Feature): string =>
  JSON.stringify(Object.entries({ ...feature, status: null }).sort(([a], [b]) => (a < b ? -1 : 1)));

export function featuresInScope({ features }: FeatureFile, scope: Contract["scope"]): Feature[] {
  const isMeant = ({ id }: FeatureEntry): boolean => inScope(id, scope) && scope.waiting?.includes(id) !== true;
  return features.filter(isMeant).map((entry) => featureOf(entry, scope));
}

const featureOf = (entry: FeatureEntry, scope: Contract["scope"]): Feature => ({
  id: entry.id,
  name: entry.name,
  priority: entry.priority,
  status: entry.status,
  description: entry.description,
  criteria: entry.criteria,
  dependencies: entry.dependencies,
  checks: entry.checks ?? [],
  mayTouch: entry.mayTouch ?? [],
  designDoc: entry.designDoc,
  kind: entry.kind ?? "change",
  mayChange: entry.mayChange ?? scope.mayChange,
  enough: entry.enough ?? "proof",
});

/** FEATURES.json as the run has it now, with one feature as it will be. */
export function queueText({ progress }: Run, files: RunFiles, complete: FeatureId | null = null): string | null {
  const source = files.read(featuresSource);
  if (source === null) return null;
  return renderStatuses(parseFeaturesJson(source, featuresSource), (id) =>
    id === complete ? "complete" : progressIn(progress, id)?.status,
  );
}

/**
 * The file as the feature's commit contains it: its status is already complete, so that the proof is about exactly that
 * tree.
 */
export function featuresOnSuccess(run: Run, feature: FeatureId, { files }: Ports): LaidFile[] {
  const content = isInIgnored(run.contract.recordsDir) ? null : queueText(run, files, feature);
  return content === null ? [] : [{ path: featuresPath(run.contract.recordsDir), content }];
}
