// Code that may behave differently on another machine: its tests once more in another time zone, and as it runs in
// production, where assertions are switched off.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { isGreen, lost, type Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";

export type RedElsewhere = {
  readonly check: CheckSpec;
  /** The variables that make the difference: "TZ=America/New_York". */
  readonly where: string;
  /** Empty: only the exit code is red. */
  readonly tests: readonly string[];
};

type Elsewhere = {
  readonly env: Readonly<Record<string, string>>;
  /** Changed code for which it can make a difference. */
  readonly matters: (path: string, text: string) => boolean;
};

const dates =
  /\bnew Date\b|\bDate\.(?!now)|\b[gs]et(?:Hours|Minutes|Date|Day|Month|FullYear)\b|\btoLocale(?:Date|Time)|\bIntl\.DateTime|\b(?:dayjs|moment|luxon|date-fns|LocalDate(?:Time)?|ZonedDateTime)\b|\bdatetime\b|\bstrftime\b|\blocaltime\b|\btime\.(?:Unix|Now|Date|Parse|Local|localtime|strftime|ctime)\b|\bchrono\b|\$\(date\b/;
const hasDates = (_: string, text: string): boolean => dates.test(text);

const places: readonly Elsewhere[] = [
  // West and east of Greenwich, each on another day than it for hours.
  { env: { TZ: "America/New_York" }, matters: hasDates },
  { env: { TZ: "Pacific/Kiritimati" }, matters: hasDates },
  { env: { NODE_ENV: "production" }, matters: (_, text) => /\bNODE_ENV\b/.test(text) },
  // Pytest and unittest still compare: only plain assertions of the product are gone.
  { env: { PYTHONOPTIMIZE: "1" }, matters: (path, text) => path.endsWith(".py") && /^\s*assert\b/m.test(text) },
  {
    env: { CARGO_PROFILE_DEV_DEBUG_ASSERTIONS: "false", CARGO_PROFILE_TEST_DEBUG_ASSERTIONS: "false" },
    matters: (path, text) => path.endsWith(".rs") && /\bdebug_assert/.test(text),
  },
];

/** Checks that are green as it is, and red there, though the old code is green in both places. */
export async function redElsewhere(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  base: ReadonlyMap<string, Seen>,
): Promise<readonly RedElsewhere[]> {
  const code = changedCode(c.sides).map(({ path }) => ({ path, text: c.sides.candidate.text(path) ?? "" }));
  const { env: settled } = c.order.contract.proof.room;
  const wanted = places.filter(
    ({ env, matters }) =>
      code.some(({ path, text }) => matters(path, text)) && !Object.keys(env).some((name) => settled.includes(name)),
  );
  if (wanted.length === 0) return [];
  const found: RedElsewhere[] = [];
  for (const check of c.checks) {
    const [here, before] = [asItIs.get(check.name), base.get(check.name)];
    if (here === undefined || before === undefined || !isGreen(here) || !isGreen(before)) continue;
    const red = await firstRed(c, check, tree, wanted);
    if (red !== null) found.push({ check, where: red.where, tests: lost(here, red.seen) });
  }
  return found;
}

/** Red there twice, and green there before the change. */
async function firstRed(
  c: Case,
  check: CheckSpec,
  tree: TreeId,
  wanted: readonly Elsewhere[],
): Promise<{ readonly where: string; readonly seen: Seen } | null> {
  for (const { env } of wanted) {
    const at = { run: "B", tree, judge: "new", part: "elsewhere", env } as const;
    const isRed = (seen: Seen): boolean => !isGreen(seen) && seen.how !== "cut";
    const seen = await look(c, check, at);
    if (!isRed(seen) || !isRed(await look(c, check, { ...at, again: 1 }))) continue;
    const old = { run: "base", tree: c.sides.base.id, judge: "old", part: "elsewhere", env, altered: false } as const;
    if (isGreen(await look(c, check, old))) return { where: said(env), seen };
  }
  return null;
}

const said = (env: Elsewhere["env"]): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
