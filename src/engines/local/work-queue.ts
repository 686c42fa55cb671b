// What there is to do: the features of docs/FEATURES.json, or the request itself as the one feature.
import { UserError } from "../../core/errors.ts";
import { type FeatureId, featureId } from "../../core/ids.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../../formats/features-json.ts";
import { appendFeatures, draftFeaturesJson, nextNumber } from "../../formats/features-render.ts";
import { requestToFeature } from "../../formats/request-to-feature.ts";

export type WorkQueue = {
  readonly file: FeatureFile;
  readonly request: string;
  /** Where the request came from. */
  readonly asked: "request" | "goal" | "features";
  /** The feature that stands for the request; null: the features were there. */
  readonly drafted: FeatureId | null;
};
export type Asked = {
  readonly request: string | null;
  /** Of the contract: the request, where none is given and there is something to do. */
  readonly goal: string | null;
  /** What a feature made from the request has to meet beside it. */
  readonly criteria: readonly string[];
  /** What its maker should know beside it. */
  readonly context: string | null;
};

export function workQueue(text: string | null, path: string, asked: Asked): WorkQueue {
  const file = text === null ? null : parseFeaturesJson(text, path);
  const open = file?.features.some(({ status }) => status !== "complete" && status !== "existing") ?? false;
  const by = asked.request !== null ? "request" : asked.goal !== null ? "goal" : "features";
  const request = asked.request ?? asked.goal;
  if (file !== null && open)
    return { file, request: request ?? `Complete the features in ${path}.`, asked: by, drafted: null };
  // A goal whose features are all complete is reached: only a new request begins something new.
  if (request === null || (file !== null && asked.request === null)) throw nothingToDo(path, file !== null);
  const entry = draftedEntry(request, asked);
  const whole = file === null ? parseFeaturesJson(draftFeaturesJson([entry]), path) : withOneMore(file, entry, path);
  return { file: whole, request, asked: by, drafted: whole.features.at(-1)?.id ?? entry.id };
}

function draftedEntry(request: string, { criteria, context }: Asked): FeatureEntry {
  const entry = requestToFeature(request);
  const description = context === null ? entry.description : `${entry.description}\n\n${context}`;
  return { ...entry, description, criteria: [...new Set([...entry.criteria, ...criteria])] };
}

/** The queue as it is before a planner adds to it. */
export function unplanned(text: string | null, path: string, asked: WorkQueue): WorkQueue {
  return { ...asked, file: parseFeaturesJson(text ?? draftFeaturesJson([]), path), drafted: null };
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
