// When a part of a session ran, so that each line of a shared transcript is counted for one part.
import type { SessionRequest } from "../agent.ts";
import { readLaunch } from "./session-folder.ts";

/** From its own launch to that of the next part. A part without a record has no bounds. */
export type PartTimes = { from: number; to: number };

export function partTimes({ folder, part }: SessionRequest): PartTimes {
  const from = readLaunch(folder, part)?.at ?? 0;
  const to = readLaunch(folder, part + 1)?.at ?? Number.POSITIVE_INFINITY;
  return { from, to };
}

/** A line without a time counts for the given part. */
export function isWithin({ from, to }: PartTimes, timestamp: unknown): boolean {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) || (at >= from && at < to);
}
