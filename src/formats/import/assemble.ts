// Converts imported items to features: ids, dependencies, and a criterion for each.
import { type FeatureId, featureId } from "../../core/ids.ts";
import { onlyTerms } from "../queue/feature-terms.ts";
import { type FeatureEntry, parseFeaturesJson, unstatedPriority } from "../queue/features-json.ts";
import { draftFeaturesJson } from "../queue/features-render.ts";
import { nearest } from "../text/nearest.ts";
import { isInside } from "../text/safe-names.ts";
import type { Draft, DraftFeature, Imported, ImportFormat, Kept } from "./draft.ts";

/** Throws `bad-features` if the input contradicts itself: duplicate ids, cyclic dependencies. */
export function assemble(draft: Draft, format: ImportFormat, source: string): Imported {
  const ids = assignIds(draft.features);
  const byTheirs = new Map(draft.features.map(({ id }, at) => [plain(id ?? ""), ids[at] ?? ""]));
  const warnings = [...draft.warnings, ...renamed(draft.features, ids)];
  const entries = draft.features.map((feature, at) => entryOf(feature, ids[at] ?? "", byTheirs, warnings));
  warnings.push(...claims(entries), ...withoutCriteria(draft.features, entries));
  const kept = keptOf(draft, ids);
  warnings.push(
    ...kept.map(({ of, keys }) => `Kept word for word${of === null ? "" : ` with ${of}`}: ${keys.join(", ")}`),
  );
  const text = draftFeaturesJson(entries, extras(draft, ids, format));
  const { features } = parseFeaturesJson(text, source);
  return { format, goal: draft.goal, features, warnings: summed(warnings), kept, text };
}

const legal = /^[FRBE]\d{1,9}$/;
const plain = (id: string): string => id.trim().toLowerCase();
const numbered = (number: number): string => `F${String(number).padStart(3, "0")}`;

/** The original id if it is legal. Otherwise its number, if that is unique; otherwise the next free one. */
function assignIds(features: readonly DraftFeature[]): string[] {
  const own = features.map(({ id }) => (id !== null && legal.test(id) ? id : null));
  const wanted = features.map(({ id }, at) => own[at] ?? byNumber(id));
  const tellsApart =
    wanted.every((id) => id !== null) && new Set(wanted.map((id) => id?.toLowerCase())).size === wanted.length;
  if (tellsApart) return wanted.map((id) => id ?? "");
  const taken = new Set(own.map((id) => id?.toLowerCase()));
  let number = 0;
  return own.map((id) => {
    if (id !== null) return id;
    do number += 1;
    while (taken.has(numbered(number).toLowerCase()));
    return numbered(number);
  });
}

function byNumber(id: string | null): string | null {
  const number = /^\D{0,16}(\d{1,9})$/.exec(id ?? "")?.[1];
  return number === undefined || Number(number) === 0 ? null : numbered(Number(number));
}

function renamed(features: readonly DraftFeature[], ids: readonly string[]): string[] {
  const pairs = features.flatMap(({ id }, at) => (id === null || id === ids[at] ? [] : [`${id} is ${ids[at]}`]));
  if (pairs.length === 0) return [];
  return [
    `Ids were changed: ${pairs.slice(0, 8).join(", ")}${pairs.length > 8 ? `, and ${pairs.length - 8} more` : ""}`,
  ];
}

function entryOf(
  feature: DraftFeature,
  id: string,
  byTheirs: ReadonlyMap<string, string>,
  warnings: string[],
): FeatureEntry {
  const [known, unknown] = [[] as FeatureId[], [] as string[]];
  for (const theirs of feature.dependencies) {
    const ours = byTheirs.get(plain(theirs));
    if (ours === undefined || ours === "") unknown.push(theirs);
    else known.push(featureId(ours));
  }
  for (const theirs of unknown) {
    const meant = nearest(theirs, byTheirs.keys());
    const hint = meant === null ? "" : ` Did you mean ${byTheirs.get(meant)}?`;
    warnings.push(
      `${id} depends on unknown feature ${JSON.stringify(theirs.slice(0, 60))}; it is kept in the description.${hint}`,
    );
  }
  const name = clean(feature.name) || feature.id || id;
  const criteria = feature.criteria.map((each) => each.trim()).filter((each) => each !== "");
  const needs = unknown.length === 0 ? [] : [`Needs, according to its source: ${unknown.join(", ")}`];
  return {
    id: featureId(id),
    name,
    priority: feature.priority ?? unstatedPriority,
    status: feature.status,
    description: [feature.description, ...needs].filter((part) => part !== "").join("\n\n"),
    criteria: criteria.length > 0 ? criteria : [feature.description.split("\n")[0]?.trim() || name],
    dependencies: [...new Set(known)],
    designDoc: feature.designDoc !== undefined && isInside(feature.designDoc) ? feature.designDoc : null,
    checks: feature.checks ?? null,
    mayTouch: feature.mayTouch ?? null,
    ...onlyTerms(feature),
  };
}

const clean = (name: string): string => name.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();

function claims(entries: readonly FeatureEntry[]): string[] {
  const done = entries.filter(({ status }) => status === "existing").map(({ id }) => id);
  if (done.length === 0) return [];
  return [`Called done elsewhere, and not proved here, so they come in as existing: ${some(done)}`];
}

function withoutCriteria(features: readonly DraftFeature[], entries: readonly FeatureEntry[]): string[] {
  const bare = entries.filter((_, at) => (features[at]?.criteria ?? []).every((each) => each.trim() === ""));
  const open = bare.filter(({ status }) => status !== "existing").map(({ id }) => id);
  return open.length === 0 ? [] : [`Without acceptance criteria, so their text is the only one: ${some(open)}`];
}

const some = (ids: readonly string[]): string =>
  ids.length <= 8 ? ids.join(", ") : `${ids.slice(0, 8).join(", ")}, and ${ids.length - 8} more`;

function keptOf(draft: Draft, ids: readonly string[]): Kept[] {
  const all = [
    { of: null, keys: Object.keys(draft.extra) },
    ...draft.features.map(({ extra }, at) => ({ of: ids[at] ?? null, keys: Object.keys(extra) })),
  ];
  return all.filter(({ keys }) => keys.length > 0);
}

function extras(draft: Draft, ids: readonly string[], format: ImportFormat) {
  const whole = { ...(draft.goal === null ? {} : { goal: draft.goal }), ...draft.extra };
  const each = draft.features.map(({ id, extra }, at): [string, Record<string, unknown>] => [
    ids[at] ?? "",
    { ...(id === null || id === ids[at] ? {} : { id }), ...extra },
  ]);
  return {
    file: { from: format, ...whole },
    features: new Map(each.filter(([, kept]) => Object.keys(kept).length > 0)),
  };
}

const warningsMax = 200;
/** Ten thousand features can cause as many warnings, so they are summarized. */
const summed = (warnings: readonly string[]): string[] =>
  warnings.length <= warningsMax
    ? [...warnings]
    : [...warnings.slice(0, warningsMax), `And ${warnings.length - warningsMax} more of the kind.`];
