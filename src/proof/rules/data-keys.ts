// The keys and lines of data that a product ships: rows that others look up.
import { hunks, isProse, languageOf } from "../source/index.ts";

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

const isRow = (line: string): boolean => line.trim() !== "" && !/^\s*(?:#|--|\/\/|;)/.test(line) && !isProse(line);
const isLayout = /\.(?:json|md|markdown|rst|adoc|html?|css|scss|less|svg|xml|vue|svelte|ejs|hbs|njk)$/i;

/** Rows of a list or table that are gone, and for which no new one was written in their place: tests decide about that. */
export function lostRows(path: string, before: string, after: string): readonly string[] {
  if (isLayout.test(path) || languageOf(path) !== null) return [];
  const left = new Set(after.split("\n").map((line) => line.trim()));
  return hunks(before, after)
    .flatMap(({ removed, added }) => removed.filter(isRow).slice(added.filter(isRow).length))
    .map((row) => row.trim())
    .filter((row) => !left.has(row))
    .map((row) => row.slice(0, rowMax));
}

const rowMax = 60;
