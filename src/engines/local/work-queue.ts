// What there is to do: the features of docs/FEATURES.json, or the request itself as the one feature.
import { UserError } from "../../core/errors.ts";
import { featureId } from "../../core/ids.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../../formats/features-json.ts";
import { draftFeaturesJson } from "../../formats/features-render.ts";
import { requestToFeature } from "../../formats/request-to-feature.ts";

export type WorkQueue = { readonly file: FeatureFile; readonly request: string };

export function workQueue(text: string | null, path: string, request: string | null): WorkQueue {
  const file = text === null ? null : parseFeaturesJson(text, path);
  const open = file?.features.some(({ status }) => status !== "complete" && status !== "existing") ?? false;
  if (file !== null && open) return { file, request: request ?? `Complete the features in ${path}.` };
  if (request === null) throw nothingToDo(path, file !== null);
  const entry = requestToFeature(request);
  if (file === null) return { file: parseFeaturesJson(draftFeaturesJson([entry]), path), request };
  return { file: withOneMore(file, entry, path), request };
}

/** Every feature of the file is done: the request comes after them under the next free number. */
function withOneMore(file: FeatureFile, entry: FeatureEntry, path: string): FeatureFile {
  const numbers = file.features.map(({ id }) => Number(/^F(\d+)$/.exec(id)?.[1] ?? 0));
  const id = featureId(`F${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}`);
  const json = JSON.parse(file.raw) as { features: unknown[] };
  const [drafted] = (JSON.parse(draftFeaturesJson([{ ...entry, id }])) as { features: unknown[] }).features;
  return parseFeaturesJson(`${JSON.stringify({ ...json, features: [...json.features, drafted] }, null, 2)}\n`, path);
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
