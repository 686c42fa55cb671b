// Writes FEATURES.json: a changed status is put exactly where the old one was; a new file is written whole.
import { Bug } from "../core/errors.ts";
import type { FeatureId } from "../core/ids.ts";
import { writtenTerms } from "./feature-terms.ts";
import type { FeatureEntry, FeatureFile, FeatureStatus } from "./features-json.ts";
import { eachMember, type Member } from "./json-text.ts";

export type Edit = { start: number; end: number; text: string };
/** Where one feature of the list is: its status, if it has one, and its first and last member. */
type Spot = { status: Member | null; first: Member; last: Member };

/** The file's text with these statuses. What does not change keeps every byte: order, spaces, unknown keys, line ends. */
export function renderFeaturesJson(file: FeatureFile, statusById: ReadonlyMap<string, FeatureStatus>): string {
  const known = new Set<string>(file.features.map(({ id }) => id));
  for (const id of statusById.keys()) if (!known.has(id)) throw new Bug(`no such feature to write: ${id}`);
  return renderStatuses(file, (id) => statusById.get(id));
}

/** The same, by asking for each; undefined leaves it as it is. One pass: a run asks several times an iteration. */
export function renderStatuses(file: FeatureFile, statusOf: (id: FeatureId) => FeatureStatus | undefined): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < file.features.length; at++) {
    const feature = file.features[at];
    const status = feature === undefined ? undefined : statusOf(feature.id);
    if (status === undefined || status === feature?.status) continue;
    const { start, end, text } = statusEdit(file, at, status);
    parts.push(file.raw.slice(from, start), text);
    from = end;
  }
  return from === 0 ? file.raw : `${parts.join("")}${file.raw.slice(from)}`;
}

/** What has to be written where in the file's own text for a feature of its list to have this status. */
export function statusEdit(file: FeatureFile, at: number, status: FeatureStatus): Edit {
  return edit(file.raw, locate(file).get(at), status);
}

const located = new WeakMap<FeatureFile, ReadonlyMap<number, Spot>>();

/** Finding the places means reading the whole text again, so it is done once a file and not once a status. */
function locate(file: FeatureFile): ReadonlyMap<number, Spot> {
  const spots = located.get(file) ?? find(file.raw);
  located.set(file, spots);
  return spots;
}

function find(raw: string): Map<number, Spot> {
  const spots = new Map<number, Spot>();
  eachMember(raw, (member) => {
    const [list, at] = member.path;
    if (member.path.length !== 2 || list !== "features" || typeof at !== "number") return;
    const here = { ...member, path: [] };
    const spot = spots.get(at);
    if (spot === undefined) spots.set(at, { status: member.key === "status" ? here : null, first: here, last: here });
    else {
      spot.last = here;
      if (member.key === "status") spot.status = here;
    }
  });
  return spots;
}

function edit(raw: string, spot: Spot | undefined, status: FeatureStatus): Edit {
  if (spot === undefined) throw new Bug("a feature was read that is not in its file");
  if (spot.status !== null) {
    return { start: spot.status.valueStart, end: spot.status.valueEnd, text: JSON.stringify(status) };
  }
  // A member that was not there follows the last one, set apart as the first one is from its bracket.
  const gap = raw.slice(raw.lastIndexOf("{", spot.first.keyStart) + 1, spot.first.keyStart);
  const colon = raw.slice(spot.first.keyStart + JSON.stringify(spot.first.key).length, spot.first.valueStart);
  const separator = /^\s*:\s*$/.test(colon) ? colon : ": ";
  return {
    start: spot.last.valueEnd,
    end: spot.last.valueEnd,
    text: `,${gap}"status"${separator}${JSON.stringify(status)}`,
  };
}

/** The next free number after those of the file: F007 comes after F006, whatever lies between. */
export function nextNumber({ features }: Pick<FeatureFile, "features">): number {
  return Math.max(0, ...features.map(({ id }) => Number(/^F(\d{1,9})$/.exec(id)?.[1] ?? 0))) + 1;
}

/** The file's text with these features after its own. */
export function appendFeatures(raw: string, features: readonly FeatureEntry[]): string {
  const json = JSON.parse(raw) as { features: unknown[] };
  return `${JSON.stringify({ ...json, features: [...json.features, ...features.map((each) => draftEntry(each, undefined))] }, null, 2)}\n`;
}

/** What came with the features from elsewhere and has no place of its own: kept as `imported`. */
export type Extras = {
  readonly file: Readonly<Record<string, unknown>>;
  readonly features: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
};

/** A new FEATURES.json. */
export function draftFeaturesJson(features: readonly FeatureEntry[], extras: Extras | null = null): string {
  const file = { version: 1, ...(extras === null ? {} : { imported: extras.file }) };
  const entries = features.map((feature) => draftEntry(feature, extras?.features.get(feature.id)));
  return `${JSON.stringify({ ...file, features: entries }, null, 2)}\n`;
}

/** One entry of the list, as it is written. */
export function draftEntry(feature: FeatureEntry, imported: Readonly<Record<string, unknown>> | undefined): object {
  return {
    id: feature.id,
    name: feature.name,
    priority: feature.priority,
    status: feature.status,
    description: feature.description,
    acceptance_criteria: feature.criteria,
    dependencies: feature.dependencies,
    design_doc: feature.designDoc,
    ...(feature.checks === null ? {} : { checks: feature.checks }),
    ...(feature.mayTouch === null ? {} : { may_touch: feature.mayTouch }),
    ...writtenTerms(feature),
    ...(imported === undefined ? {} : { imported }),
  };
}
