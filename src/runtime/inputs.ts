// The work queue, docs/FEATURES.json: what the contract takes from it, and what the loop writes back.
import type { Contract, Feature, FeatureStatus } from "../core/contract.ts";
import type { FeatureId } from "../core/ids.ts";
import { isBegun } from "../core/iteration.ts";
import type { Run } from "../core/run.ts";
import { inScope } from "../formats/feature-selector.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../formats/features-json.ts";
import { renderFeaturesJson } from "../formats/features-render.ts";
import type { LaidFile } from "../workspace/workspace.ts";
import type { Ports, RunFiles } from "./ports.ts";
import { known, remember } from "./records/guard.ts";
import { featuresPath, featuresSource } from "./records/paths.ts";

export { featuresSource };

/**
 * The features as a person has edited them since, or null. Compared with what was agreed, not with what was last seen:
 * what was seen and not yet written down when a crash came is seen again.
 */
export function readFeatures(run: Run, { disk, files }: Ports): readonly Feature[] | null {
  const path = featuresPath(run.contract.recordsDir);
  const text = disk.read(path);
  if (text !== null && text !== known(files, path)) {
    parseFeaturesJson(text, path);
    files.write(featuresSource, text);
    remember(files, path, text);
  }
  const source = files.read(featuresSource);
  if (source === null) return null;
  const edited = featuresInScope(parsed(source), run.contract.scope);
  return agreed(run, edited) === agreed(run, run.contract.features) ? null : edited;
}

/** What of the queue can still be changed, without its statuses: those are the loop's to write. */
function agreed(run: Run, features: readonly Feature[]): string {
  return JSON.stringify(features.filter((f) => !isBegun(run, f.id)).map((f) => ({ ...f, status: null })));
}

export function featuresInScope({ features }: FeatureFile, scope: Contract["scope"]): Feature[] {
  return features.filter(({ id }) => inScope(id, scope)).map(featureOf);
}

const featureOf = (entry: FeatureEntry): Feature => ({
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
});

/** FEATURES.json as the run has it now. */
export function featuresText(
  run: Run,
  files: RunFiles,
  sure: Partial<Record<FeatureId, FeatureStatus>> = {},
): string | null {
  const source = files.read(featuresSource);
  if (source === null) return null;
  const file = parsed(source);
  const statuses = new Map<string, FeatureStatus>();
  for (const { id } of file.features) {
    const status = sure[id] ?? run.progress[id]?.status;
    if (status !== undefined) statuses.set(id, status);
  }
  return renderFeaturesJson(file, statuses);
}

/** What a commit of this feature holds: its status in that tree is already complete, so that tree and proof are one. */
export function featuresOnSuccess(run: Run, feature: FeatureId, { files }: Ports): LaidFile[] {
  const content = featuresText(run, files, { [feature]: "complete" });
  return content === null ? [] : [{ path: featuresPath(run.contract.recordsDir), content }];
}

let last: { source: string; file: FeatureFile } | null = null;

/** A large queue is parsed once, not once an event. */
function parsed(source: string): FeatureFile {
  if (last?.source !== source) last = { source, file: parseFeaturesJson(source, featuresSource) };
  return last.file;
}
