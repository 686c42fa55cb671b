// Caps that a person writes where the harness has them: in the table of docs/loop-budget.md, and under Limits in
// docs/LOOP.md.
import { type LimitKey, limitTable } from "../../core/limits.ts";
import { limits as limitsSchema } from "../config/loop-schema.ts";
import { type Line, markdownLines, plainTitle } from "./markdown-lines.ts";

/** In the units that people write. */
export type Caps = { readonly [K in LimitKey]?: number };
export type WrittenCaps = {
  readonly caps: Caps;
  /** Caps that cannot hold as they are written, with their lines. */
  readonly problems: readonly string[];
  /** Lines that name no limit. */
  readonly unread: readonly string[];
  /** Caps of the wall clock, which the loop can only hold for its work and its checks. */
  readonly wallClock: readonly string[];
};

/** `number`: of the first of the lines, for error messages. */
export const capsIn = (lines: readonly Line[], number: number): WrittenCaps => read(rowsIn(lines, number));

const read = (rows: readonly Row[]): WrittenCaps => ({
  caps: lowest(rows.flatMap((row) => capOf(row) ?? [])),
  problems: rows.flatMap((row) => problemIn(row) ?? []),
  unread: rows.flatMap(({ label, says }) => (keysOf(label) === null ? [says] : [])),
  wallClock: rows.flatMap((row) => (plainTitle(row.label) === wallClock && capOf(row) !== null ? [row.value] : [])),
});

/** The lowest of each. */
export function lowest(all: readonly Caps[]): Caps {
  const least = new Map<string, number>();
  for (const [key, value] of all.flatMap((caps) => Object.entries(caps)))
    least.set(key, Math.min(value, least.get(key) ?? value));
  return Object.fromEntries(least);
}

/** What a person wrote into the budget: caps that the loop wrote there for a run say nothing about the next one. */
export function capsInBudget(text: string): WrittenCaps {
  const all = rowsIn(markdownLines(text), 1).filter(({ isListed }) => !isListed);
  const [, ours, yours] = mark.exec(text) ?? [];
  // A version of the loop that marked nothing wrote it.
  if (ours === undefined && text.includes(oldSentence)) return noCaps;
  const written = pairsIn(ours ?? "");
  const changed = all.filter(({ label, value }) => {
    const [key, ...more] = keysOf(label) ?? [];
    return key === undefined || more.length > 0 || numberIn(value) !== written[key];
  });
  const now = read(changed);
  const kept = pairsIn(yours ?? "");
  // A cap on the wall clock was written as such, and is gone once a person takes it out.
  const isOff = all.some(({ label, value }) => plainTitle(label) === wallClock && isUnsaid(value));
  const { minutes, check_minutes, ...others } = kept;
  return { ...now, caps: { ...(isOff && wallClockCap(kept) !== null ? others : kept), ...now.caps } };
}

/** A person's cap on the wall clock is one on work and on checks, each; null: there is none. */
export const wallClockCap = ({ minutes, check_minutes: checks }: Caps): number | null =>
  minutes !== undefined && minutes === checks ? minutes : null;

/** `rows`: labels and caps as the loop writes them. `yours`: the caps that a person wrote, whatever this run has. */
export function budgetMark(rows: readonly (readonly string[])[], yours: Caps): string {
  const ours = rows.flatMap(([label = "", value = ""]) => {
    const [key, ...more] = keysOf(label) ?? [];
    const number = numberIn(value);
    return key === undefined || more.length > 0 || number === null ? [] : [`${key}=${number}`];
  });
  const theirs = Object.entries(yours).map(([key, value]) => `${key}=${value}`);
  return `<!-- Caps as the loop wrote them: ${ours.join(" ")}; yours: ${theirs.join(" ") || "none"}; one that you change in the table holds for later runs -->`;
}

const mark = /<!-- Caps as the loop wrote them: ([^;\n]*); yours: ([^;\n]*);/;
const oldSentence = "A run that a cap has stopped rests";
export const noCaps: WrittenCaps = { caps: {}, problems: [], unread: [], wallClock: [] };

const pairsIn = (text: string): Caps =>
  lowest(
    [...text.matchAll(/(\w+)=(\d+(?:\.\d+)?)/g)].map(([, key = "", value]) =>
      Object.hasOwn(limitsSchema.shape, key) ? { [key]: Number(value) } : {},
    ),
  );

type Row = {
  readonly line: number;
  readonly label: string;
  readonly value: string;
  readonly says: string;
  /** An item of a list, rather than a row of a table. */
  readonly isListed: boolean;
};

const isTableRow = (text: string): boolean => /^ {0,3}\|.*\|/.test(text);

function rowsIn(lines: readonly Line[], number: number): Row[] {
  return lines.flatMap(({ text, hidden }, at): Row[] => {
    const line = number + at;
    if (hidden) return [];
    if (isTableRow(text)) {
      const [, label = "", value = ""] = text.split("|").map((cell) => cell.trim());
      const isHead = /^cap$/i.test(value) || /^:?-*:?$/.test(label);
      return isHead ? [] : [{ line, label, value, says: `${label}: ${value}`, isListed: false }];
    }
    const item = /^\s*[-*+]\s+(.*)$/.exec(text)?.[1]?.replaceAll("*", "").trim();
    if (item === undefined || item === "") return [];
    const [label = "", ...rest] = item.split(":");
    return [{ line, label, value: rest.join(":").trim(), says: item, isListed: true }];
  });
}

const wallClock = "wall clock";
const byKey = Object.values(limitTable).map(({ key }) => [key.replaceAll("_", " "), [key]] as const);
/** The names that the loop and the harness give to limits, besides those in loop.yaml. */
const named: ReadonlyMap<string, readonly LimitKey[]> = new Map<string, readonly LimitKey[]>([
  ...byKey,
  ["iteration", ["iterations"]],
  ["rework per feature", ["rework"]],
  ["reworks", ["rework"]],
  ["working time", ["minutes"]],
  // The loop has no cap on waiting: what it can bound of the wall clock are its work and its checks.
  [wallClock, ["minutes", "check_minutes"]],
  ["checks", ["check_minutes"]],
  ["cost", ["cost_usd"]],
  ["budget", ["cost_usd"]],
]);
const keysOf = (label: string): readonly LimitKey[] | null => named.get(plainTitle(label)) ?? null;

const isUnsaid = (value: string): boolean => /^(?:off|none|no limit|n\/a|[-–—∞])?$/i.test(value);

function numberIn(value: string): number | null {
  const plain = value.replace(/(?<=\d),(?=\d{3}\b)/g, "").replaceAll("`", "");
  const [, number] = /^~?\$?\s*(\d+(?:\.\d+)?)\s*(?:min(?:ute)?s?|usd|\$|%)?$/i.exec(plain.trim()) ?? [];
  return number === undefined ? null : Number(number);
}

function capOf({ label, value }: Row): Caps | null {
  const [keys, number] = [keysOf(label), numberIn(value)];
  const caps = Object.fromEntries((keys ?? []).map((key) => [key, number]));
  const parsed = limitsSchema.safeParse(caps);
  return number !== null && parsed.success ? (caps as Caps) : null;
}

function problemIn(row: Row): string | null {
  const [key] = keysOf(row.label) ?? [];
  if (key === undefined || isUnsaid(row.value) || capOf(row) !== null) return null;
  return `line ${row.line}: ${JSON.stringify(row.value)} is no cap for ${row.label}: expected a number`;
}
