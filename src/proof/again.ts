// Repeats a past proof from the trees and terms that it names, and compares the results.
import type { Tools } from "./case.ts";
import { type Evidence, type RunRecord, readEvidence } from "./evidence.ts";
import { proveCandidate } from "./prove.ts";
import type { HiddenTest } from "./prover.ts";

export type Again = {
  readonly cut: boolean;
  /** What differs from the proof; empty: it matches. */
  readonly differs: readonly string[];
  readonly evidence: Evidence;
};

/** `tools.files` must not hold results of the first proof, or they would be reused instead of run again. */
export async function proveAgain(
  was: Evidence,
  tools: Tools,
  hidden: readonly HiddenTest[] | null,
  cut: AbortSignal,
): Promise<Again> {
  const { order, base, candidate, label, decided, person } = was;
  await tools.rooms.keep(base, order.contract.proof, cut);
  const again = await proveCandidate(
    {
      ...order,
      ...{ base, candidate, label },
      ...(decided === undefined ? {} : { decided }),
      ...(person === undefined ? {} : { person }),
      ...(hidden === null || hidden.length === 0 ? {} : { hidden }),
    },
    was.ours === undefined ? tools : { ...tools, ours: new Set(was.ours) },
    cut,
  );
  const is = readEvidence(tools.files, again.proof);
  return { cut: again.cut, differs: again.cut ? [] : differences(was, is), evidence: is };
}

export function differences(was: Evidence, is: Evidence): string[] {
  // A repeated proof raises again the question that a checker let pass; that does not count as a difference.
  const isSame =
    was.grade === is.grade || (was.grade === "reviewed" && was.contradiction != null && is.contradiction !== null);
  const grade = isSame ? [] : [`grade: ${was.grade}, now ${is.grade}. ${whyNot(is)}`.trim()];
  return [...grade, ...was.runs.flatMap((run, at) => runDiffers(run, twinOf(run, was.runs.slice(0, at), is.runs)))];
}

/** A run may be recorded twice, before and after tests were allowed to change: the first matches the first. */
function twinOf(
  { run, check, without }: RunRecord,
  before: readonly RunRecord[],
  now: readonly RunRecord[],
): RunRecord | undefined {
  const isOne = (other: RunRecord): boolean => other.run === run && other.check === check && other.without === without;
  return now.filter(isOne)[before.filter(isOne).length];
}

const whyNot = ({ failures, missing }: Evidence): string =>
  [...failures.map(({ text }) => text.split("\n", 1)[0] ?? ""), ...missing].slice(0, 3).join(" ");

function runDiffers(was: RunRecord, is: RunRecord | undefined): string[] {
  const name = was.check === "" ? was.run : `${was.run} ${was.check}`;
  if (is === undefined) return [`${name}: was ${was.how}, and is not run any more`];
  if (is.how !== was.how) return [`${name}: was ${was.how} (${was.text}), now ${is.how} (${is.text})`];
  const have = new Set(is.passed ?? []);
  const gone = (was.passed ?? []).filter((key) => !have.has(key));
  return gone.length === 0 ? [] : [`${name}: ${gone.length} tests no longer pass: ${gone.slice(0, 5).join("; ")}`];
}
