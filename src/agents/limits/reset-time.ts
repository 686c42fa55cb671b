// Finds the retry time in a message: an epoch, a duration, a time of day, a date, with or without a zone.
import { instantOf, localZone, nextDay, type WallTime, wallTimeAt, zoneNamed } from "./zoned-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A time that has just passed does not mean tomorrow: the limit is about to be lifted. */
const justPassedMs = 30 * minuteMs;
const soonMs = 5 * minuteMs;
/** A limit over a five-hour window cannot end later than this, so a later time has just passed. */
const sessionWindowMs = 6 * hourMs;

/** Epoch milliseconds, or null when the text has no time. `zone` is used if the text has none. */
export function readResetTime(text: string, now: number, zone: string = localZone()): number | null {
  return epochIn(text) ?? isoIn(text, now) ?? durationIn(text, now) ?? clockIn(text, now, zone);
}

/** When to retry after an outage. A time that has passed says nothing, and the run backs off instead. */
export function readRetryTime(text: string, now: number, zone?: string): number | null {
  const stated = readResetTime(text, now, zone);
  return stated !== null && stated > now ? stated : null;
}

/** The value of a `retry-after` header: seconds, or a date. */
export function readRetryAfter(value: string, now: number): number | null {
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return now + Math.ceil(Number(value) * 1000);
  const date = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}

/** Seconds or milliseconds since 1970, told apart by size; otherwise null. */
export function readEpoch(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 1e9 || value > 1e13) return null;
  return value < 1e11 ? value * 1000 : value;
}

function epochIn(text: string): number | null {
  const found = /\|\s*(\d{10}|\d{13})\b/.exec(text) ?? /"?resets?_?at"?\s*[:=]\s*(\d{10}|\d{13})\b/i.exec(text);
  return found ? readEpoch(Number(found[1])) : null;
}

/** The first that is still to come: a line of a log begins with the time at which it was written. */
function isoIn(text: string, now: number): number | null {
  const found = text.matchAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})/g);
  return [...found].map(([time]) => Date.parse(time)).find((instant) => instant > now) ?? null;
}

const units: readonly [pattern: RegExp, ms: number][] = [
  [/^ms|^milli/, 1],
  [/^s/, 1000],
  [/^m/, minuteMs],
  [/^h/, hourMs],
  [/^d/, dayMs],
  [/^w/, 7 * dayMs],
];

const unit = "milliseconds?|ms|weeks?|w|days?|d|hours?|hrs?|hr|h|minutes?|mins?|min|m|seconds?|secs?|sec|s";
const amount = `\\d+(?:\\.\\d+)?\\s*(?:${unit})(?![a-z])`;
const durationPattern = new RegExp(
  [
    "\\b(?:again|retry(?:ing)?|resets?|wait|available)\\s+(?:(?:in|after|for)\\s+)?",
    "(?:about\\s+|another\\s+|less than\\s+)?",
    `(?:an?\\s+(?<one>minute|hour|day)|(?<many>${amount}(?:(?:,|\\s|and)*${amount})*))`,
  ].join(""),
  "i",
);

function durationIn(text: string, now: number): number | null {
  const groups = durationPattern.exec(text)?.groups;
  if (groups === undefined) return retryAfterIn(text, now);
  const said = (groups["many"] ?? `1 ${groups["one"]}`).toLowerCase();
  let total = 0;
  for (const [, count, unitName = ""] of said.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    total += Number(count) * (units.find(([pattern]) => pattern.test(unitName))?.[1] ?? 0);
  }
  return now + Math.ceil(total);
}

function retryAfterIn(text: string, now: number): number | null {
  const found = /retry[-_ ]after"?\s*[:=]?\s*"?(\d+(?:\.\d+)?)/i.exec(text);
  return found?.[1] === undefined ? null : readRetryAfter(found[1], now);
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const clockPattern = new RegExp(
  [
    "\\b(?:resets?|try again|available again|back|until)\\b\\s*(?:at|on|after|by|:)?\\s*(?:on\\s+)?",
    `(?:(?<month>${months.join("|")})[a-z]*\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>\\d{4}))?(?:,|\\s|at)*)?`,
    "(?:(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))?(?::\\d{2})?\\s*(?<half>[ap]\\.?m\\.?)?)?",
    "\\s*(?:\\((?<zone>[^)]{1,40})\\)|(?<bare>UTC|GMT|[ECMP][SD]T|CES?T|BST|JST|KST)\\b)?",
  ].join(""),
  "gi",
);

function clockIn(text: string, now: number, otherwise: string): number | null {
  for (const { groups = {} } of text.matchAll(clockPattern)) {
    const time = timeOfDay(groups["hour"], groups["minute"], groups["half"]);
    const dated = groups["month"] !== undefined;
    // "resets 8" is ambiguous, "resets 8pm" and "resets 20:00" are not.
    if (time === null || (!dated && groups["half"] === undefined && groups["minute"] === undefined)) continue;
    const zone = zoneNamed(groups["zone"] ?? groups["bare"] ?? otherwise) ?? otherwise;
    if (!dated) return nextAt(time, now, zone, /\b(?:session|5-hour|five-hour|5h)\b/i.test(text));
    const date = { month: months.indexOf((groups["month"] ?? "").toLowerCase()) + 1, day: Number(groups["day"]) };
    return onDate({ ...date, ...time }, groups["year"], now, zone);
  }
  return null;
}

type TimeOfDay = Pick<WallTime, "hour" | "minute">;

function timeOfDay(hourText?: string, minuteText?: string, half?: string): TimeOfDay | null {
  if (hourText === undefined) return null;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? 0);
  const valid = minute < 60 && (half === undefined ? hour < 24 : hour >= 1 && hour <= 12);
  if (!valid) return null;
  if (half === undefined) return { hour, minute };
  return { hour: (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0), minute };
}

function nextAt(time: TimeOfDay, now: number, zone: string, isSession: boolean): number {
  const today = { ...wallTimeAt(now, zone), ...time };
  const coming = [-1, 0, 1, 2].map((days) => instantOf(nextDay(today, days), zone));
  const passed = Math.max(...coming.filter((instant) => instant <= now));
  const next = Math.min(...coming.filter((instant) => instant > now));
  const isOver = now - passed <= justPassedMs || (isSession && next - now > sessionWindowMs);
  return isOver ? now + soonMs : next;
}

function onDate(wall: Omit<WallTime, "year">, yearText: string | undefined, now: number, zone: string): number {
  if (yearText !== undefined) return instantOf({ ...wall, year: Number(yearText) }, zone);
  const { year } = wallTimeAt(now, zone);
  // Without a year it is the nearest such date: "resets Jan 2" in December means next year.
  const nearest = [year - 1, year, year + 1].map((each) => instantOf({ ...wall, year: each }, zone));
  return nearest.reduce((best, each) => (Math.abs(each - now) < Math.abs(best - now) ? each : best));
}
