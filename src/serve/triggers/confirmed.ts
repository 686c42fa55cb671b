// What a person confirms with the triggers of a workspace: all of its settings, because each can bound or shape the runs.
import type { LoopYaml } from "../../formats/config/loop-schema.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { readSettings } from "../../project/config/settings.ts";

/** By its key in loop.yaml, with its value as JSON. */
export type Setting = readonly [key: string, value: string];

export type Confirmed = {
  /** The hash of all settings; null: there are no triggers to confirm. */
  readonly triggers: string | null;
  readonly settings: readonly Setting[];
};

/** As it is in the folder now. */
export const confirmable = (root: string): Confirmed => confirmableOf(readSettings(root, {}));

export function confirmableOf(yaml: LoopYaml): Confirmed {
  if ((yaml.triggers ?? []).length === 0) return { triggers: null, settings: [] };
  const settings = settingsIn("", yaml).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return { triggers: sha256(JSON.stringify(settings)), settings };
}

/** Lists whose entries have names are told apart by these, so that one more does not change the keys of the others. */
function settingsIn(key: string, value: unknown): Setting[] {
  if (value === undefined) return [];
  const entries = entriesOf(value);
  if (entries === null || entries.length === 0) return [[key, JSON.stringify(value)]];
  return entries.flatMap(([name, each]) => settingsIn(key === "" ? name : `${key}.${name}`, each));
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (!Array.isArray(value)) return typeof value === "object" && value !== null ? Object.entries(value) : null;
  const named = value.flatMap((each: unknown): [string, unknown][] => {
    const { name, ...rest } = typeof each === "object" && each !== null && "name" in each ? each : { name: null };
    return typeof name === "string" ? [[name, rest]] : [];
  });
  return named.length === value.length ? named : null;
}

/** Null: it is not set. */
export type Change = { readonly key: string; readonly from: string | null; readonly to: string | null };

export function changesIn(before: readonly Setting[], after: readonly Setting[]): readonly Change[] {
  const [old, now] = [new Map(before), new Map(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((key) => ({ key, from: old.get(key) ?? null, to: now.get(key) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Each value at most so long; of a long text the part that differs. */
export function changeText({ key, from, to }: Change, max: number): string {
  const [one, other] = [from ?? "not set", to ?? "not set"];
  const shared = [...one].findIndex((character, at) => character !== [...other][at]);
  const start = Math.max(0, shared - Math.floor(max / 3));
  const part = (text: string): string =>
    text.length <= max ? text : `${start > 0 ? "…" : ""}${shortened([...text].slice(start).join(""), max)}`;
  return `${key}: ${part(one)} → ${part(other)}`;
}
