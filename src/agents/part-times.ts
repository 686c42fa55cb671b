// When a part of a session ran, so that of a transcript that holds all parts each line is counted for one of them.
import type { SessionRequest } from "./agent.ts";
import { readLaunch } from "./session-folder.ts";

/** From its own launch to that of the next part. A part that nobody recorded has no bounds. */
export type PartTimes = { from: number; to: number };

export function partTimes({ folder, part }: SessionRequest): PartTimes {
  const from = readLaunch(folder, part)?.at ?? 0;
  const to = readLaunch(folder, part + 1)?.at ?? Number.POSITIVE_INFINITY;
  return { from, to };
}

/** A line without a time is counted for the part that is asked about. */
export function isWithin({ from, to }: PartTimes, timestamp: unknown): boolean {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) || (at >= from && at < to);
}
