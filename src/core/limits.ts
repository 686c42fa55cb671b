// The table of limits: their names for people, units, defaults and ceilings, and what counts against each.
import type { Contract } from "./contract.ts";
import type { Cap } from "./outcome.ts";
import type { Spend } from "./run.ts";

/** Everything has a bound; null disables one. Times are in milliseconds, amounts in US dollars. */
export type Limits = {
  readonly costUsdMax: number | null;
  readonly sessionCostUsdMax: number;
  readonly tokensMax: number | null;
  readonly sessionsMax: number | null;
  readonly iterationsMax: number | null;
  readonly commitsMax: number | null;
  /** Time that agents and the loop worked; checks, and waiting for a limit or a person, do not count. */
  readonly activeMsMax: number | null;
  readonly reworkMax: number;
  /** How often a producer may respond to its verifier before a person is asked. */
  readonly roundsMax: number;
  readonly sessionMsMax: number;
  readonly silenceMsMax: number;
  /** Total time for checks; not part of `activeMsMax`. */
  readonly checkMsMax: number | null;
  /** How much of a subscription's window may be used before an agent waits for the next one. */
  readonly windowPercentMax: number | null;
};
export type LimitName = keyof Limits;

type Counter = Exclude<keyof Spend, "estimated">;
/** What counts against the caps. */
export type Used = Pick<Spend, Counter>;
type Row = {
  /** Its name in loop.yaml, under `limits`. */
  readonly key: string;
  readonly unit: "usd" | "minutes" | "count" | "percent";
  /** In the unit that people write. Null: no limit. */
  readonly unsaid: number | null;
  /** Bounds the damage of a typo. */
  readonly ceiling?: number;
  readonly says: string;
  /** For a cap: what counts against it, and the flag that raises it. */
  readonly cap?: { readonly name: Cap; readonly counts: Counter; readonly flag: string; readonly help: string };
};

export const limitTable = {
  costUsdMax: {
    key: "cost_usd",
    unit: "usd",
    unsaid: 25,
    ceiling: 100,
    says: "Most that a run may cost, in US dollars.",
    cap: { name: "cost", counts: "costUsd", flag: "budget", help: "cost cap in USD" },
  },
  sessionCostUsdMax: {
    key: "session_cost_usd",
    unit: "usd",
    unsaid: 5,
    says: "Most that one session may cost, in US dollars.",
  },
  iterationsMax: {
    key: "iterations",
    unit: "count",
    unsaid: 10,
    ceiling: 50,
    says: "Most iterations of a run.",
    cap: {
      name: "iterations",
      counts: "iterations",
      flag: "iterations",
      help: "cap on iterations (passes over features)",
    },
  },
  commitsMax: {
    key: "commits",
    unit: "count",
    unsaid: 15,
    ceiling: 100,
    says: "Most commits of a run.",
    cap: { name: "commits", counts: "commits", flag: "commits", help: "cap on commits" },
  },
  reworkMax: {
    key: "rework",
    unit: "count",
    unsaid: 2,
    ceiling: 10,
    says: "How often one feature may be reworked.",
  },
  roundsMax: {
    key: "rounds",
    unit: "count",
    unsaid: 3,
    says: "How often a planner or an auditor may answer its verifier before you are asked.",
  },
  activeMsMax: {
    key: "minutes",
    unit: "minutes",
    unsaid: 60,
    ceiling: 24 * 60,
    says: "Most minutes of work: sessions and what the loop does itself. Checks and waiting do not count.",
    cap: { name: "minutes", counts: "activeMs", flag: "minutes", help: "cap on working time, in minutes" },
  },
  checkMsMax: {
    key: "check_minutes",
    unit: "minutes",
    unsaid: null,
    says: "Most minutes that checks may take in all; null is no limit.",
    cap: {
      name: "check-minutes",
      counts: "checkMs",
      flag: "check-minutes",
      help: "cap on the time of checks, in minutes (not counted as working time)",
    },
  },
  sessionsMax: {
    key: "sessions",
    unit: "count",
    unsaid: null,
    says: "Most sessions of a run; null is no limit.",
    cap: { name: "sessions", counts: "sessions", flag: "sessions", help: "cap on sessions" },
  },
  tokensMax: {
    key: "tokens",
    unit: "count",
    unsaid: null,
    says: "Most tokens of a run; null is no limit.",
    cap: { name: "tokens", counts: "tokens", flag: "tokens", help: "cap on tokens" },
  },
  windowPercentMax: {
    key: "window_percent",
    unit: "percent",
    unsaid: null,
    says: "How much of a subscription's window an agent may use, in percent, before it waits for the next window; null: all of it.",
  },
  sessionMsMax: {
    key: "session_minutes",
    unit: "minutes",
    unsaid: 30,
    says: "Most minutes that one session may take.",
  },
  silenceMsMax: {
    key: "silence_minutes",
    unit: "minutes",
    unsaid: 10,
    says: "Minutes without any progress after which a session is ended.",
  },
} as const satisfies Readonly<Record<LimitName, Row>>;

/** A limit's name in loop.yaml. */
export type LimitKey = (typeof limitTable)[LimitName]["key"];

export const limitNames = Object.keys(limitTable) as LimitName[];
/** The same rows, typed for generic access. */
export const limitRow = (name: LimitName): Row => limitTable[name];
/** The limits that stop a run. */
export const capped = limitNames.flatMap((name) => {
  const { cap } = limitRow(name);
  return cap === undefined ? [] : [{ limit: name, ...cap }];
});

const minute = 60_000;

/** From the written unit to the counted one. */
export const counted = (name: LimitName, written: number | null): number | null =>
  written !== null && limitRow(name).unit === "minutes" ? written * minute : written;

/** From the counted unit to the written one. */
export const written = (name: LimitName, value: number | null): number | null =>
  value !== null && limitRow(name).unit === "minutes" ? value / minute : value;

/** The given limits, by their names in loop.yaml, with defaults for the rest. */
export const limitsFrom = (given: { readonly [K in LimitKey]?: number | null | undefined }): Limits =>
  Object.fromEntries(
    limitNames.map((name) => [name, counted(name, given[limitTable[name].key] ?? limitTable[name].unsaid)]),
  ) as Limits;

/** What a task has left of its limits after `used`. */
export const limitsLeft = (limits: Limits, used: Used | undefined): Limits =>
  used === undefined ? limits : moved(limits, (most, counts) => Math.max(0, most - used[counts]));

/** The limits of the task, of which a follow-up has only what earlier runs left. */
export const limitsOfTask = ({ limits, followUp: { used } }: Pick<Contract, "limits" | "followUp">): Limits =>
  used === undefined ? limits : moved(limits, (most, counts) => most + used[counts]);

function moved(limits: Limits, to: (most: number, counts: Counter) => number): Limits {
  const changed = capped.map(({ limit, counts }) => {
    const most = limits[limit];
    return [limit, most === null ? null : exact(to(most, counts))] as const;
  });
  return { ...limits, ...Object.fromEntries(changed) };
}

/** What all runs of a task have used. A follow-up's own part is `spent`. */
export function usedByTask({
  spent,
  contract,
}: {
  readonly spent: Used;
  readonly contract: Pick<Contract, "followUp">;
}): Used {
  const { used } = contract.followUp;
  if (used === undefined) return spent;
  const sums = capped.map(({ counts }) => [counts, exact(used[counts] + spent[counts])] as const);
  return { ...spent, ...Object.fromEntries(sums) };
}

/** Amounts are kept to the millionth, so that adding up many of them is exact. */
const exact = (amount: number): number => Math.round(amount * 1e6) / 1e6;
