// Values of JSON data that a change rewrote, each put back separately: one line may hold many.
import type { Draft } from "./drafts.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Empty where either text is not JSON. */
export function valueDrafts(path: string, before: string, after: string): readonly Draft[] {
  if (!path.endsWith(".json")) return [];
  const [was, is] = [parsed(before), parsed(after)];
  if (was === undefined || is === undefined) return [];
  const indent = /\n([ \t]+)\S/.exec(after)?.[1] ?? "";
  return differing(was, is, []).map(({ at, old }) => ({
    what: `${path} ${at.join(".")} put back as it was: ${JSON.stringify(old).slice(0, 60)}`,
    kind: "line",
    make: () => `${JSON.stringify(withValue(is, at, old), null, indent)}\n`,
  }));
}

type Difference = { readonly at: readonly string[]; readonly old: Json };

/** Where both have a value, and the values differ. */
function differing(was: Json, is: Json, at: readonly string[]): readonly Difference[] {
  if (isTable(was) && isTable(is))
    return Object.keys(was)
      .filter((key) => Object.hasOwn(is, key))
      .flatMap((key) => differing(was[key] ?? null, is[key] ?? null, [...at, key]));
  return at.length === 0 || JSON.stringify(was) === JSON.stringify(is) ? [] : [{ at, old: was }];
}

function withValue(json: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined || !isTable(json)) return value;
  return { ...json, [key]: withValue(json[key] ?? null, rest, value) };
}

const isTable = (json: Json): json is { readonly [key: string]: Json } =>
  typeof json === "object" && json !== null && !Array.isArray(json);

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
