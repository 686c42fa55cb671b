// How many tests a check ran: read from its report or its output, compared with the code as it was before.
import * as fs from "node:fs";
import { join } from "node:path";
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Cause } from "../../core/run.ts";
import { type Counts, countTests, readReport, sum } from "../../formats/test-report/index.ts";
import { readTail, readWhole } from "../../host/process/follow.ts";
import type { RunFiles } from "../ports.ts";
import type { Worn } from "./compare-with-seal.ts";
import type { Judged } from "./run-checks.ts";

const bytesMax = 32 << 20;
const filesMax = 2000;

/** The counts of a run that began at `since`: a report that is older was not written by it. */
export function countsOf(spec: CheckSpec, at: { cwd: string; output: string; since: number }): Counts | null {
  if (spec.report == null) return countTests(readTail(at.output, bytesMax));
  const reports = reportFiles(join(at.cwd, spec.report)).filter((path) => isFresh(path, at.since));
  return sum(reports.map((path) => readReport(readWhole(path, bytesMax) ?? "")).filter((counts) => counts !== null));
}

/** A file, or every report in a folder. */
function reportFiles(path: string): string[] {
  // Also where a file stands in the place of its folder, which the looking itself would call an error.
  if (!fs.existsSync(path)) return [];
  const stat = fs.lstatSync(path);
  if (stat.isFile()) return [path];
  if (!stat.isDirectory()) return [];
  const names = fs.readdirSync(path).filter((name) => /\.(?:xml|json|tap|txt)$/.test(name));
  return names.slice(0, filesMax).map((name) => join(path, name));
}

const isFresh = (path: string, since: number): boolean =>
  (fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;

/** What was seen of each check on one tree. */
export type TreeRecord = Readonly<Record<string, { readonly green: boolean; readonly counts: Counts | null }>>;

/** What the loop remembers of a tree that it checked. */
export type TreeMemory = {
  readonly checks: TreeRecord;
  readonly worn: Worn | null;
  /** The name of the fingerprint of what the checks were run by. */
  readonly installed?: string;
};

const place = (tree: TreeId): string => `trees/${tree}.json`;

export function keepRecord(
  files: RunFiles,
  tree: TreeId,
  judged: readonly Judged[],
  { worn, installed }: Pick<TreeMemory, "worn" | "installed">,
): void {
  const checks = Object.fromEntries(
    judged.map(({ spec, how, counts }) => [spec.name, { green: how === "green", counts: counts ?? null }]),
  );
  files.write(
    place(tree),
    `${JSON.stringify({ checks, worn, ...(installed === undefined ? {} : { installed }) } satisfies TreeMemory)}\n`,
  );
}

/** Nothing for a tree that the loop has not seen: somebody else committed it, and what they did to a test is meant. */
export function readRecord(files: RunFiles, tree: TreeId): TreeMemory {
  const text = files.read(place(tree));
  return text === null ? { checks: {}, worn: null } : (JSON.parse(text) as TreeMemory);
}

export type CountOptions = {
  readonly before: TreeRecord;
  /** The contract let tests change, so that there may be fewer. */
  readonly released: boolean;
  /** A manifest came in or went, and with it, perhaps, a runner that is started once more. */
  readonly manifests?: boolean;
};

/** Fewer tests, more that are skipped, or none at all: not green, whatever the exit code says. */
export function countCauses(judged: readonly Judged[], options: CountOptions): Cause[] {
  return judged.flatMap((each) => {
    const before = options.before[each.spec.name]?.counts ?? null;
    if (each.how !== "green" || before === null) return [];
    const why = worse(before, each.counts ?? null, options);
    if (why === null) return [];
    const text = `${each.spec.name} ended well, and ${why.text}`;
    return [{ kind: "tampering", key: `counts:${each.spec.name}:${why.key}`, text }];
  });
}

function worse(
  before: Counts,
  after: Counts | null,
  { released, manifests }: CountOptions,
): { key: string; text: string } | null {
  if (before.total === 0) return null;
  const was = `before: ${numbers(before)}`;
  if (after === null) return { key: "none", text: `ran no tests that can be counted: there is no report. ${was}` };
  if (after.total === 0) return { key: "none", text: `ran no tests at all. ${was}` };
  if (after.failed > before.failed)
    return { key: "failed", text: `its own report counts failures: ${numbers(before)} → ${numbers(after)}` };
  if (released) return null;
  if (manifests !== true && (after.reports ?? 0) > (before.reports ?? Number.POSITIVE_INFINITY))
    return {
      key: "forged",
      text: `its output holds ${after.reports} reports, and held ${before.reports} before: a report was forged`,
    };
  const change = `${numbers(before)} → ${numbers(after)}${missing(before, after)}`;
  if (after.total < before.total) return { key: "fewer", text: `ran fewer tests than before: ${change}` };
  if (after.skipped > before.skipped && !onlyNewOnesAreSkipped(before, after))
    return { key: "skipped", text: `skipped more tests than before: ${change}` };
  return null;
}

/** By name alone: a sum cannot tell a test that came skipped from one that used to run. */
function onlyNewOnesAreSkipped(before: Counts, after: Counts): boolean {
  return before.names !== null && after.names !== null && lost(before, after).length === 0;
}

export const numbers = ({ total, skipped, failed }: Pick<Counts, "total" | "skipped" | "failed">): string =>
  [
    `${total} ${total === 1 ? "test" : "tests"}`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(", ");

/** Tests that passed before and do not now, by name. */
export function lost(before: Counts, after: Counts): string[] {
  if (before.names === null || after.names === null) return [];
  const { names } = after;
  return Object.entries(before.names)
    .filter(([name, how]) => how === "passed" && names[name] !== "passed")
    .map(([name]) => name);
}

function missing(before: Counts, after: Counts): string {
  const gone = lost(before, after);
  if (gone.length === 0) return "";
  return `. No longer passed: ${gone.slice(0, 5).join("; ")}${gone.length > 5 ? "; …" : ""}`;
}

/** A check that has yet to turn green: is it nearer to it? */
export function progress(before: Counts | null, after: Counts | null): "nearer" | "same" | "worse" | "unknown" {
  if (before === null || after === null) return "unknown";
  if (after.passed < before.passed || lostToFailure(before, after).length > 0) return "worse";
  return after.passed > before.passed ? "nearer" : "same";
}

/** Only what is still there and fails counts here: a name may change with what it names. */
function lostToFailure(before: Counts, after: Counts): string[] {
  return lost(before, after).filter((name) => after.names?.[name] === "failed");
}
