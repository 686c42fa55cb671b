// Lenient reading of what passes: unexpected values read as absent, and never throw.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const object = (value: unknown): Json => (isObject(value) ? value : {});
export const list = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);
export const string = (value: unknown): string => (typeof value === "string" ? value : "");
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value < 1e12 ? value : 0;

export function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
