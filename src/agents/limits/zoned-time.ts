// Converts a wall clock time in a named zone to an instant, also when the clocks change.

export type WallTime = { year: number; month: number; day: number; hour: number; minute: number };

const dayMs = 24 * 60 * 60_000;

// Common abbreviations that the platform does not know as zones.
const abbreviations: Readonly<Record<string, string>> = {
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  MST: "America/Denver",
  MDT: "America/Denver",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  EST: "America/New_York",
  EDT: "America/New_York",
  BST: "Europe/London",
  CET: "Europe/Paris",
  CEST: "Europe/Paris",
  JST: "Asia/Tokyo",
  KST: "Asia/Seoul",
  Z: "UTC",
};

/** The zone's canonical name, or null if unknown. `UTC+2` and `GMT-05:30` are zones too. */
export function zoneNamed(text: string): string | null {
  const name = text.trim();
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name);
  if (offset) return `${offset[1]}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`;
  try {
    const known = abbreviations[name.toUpperCase()] ?? name;
    return new Intl.DateTimeFormat("en-US", { timeZone: known }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The zone of this machine. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The wall clock time in a zone at an instant. */
export function wallTimeAt(instant: number, zone: string): WallTime {
  // Not every supported Node accepts an offset as a zone.
  const fixed = /^([+-])(\d{2}):(\d{2})$/.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return wallTimeAt(instant + (fixed[1] === "-" ? -minutes : minutes) * 60_000, "UTC");
  }
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

/**
 * The instant at which the wall clock in a zone shows this time. A time that occurs twice (clocks go back) is the later
 * one: waiting for it must not end too early. A time that never occurs (clocks go forward) is counted from midnight.
 */
export function instantOf(wall: WallTime, zone: string): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = asUtc - offsetAt(asUtc - dayMs, zone);
  const after = asUtc - offsetAt(asUtc + dayMs, zone);
  const shown = [before, after].filter((instant) => instant + offsetAt(instant, zone) === asUtc);
  return shown.length > 0 ? Math.max(...shown) : before;
}

function offsetAt(instant: number, zone: string): number {
  const wall = wallTimeAt(instant, zone);
  const shown = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  return shown - Math.floor(instant / 60_000) * 60_000;
}

/** The same time of day on the following date. */
export function nextDay(wall: WallTime, days = 1): WallTime {
  const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days));
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
