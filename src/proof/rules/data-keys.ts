// The keys of data that a product ships: rows that others look up.

const keysMax = 5000;

/** Paths to every key, `rates.it`; null: not readable as JSON. */
export function keysOf(path: string, text: string): ReadonlySet<string> | null {
  if (!path.endsWith(".json")) return null;
  try {
    const found = new Set<string>();
    gather(JSON.parse(text), "", found);
    return found;
  } catch {
    return null;
  }
}

function gather(value: unknown, at: string, found: Set<string>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) || found.size > keysMax) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = at === "" ? key : `${at}.${key}`;
    found.add(path);
    gather(inner, path, found);
  }
}
