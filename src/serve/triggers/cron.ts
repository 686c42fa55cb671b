// Which time of a schedule is due. Asked again and again, so that a clock that jumps, or a machine that slept, needs no
// timer to be right.
import { createHash } from "node:crypto";
import { Cron } from "croner";
import type { TriggerSettings } from "../../formats/config/settings.ts";

type Schedule = NonNullable<TriggerSettings["cron"]>;
export type Due =
  | { readonly is: "due"; readonly at: number }
  /** It passed while nothing served, and is not made up for. */
  | { readonly is: "missed"; readonly at: number };

/** Later than this, a time counts as missed. */
const graceMs = 90_000;

/** The latest time of the schedule after `since` that has come; null: none. Earlier ones are passed over. */
export function dueIn(schedule: Schedule, name: string, since: number, now: number): Due | null {
  const job = new Cron(schedule.at, { paused: true, mode: "5-part", timezone: schedule.timezone });
  const jitterMs = (at: number): number => jitterOf(name, at, schedule.jitterS);
  // The latest may still wait for its jitter, which can be longer than the time between two.
  // The library counts in whole seconds, and leaves out the one that is given.
  const times = job.previousRuns(earlierMax(schedule), new Date(now + 1000)).map((at) => at.getTime());
  const at = times.find((time) => time > since && time + jitterMs(time) <= now);
  if (at === undefined) return null;
  const isLate = now - at - jitterMs(at) > graceMs;
  return { is: isLate && schedule.catchUp === "none" ? "missed" : "due", at };
}

/** At most one time a minute. */
const earlierMax = ({ jitterS }: Schedule): number => Math.ceil(jitterS / 60) + 2;

/** The same for the same time, so that a restart does not draw again. */
function jitterOf(name: string, at: number, jitterS: number): number {
  if (jitterS === 0) return 0;
  const drawn = createHash("sha256").update(`${name} ${at}`).digest().readUInt32BE(0);
  return (drawn / 2 ** 32) * jitterS * 1000;
}
