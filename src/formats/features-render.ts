// Writes FEATURES.json: a changed status is put exactly where the old one was; a new file is written whole.
import { Bug } from "../core/errors.ts";
import type { FeatureEntry, FeatureFile, FeatureStatus } from "./features-json.ts";
import { eachMember, type Member } from "./json-text.ts";

type Edit = { start: number; end: number; text: string };
/** Where one feature of the list is: its status, if it has one, and its first and last member. */
type Spot = { status: Member | null; first: Member; last: Member };

/** The file's text with these statuses. What does not change keeps every byte: order, spaces, unknown keys, line ends. */
export function renderFeaturesJson(file: FeatureFile, statusById: ReadonlyMap<string, FeatureStatus>): string {
  const changed = file.features.flatMap((feature, at) => {
    const status = statusById.get(feature.id);
    return status === undefined || status === feature.status ? [] : [{ at, status }];
  });
  const known = new Set<string>(file.features.map(({ id }) => id));
  for (const id of statusById.keys()) if (!known.has(id)) throw new Bug(`no such feature to write: ${id}`);
  if (changed.length === 0) return file.raw;
  const spots = locate(file.raw);
  return applyEdits(
    file.raw,
    changed.map(({ at, status }) => edit(file.raw, spots.get(at), status)),
  );
}

function locate(raw: string): Map<number, Spot> {
  const spots = new Map<number, Spot>();
  eachMember(raw, ({ path, ...member }) => {
    const [list, at] = path;
    if (path.length !== 2 || list !== "features" || typeof at !== "number") return;
    const here = { ...member, path: [] };
    const spot = spots.get(at) ?? { status: null, first: here, last: here };
    spots.set(at, { ...spot, last: here, status: member.key === "status" ? here : spot.status });
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

function applyEdits(raw: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(raw.slice(from, start), text);
    from = end;
  }
  return [...parts, raw.slice(from)].join("");
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
    ...(imported === undefined ? {} : { imported }),
  };
}
