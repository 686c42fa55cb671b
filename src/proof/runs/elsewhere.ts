// Code that deals with dates: its tests once more in another time zone, where local time is not universal time.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { isGreen, lost, type Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";

export type RedElsewhere = {
  readonly check: CheckSpec;
  readonly zone: string;
  /** Empty: only the exit code is red. */
  readonly tests: readonly string[];
};

/** West and east of Greenwich, each on another day than it for hours. */
const zones = ["America/New_York", "Pacific/Kiritimati"];
const dates =
  /\bnew Date\b|\bDate\.(?!now)|\b[gs]et(?:Hours|Minutes|Date|Day|Month|FullYear)\b|\btoLocale(?:Date|Time)|\bIntl\.DateTime|\b(?:dayjs|moment|luxon|date-fns|LocalDate(?:Time)?|ZonedDateTime)\b|\bdatetime\b|\bstrftime\b|\blocaltime\b|\btime\.(?:Unix|Now|Date|Parse|Local|localtime|strftime|ctime)\b|\bchrono\b|\$\(date\b/;

/** Checks that are green as it is, and red there, though the old code is green in both places. */
export async function redElsewhere(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  base: ReadonlyMap<string, Seen>,
): Promise<readonly RedElsewhere[]> {
  if (!changedCode(c.sides).some(({ path }) => dates.test(c.sides.candidate.text(path) ?? ""))) return [];
  if (c.order.contract.proof.room.env.includes("TZ")) return [];
  const found: RedElsewhere[] = [];
  for (const check of c.checks) {
    const [here, before] = [asItIs.get(check.name), base.get(check.name)];
    if (here === undefined || before === undefined || !isGreen(here) || !isGreen(before)) continue;
    const zone = await firstRed(c, check, tree);
    if (zone !== null) found.push({ check, zone: zone.name, tests: lost(here, zone.seen) });
  }
  return found;
}

/** Red there twice, and green there before the change. */
async function firstRed(c: Case, check: CheckSpec, tree: TreeId): Promise<{ name: string; seen: Seen } | null> {
  for (const zone of zones) {
    const at = { run: "B", tree, judge: "new", part: "elsewhere", zone } as const;
    const isRed = (seen: Seen): boolean => !isGreen(seen) && seen.how !== "cut";
    const seen = await look(c, check, at);
    if (!isRed(seen) || !isRed(await look(c, check, { ...at, again: 1 }))) continue;
    const old = { run: "base", tree: c.sides.base.id, judge: "old", part: "elsewhere", zone, altered: false } as const;
    if (isGreen(await look(c, check, old))) return { name: zone, seen };
  }
  return null;
}
