// The work of a run: the features of docs/FEATURES.json, or the request itself as a single feature.
import { UserError } from "../../core/errors.ts";
import { type FeatureId, featureId } from "../../core/ids.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { appendFeatures, draftFeaturesJson, nextNumber } from "../../formats/queue/features-render.ts";
import { queueRequest } from "../../formats/queue/queue-request.ts";
import { requestToFeature } from "../../formats/queue/request-to-feature.ts";
import { personsQueue } from "../../runtime/records/paths.ts";

export type WorkQueue = {
  readonly file: FeatureFile;
  readonly request: string;
  /** Where the request came from. */
  readonly asked: "request" | "goal" | "features";
  /** The feature made from the request; null: the features already existed. */
  readonly drafted: FeatureId | null;
  /** Features that were open before the request: they stay unchanged, and are not part of its run. */
  readonly waiting: readonly FeatureId[];
};
export type Asked = {
  readonly request: string | null;
  /** The contract's goal: serves as the request if none is given and there is something to do. */
  readonly goal: string | null;
  /** Criteria for a feature made from the request, besides the request itself. */
  readonly criteria: readonly string[];
  /** Additional context for its maker. */
  readonly context: string | null;
  /** The highest number that commits and other runs have; omitted: they have none. */
  readonly highestUsed?: number;
};

/**
 * A request is separate work, even if other features are open: it becomes the first feature in line, and the run is
 * only about that one. Without a request, the run is about the open features.
 */
export function workQueue(text: string | null, path: string, asked: Asked): WorkQueue {
  const file = text === null ? null : parseFeaturesJson(text, path);
  const open = (file?.features ?? []).filter(isOpen);
  const by = asked.request !== null ? "request" : asked.goal !== null ? "goal" : "features";
  const request = asked.request ?? asked.goal;
  if (file !== null && open.length > 0 && asked.request === null)
    return { file, request: request ?? queueRequest(path), asked: by, drafted: null, waiting: [] };
  // A goal whose features are all complete is reached: only a new request begins something new.
  if (request === null || (file !== null && asked.request === null)) throw nothingToDo(path, file);
  const entry = draftedEntry(request, asked);
  // Requested again before any of it was built: the same feature, not a second one.
  const same = open.find(({ name, description, status, criteria }) => {
    const isSame = name === entry.name && description === entry.description;
    return isSame && status === "not-started" && criteria.join("\n") === entry.criteria.join("\n");
  });
  if (file !== null && same !== undefined) {
    const waiting = open.flatMap(({ id }) => (id === same.id ? [] : [id]));
    return { file, request, asked: by, drafted: same.id, waiting };
  }
  const id = numbered(Math.max((asked.highestUsed ?? 0) + 1, nextNumber(file ?? { features: [] })));
  const first = { ...entry, id };
  const whole = file === null ? parseFeaturesJson(draftFeaturesJson([first]), path) : withOneMore(file, first, path);
  const waiting = open.map(({ id }) => id);
  return { file: whole, request, asked: by, drafted: id, waiting };
}

export const isOpen = ({ status }: FeatureEntry): boolean => status !== "complete" && status !== "existing";

function draftedEntry(request: string, { criteria, context }: Asked): FeatureEntry {
  const entry = requestToFeature(request);
  const description = context === null ? entry.description : `${entry.description}\n\n${context}`;
  return { ...entry, description, criteria: [...new Set([...entry.criteria, ...criteria])] };
}

/** The queue before a planner adds to it. */
export function unplanned(text: string | null, path: string, asked: WorkQueue): WorkQueue {
  const file = parseFeaturesJson(text ?? draftFeaturesJson([]), path);
  return { ...asked, file, drafted: null, waiting: file.features.filter(isOpen).map(({ id }) => id) };
}

const numbered = (number: number): FeatureId => featureId(`F${String(number).padStart(3, "0")}`);

/** The request goes before every open feature. */
function withOneMore(file: FeatureFile, entry: FeatureEntry, path: string): FeatureFile {
  const priority = Math.min(entry.priority, ...file.features.map((each) => each.priority - 1));
  return parseFeaturesJson(appendFeatures(file.raw, [{ ...entry, priority }]), path);
}

export function nothingToDo(path: string, file: FeatureFile | null): UserError {
  const why =
    file === null
      ? `There is no request, and no ${personsQueue(path)}.`
      : file.features.length === 0
        ? `There is no request, and ${path} has no feature.`
        : `Every feature in ${path} that is in scope is complete.`;
  return new UserError("nothing-to-do", {
    what: "There is nothing to do.",
    why,
    next: 'Say what should be done: loop "…"',
  });
}
