// Values from untrusted JSON or YAML: taken if they fit, otherwise ignored.
import type { FeatureStatus } from "../queue/features-json.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** The first of these keys with text, trimmed. */
export function textAt(fields: Fields, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return String(value);
  }
  return "";
}

/** The first of these keys with a list, as texts; a single text is a list of one. */
export function textsAt(fields: Fields, ...keys: readonly string[]): string[] {
  for (const key of keys) {
    const value = fields[key];
    const list = Array.isArray(value) ? value : typeof value === "string" ? [value] : null;
    if (list !== null) return list.map(asText).filter((text) => text !== "");
  }
  return [];
}

/** A list item as text: a step in the form of data becomes a sentence. */
function asText(item: unknown): string {
  if (typeof item === "string") return item.trim();
  if (typeof item === "number" || typeof item === "boolean") return String(item);
  if (!isFields(item)) return "";
  const own = textAt(item, "text", "criterion", "description", "title", "name", "id");
  if (own !== "") return own;
  const told = ["action", "target", "value"].map((key) => textAt(item, key)).filter((part) => part !== "");
  const expected = textAt(item, "expected");
  return [told.join(" "), expected === "" ? "" : `expected: ${expected}`].filter((part) => part !== "").join(", ");
}

/** Everything except these keys and empty values. */
export function without(fields: Fields, keys: readonly string[]): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => !keys.includes(key) && !isEmpty(value)));
}

const words: Readonly<Record<string, number>> = {
  critical: 0,
  urgent: 0,
  p0: 0,
  high: 1,
  must: 1,
  p1: 1,
  medium: 2,
  normal: 2,
  should: 2,
  p2: 2,
  low: 3,
  could: 3,
  p3: 3,
};

/** Null: not given, or not understood. */
export function priorityOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string") return null;
  const word = value
    .trim()
    .toLowerCase()
    .replace(/\s*[-\s]?priority$/, "");
  if (Object.hasOwn(words, word)) return words[word] ?? null;
  return /^-?\d{1,9}(?:\.\d{1,9})?$/.test(word) ? Number(word) : null;
}

const done = /^(?:done|complete|completed|finished|passed|passing|closed|existing|shipped|verified)$/;
const stuck = /^(?:blocked|deferred|on[-_ ]hold|waiting)$/;
const again = /^(?:needs[-_ ]rework|rework|failed|failing|rejected)$/;

/** What we have not proved ourselves is `existing`, never `complete`. */
export function statusOf(value: unknown): FeatureStatus {
  if (value === true) return "existing";
  if (typeof value !== "string") return "not-started";
  const word = value.trim().toLowerCase();
  if (done.test(word)) return "existing";
  if (stuck.test(word)) return "blocked";
  return again.test(word) ? "needs-rework" : "not-started";
}

/** Labeled paragraphs, for data that people should still see; empty ones are omitted. */
export function described(...parts: readonly (string | readonly [label: string, texts: readonly string[]])[]): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const [label, texts] = part;
      if (texts.length === 0) return "";
      return texts.length === 1 ? `${label}: ${texts[0]}` : `${label}:\n${texts.map((text) => `- ${text}`).join("\n")}`;
    })
    .filter((part) => part !== "")
    .join("\n\n");
}
