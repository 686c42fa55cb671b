// The work queue as the file in the folder has it: what a run has not landed, or what was undone, is not complete there.
import { UserError } from "../../core/errors.ts";
import { type ExportFormat, exportFeatures } from "../../formats/export/index.ts";
import { type FeatureStatus, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { featuresPath, personsQueue } from "../../runtime/records/paths.ts";
import { loadSettings } from "../config/settings.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";

export type Exported = { readonly text: string; readonly features: number; readonly done: number };

/** `goal`: what the latest run was asked for; null: there was none. */
export function exportQueue(root: string, format: ExportFormat, goal: string | null): Exported {
  const path = featuresPath(loadSettings(root, {}, true).recordsDir);
  const raw = workspaceDisk(root).read(path);
  if (raw === null) throw nothingToExport(path);
  const file = parseFeaturesJson(raw, path);
  const statuses = new Map<string, FeatureStatus>(file.features.map(({ id, status }) => [id, status]));
  const done = [...statuses.values()].filter((status) => status === "complete" || status === "existing").length;
  return { text: exportFeatures({ file, statuses, goal }, format), features: file.features.length, done };
}

const nothingToExport = (path: string): UserError =>
  new UserError("nothing-to-export", {
    what: "Nothing was exported.",
    why: `There is no ${personsQueue(path)}.`,
    next: "Bring features in with: loop import FILE. Or begin a run, which writes it.",
  });
