// Careful reading of what an agent printed: whatever is not as expected reads as absent, never as an exception.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object on a line, or null: a banner, a torn line and a bare number are all no event. */
export function objectIn(line: string): Json | null {
  const text = line.trim();
  // Looked at before it is parsed: a flood of torn lines costs a hundred times more when each one is an exception.
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const value = parsed(text);
  return isObject(value) ? value : null;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const object = (value: unknown): Json => (isObject(value) ? value : {});
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const string = (value: unknown): string => (typeof value === "string" ? value : "");

/** A count, as long as it can be one: agents have printed nulls, negatives and worse. */
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value < 1e12 ? value : 0;
