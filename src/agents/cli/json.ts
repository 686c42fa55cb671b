// Lenient reading of an agent's output: unexpected values read as absent, and never throw.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object on a line, or null: a banner, a torn line and a bare number are not events. */
export function objectIn(line: string): Json | null {
  const text = line.trim();
  // Checked before parsing: a flood of torn lines is a hundred times slower if each throws.
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const value = parsed(text);
  return isObject(value) ? value : null;
}

/** Undefined: it is no JSON, or too deep for code that walks over it or writes it again. */
export function parsed(text: string): unknown {
  try {
    return isDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const depthMax = 500;

/** Brackets in texts count too: what has so many is no reply and no event either. */
function isDeep(text: string): boolean {
  if (text.length < 2 * depthMax) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) | 0x20; // "[" and "{", "]" and "}" in one
    if (code === 0x7b && ++depth > depthMax) return true;
    if (code === 0x7d) depth -= 1;
  }
  return false;
}

export const object = (value: unknown): Json => (isObject(value) ? value : {});
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const string = (value: unknown): string => (typeof value === "string" ? value : "");

/** A plausible count, otherwise 0: agents have printed nulls, negatives and worse. */
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value < 1e12 ? value : 0;
