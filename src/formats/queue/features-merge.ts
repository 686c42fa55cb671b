// Adds features to a FEATURES.json: the existing text keeps every byte, and existing features are not added twice.
import { featureId } from "../../core/ids.ts";
import { eachMember } from "../text/json-text.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "./features-json.ts";
import { draftEntry } from "./features-render.ts";

export type Merged = {
  readonly text: string;
  readonly added: readonly FeatureEntry[];
  /** Incoming features that already existed, with their existing ids. */
  readonly already: ReadonlyMap<string, string>;
  /** Incoming features whose id was taken, with their new ids. */
  readonly renamed: ReadonlyMap<string, string>;
};

export function mergeFeatures(
  file: FeatureFile,
  incoming: readonly FeatureEntry[],
  raw: string,
  source: string,
): Merged {
  const there = new Map(file.features.map((feature) => [sameness(feature), feature.id as string]));
  const taken = new Set(file.features.map(({ id }) => id.toLowerCase()));
  const already = new Map<string, string>();
  const renamed = new Map<string, string>();
  const fresh = incoming.filter((feature) => {
    const id = there.get(sameness(feature));
    if (id !== undefined) already.set(feature.id, id);
    return id === undefined;
  });
  const wanted = new Set(fresh.map(({ id }) => id.toLowerCase()));
  for (const { id } of fresh) {
    if (taken.has(id.toLowerCase())) renamed.set(id, nextFree(id, taken, wanted));
    taken.add((renamed.get(id) ?? id).toLowerCase());
  }
  const ours = (id: string) => featureId(renamed.get(id) ?? already.get(id) ?? id);
  const added = fresh.map((feature) => ({
    ...feature,
    id: ours(feature.id),
    dependencies: [...new Set(feature.dependencies.map(ours))],
  }));
  const extras = importedIn(raw);
  const entries = added.map((entry, at) => draftEntry(entry, extras.get(fresh[at]?.id ?? "")));
  const text = added.length === 0 ? file.raw : inserted(file.raw, entries);
  parseFeaturesJson(text, source);
  return { text, added, already, renamed };
}

/** Features with the same content are the same, regardless of their ids. */
const sameness = ({ name, criteria }: FeatureEntry): string => JSON.stringify([name, ...criteria]);

function nextFree(id: string, taken: ReadonlySet<string>, wanted: ReadonlySet<string>): string {
  const [, prefix = "F", digits = "000"] = /^([A-Za-z]+)(\d+)$/.exec(id) ?? [];
  for (let number = Number(digits) + 1; ; number++) {
    const next = `${prefix}${String(number).padStart(digits.length, "0")}`;
    if (!taken.has(next.toLowerCase()) && !wanted.has(next.toLowerCase())) return next;
  }
}

function importedIn(raw: string): Map<string, Record<string, unknown>> {
  const { features } = JSON.parse(raw.replace(/^\uFEFF/, "")) as { features: { id: string; imported?: object }[] };
  return new Map(
    features.flatMap(({ id, imported }) => (imported === undefined ? [] : [[id, { ...imported }] as const])),
  );
}

/** Before the bracket that ends the list of features. */
function inserted(raw: string, entries: readonly object[]): string {
  let end = -1;
  eachMember(raw, ({ path, key, valueEnd }) => {
    if (path.length === 0 && key === "features") end = valueEnd - 1;
  });
  const before = raw.slice(0, end).trimEnd();
  const eol = raw.includes("\r\n") ? "\r\n" : "\n";
  const texts = entries.map((entry) => JSON.stringify(entry, null, 2).replace(/^/gm, "    "));
  const list = texts.join(",\n").replaceAll("\n", eol);
  return `${before}${before.endsWith("[") ? "" : ","}${eol}${list}${eol}  ${raw.slice(end)}`;
}
