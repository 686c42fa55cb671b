// Writes FEATURES.json: a changed status replaces the old one in place; a new file is written completely.
import { Bug } from "../../core/errors.ts";
import type { FeatureId } from "../../core/ids.ts";
import { eachMember, type Member } from "../text/json-text.ts";
import { writtenTerms } from "./feature-terms.ts";
import type { FeatureEntry, FeatureFile, FeatureStatus } from "./features-json.ts";

export type Edit = { start: number; end: number; text: string };
/** The position of one feature in the list: its status, if any, and its first and last member. */
type Spot = { status: Member | null; first: Member; last: Member };

/** The file's text with these statuses. Everything else keeps every byte: order, spaces, unknown keys, line ends. */
export function renderFeaturesJson(file: FeatureFile, statusById: ReadonlyMap<string, FeatureStatus>): string {
  const known = new Set<string>(file.features.map(({ id }) => id));
  for (const id of statusById.keys()) if (!known.has(id)) throw new Bug(`no such feature to write: ${id}`);
  return renderStatuses(file, (id) => statusById.get(id));
}

/** The same with a callback; undefined keeps the status. One pass: a run calls this several times per iteration. */
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

/** The edit of the file's text that gives a feature this status. */
export function statusEdit(file: FeatureFile, at: number, status: FeatureStatus): Edit {
  return edit(file.raw, locate(file).get(at), status);
}

const located = new WeakMap<FeatureFile, ReadonlyMap<number, Spot>>();

/** Finding the positions requires reading the whole text, so it is done once per file and not per status. */
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
  // A missing member follows the last one, with the same spacing as the first.
  const gap = raw.slice(raw.lastIndexOf("{", spot.first.keyStart) + 1, spot.first.keyStart);
  const colon = raw.slice(spot.first.keyStart + JSON.stringify(spot.first.key).length, spot.first.valueStart);
  const separator = /^\s*:\s*$/.test(colon) ? colon : ": ";
  return {
    start: spot.last.valueEnd,
    end: spot.last.valueEnd,
    text: `,${gap}"status"${separator}${JSON.stringify(status)}`,
  };
}

/** The next free number after those in the file: F007 follows F006, even after gaps. */
export function nextNumber({ features }: Pick<FeatureFile, "features">): number {
  return Math.max(0, ...features.map(({ id }) => Number(/^F(\d{1,9})$/.exec(id)?.[1] ?? 0))) + 1;
}

/** The file's text with these features appended. */
export function appendFeatures(raw: string, features: readonly FeatureEntry[]): string {
  const json = JSON.parse(raw) as { features: unknown[] };
  return `${JSON.stringify({ ...json, features: [...json.features, ...features.map((each) => draftEntry(each, undefined))] }, null, 2)}\n`;
}

/** Imported data that fits no field: kept as `imported`. */
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

/** One entry of the list, in its written form. */
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
