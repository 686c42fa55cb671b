// What keeps a proof from being strong, and what is worth knowing beside it.
import type { AddedLines } from "./added-lines.ts";
import type { TreeRecord } from "./counting.ts";
import type { NewDependency } from "./dependencies.ts";
import type { Judged } from "./run-checks.ts";
import type { SealReport, SealRule } from "./seal.ts";
import type { Witness } from "./witness.ts";

export type Graded = {
  readonly green: readonly Judged[];
  readonly seal: SealReport;
  readonly witness: Witness;
  readonly added: AddedLines;
  readonly rule: SealRule;
};

/** Nothing here: the proof is strong. */
export function weaknesses({ green, seal, witness, added, rule }: Graded): string[] {
  const uncounted = uncountable(green);
  const exits =
    uncounted.length === 0 ? [] : added.lines.filter(({ path, text }) => !rule.isTest(path) && endsWell.test(text));
  return [
    ...(green.length === 0 ? ["No check was run."] : []),
    ...(witness.seen ? [] : [`Nothing was red first: ${witness.why}.`]),
    ...some(seal.rewritten, "Sealed files were rewritten"),
    ...some(
      seal.renamed.map(({ from, to }) => `${from} → ${to}`),
      "Tests moved with their module",
    ),
    ...some(seal.locks, "Lockfiles changed, and no manifest did"),
    ...some(
      exits.slice(0, 5).map(({ path, line }) => `${path}:${line}`),
      `A line ends the process with success, and ${uncounted.join(", ")} cannot be counted`,
    ),
    ...(added.cut ? ["The change is too large to be searched whole for secrets."] : []),
  ];
}

export function remarks(
  green: readonly Judged[],
  before: TreeRecord,
  dependencies: readonly NewDependency[],
  seal: SealReport,
): string[] {
  const isNew = Object.keys(before).length === 0;
  return [
    ...some(uncountable(green), "How many tests ran is not known, since no report was recognised, of"),
    ...(isNew ? ["The number of tests before is not known: somebody else committed in between."] : []),
    ...some(
      dependencies.map(({ path, name }) => `${name} (${path})`),
      "New dependencies",
    ),
    ...some(seal.steering, "Added files that could decide over the old tests, which were run without them"),
    ...some(seal.released, "Sealed files that the contract lets change"),
  ];
}

const endsWell =
  /\bprocess\.(?:exit|reallyExit)\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bos\._exit\(\s*0|\bsys\.exit\(\s*0?\s*\)|\bos\.Exit\(0\)|\bSystem\.exit\(0\)|\bprocess::exit\(0\)/;

const uncountable = (green: readonly Judged[]): string[] =>
  green.filter(({ how, counts }) => how === "green" && counts == null).map(({ spec }) => spec.name);

const some = (items: readonly string[], title: string): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.slice(0, 20).join(", ")}.`];
