// What there is to do: the features of docs/FEATURES.json, or the request itself as the one feature.
import { UserError } from "../../core/errors.ts";
import { featureId } from "../../core/ids.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../../formats/features-json.ts";
import { appendFeatures, draftFeaturesJson, nextNumber } from "../../formats/features-render.ts";
import { requestToFeature } from "../../formats/request-to-feature.ts";

export type WorkQueue = {
  readonly file: FeatureFile;
  readonly request: string;
  /** The work comes from the request: nobody has written down its features. */
  readonly isDrafted: boolean;
};

export function workQueue(text: string | null, path: string, request: string | null): WorkQueue {
  const file = text === null ? null : parseFeaturesJson(text, path);
  const open = file?.features.some(({ status }) => status !== "complete" && status !== "existing") ?? false;
  if (file !== null && open) return { file, request: request ?? `Complete the features in ${path}.`, isDrafted: false };
  if (request === null) throw nothingToDo(path, file !== null);
  const entry = requestToFeature(request);
  if (file === null) return { file: parseFeaturesJson(draftFeaturesJson([entry]), path), request, isDrafted: true };
  return { file: withOneMore(file, entry, path), request, isDrafted: true };
}

/** The queue as it is before a planner adds to it. */
export function unplanned(text: string | null, path: string, request: string): WorkQueue {
  return { file: parseFeaturesJson(text ?? draftFeaturesJson([]), path), request, isDrafted: true };
}

/** Every feature of the file is done: the request comes after them under the next free number. */
function withOneMore(file: FeatureFile, entry: FeatureEntry, path: string): FeatureFile {
  const id = featureId(`F${String(nextNumber(file)).padStart(3, "0")}`);
  return parseFeaturesJson(appendFeatures(file.raw, [{ ...entry, id }]), path);
}

function nothingToDo(path: string, exists: boolean): UserError {
  return new UserError(
    "nothing-to-do",
    {
      what: "There is nothing to do.",
      why: exists ? `Every feature in ${path} is complete.` : `There is no request, and no ${path}.`,
      next: 'Say what should be done: loop "…"',
    },
    { exitCode: 64 },
  );
}
