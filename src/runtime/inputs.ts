// The work queue, docs/FEATURES.json: what the contract takes from it, and what the loop writes back.
import { changedSince } from "../core/changes.ts";
import type { Contract, Feature } from "../core/contract.ts";
import type { FeatureId } from "../core/ids.ts";
import { isBegun } from "../core/iteration.ts";
import { progressIn } from "../core/progresses.ts";
import type { Progress, Run } from "../core/run.ts";
import { inScope } from "../formats/queue/feature-selector.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../formats/queue/features-json.ts";
import { placeOf, QueueText } from "../formats/queue/queue-text.ts";
import type { LaidFile } from "../workspace/workspace.ts";
import type { Ports, RunFiles } from "./ports.ts";
import { holds, known, remember } from "./records/guard.ts";
import { featuresPath, featuresSource, isInIgnored } from "./records/paths.ts";

export { featuresSource };

/**
 * The features as edited by a person, or null. Compared with the contract, not with the last reading, so that an edit
 * is seen again if a crash came before it was recorded.
 */
export function readFeatures(run: Run, { disk, files }: Ports): readonly Feature[] | null {
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
  const edited = scoped(parsed(source), run.contract.scope);
  return isAgreed(run, edited) ? null : edited;
}

/** Compares the features that can still change, without their statuses, which only the loop writes. */
function isAgreed(run: Run, edited: readonly Feature[]): boolean {
  const { features } = run.contract;
  if (areEqual(features, edited)) return true;
  const [ours, theirs] = [features, edited].map((all) => all.filter((f) => !isBegun(run, f.id)));
  return ours?.length === theirs?.length && ours?.every((feature, at) => isEqual(feature, theirs?.[at])) === true;
}

let compared: { ours: readonly Feature[]; theirs: readonly Feature[]; equal: boolean } | null = null;

/** Every iteration compares the same two lists, so the result is cached. */
function areEqual(ours: readonly Feature[], theirs: readonly Feature[]): boolean {
  if (compared?.ours !== ours || compared.theirs !== theirs) {
    const equal = ours.length === theirs.length && ours.every((feature, at) => isEqual(feature, theirs[at]));
    compared = { ours, theirs, equal };
  }
  return compared.equal;
}

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

/** FEATURES.json as the run has it now. */
export function queueText({ progress }: Run, files: RunFiles): QueueText | null {
  const source = files.read(featuresSource);
  if (source === null) return null;
  const file = parsed(source);
  const changed = shown?.queue.file === file ? changedSince(shown.progress, progress) : null;
  const queue = changed === null ? null : shown?.queue;
  if (queue == null) {
    shown = { progress, queue: new QueueText(file, (at) => progressAt(file, progress, at)?.status) };
    return shown.queue;
  }
  for (const id of changed ?? []) {
    const [at, status] = [placeOf(file, id), progressIn(progress, id)?.status];
    if (at !== undefined && status !== undefined) queue.set(at, status);
  }
  shown = { progress, queue };
  return queue;
}

let shown: { readonly progress: Run["progress"]; readonly queue: QueueText } | null = null;

function progressAt({ features }: FeatureFile, progress: Run["progress"], at: number): Progress | undefined {
  const id = features[at]?.id;
  return id === undefined ? undefined : progressIn(progress, id);
}

/**
 * The file as the feature's commit contains it: its status is already complete, so that the proof is about exactly that
 * tree.
 */
export function featuresOnSuccess(run: Run, feature: FeatureId, { files }: Ports): LaidFile[] {
  const queue = queueText(run, files);
  if (queue === null || isInIgnored(run.contract.recordsDir)) return [];
  const at = placeOf(queue.file, feature);
  const content = at === undefined ? queue.text : queue.textWith(at, "complete");
  return [{ path: featuresPath(run.contract.recordsDir), content }];
}

let lastScoped: { file: FeatureFile; scope: Contract["scope"]; features: readonly Feature[] } | null = null;

/** Returns the same list for the same file, so that it is compared with the contract only once. */
function scoped(file: FeatureFile, scope: Contract["scope"]): readonly Feature[] {
  if (lastScoped?.file !== file || lastScoped.scope !== scope)
    lastScoped = { file, scope, features: featuresInScope(file, scope) };
  return lastScoped.features;
}

let last: { source: string; file: FeatureFile } | null = null;

/** A large queue is parsed once, not for each event. */
function parsed(source: string): FeatureFile {
  if (last?.source !== source) last = { source, file: parseFeaturesJson(source, featuresSource) };
  return last.file;
}
