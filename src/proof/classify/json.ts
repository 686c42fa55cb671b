// Reads JSON of unknown shape: manifests and settings of the project.

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null: not a JSON object. */
export function objectIn(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const objectAt = (value: JsonObject | null, key: string): JsonObject => {
  const found = value === null || !Object.hasOwn(value, key) ? null : value[key];
  return isObject(found) ? found : {};
};

/** Every string in a value, however deep; a manifest's `exports` nests conditions. */
export function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > 8 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}
