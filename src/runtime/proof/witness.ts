// Red first: what came with a feature has to fail on the code as it was before. A test that cannot fail proves nothing.
import type { CheckSpec } from "../../core/contract.ts";
import { numbers, progress, type TreeRecord } from "./counting.ts";
import type { CheckEvidence } from "./proof-file.ts";
import type { Proving } from "./proving.ts";
import { evidenceOf, type Judged, runChecks } from "./run-checks.ts";
import type { SealReport } from "./seal.ts";

export type Witness = {
  readonly seen: boolean;
  readonly why: string;
  readonly tests: readonly string[];
  readonly runs: readonly CheckEvidence[];
  readonly saw?: string;
};

export const noWitness = (why: string): Witness => ({ seen: false, why, tests: [], runs: [] });

export async function redFirst(
  task: Proving,
  seen: { green: readonly Judged[]; sealed: readonly Judged[]; seal: SealReport; before: TreeRecord },
): Promise<Witness> {
  // What was red when it was last seen, and is green now, needs no run to show it.
  const turned = turnedGreen(seen.sealed.length > 0 ? seen.sealed : seen.green, seen.before);
  if (turned !== null) return { ...noWitness(turned), seen: true };
  const tests = newTests(task, seen.seal);
  const unknown = task.specs.filter(
    ({ name, must }) => must === "turn-green" && task.isOwn(name) && !(name in seen.before),
  );
  if (tests.length === 0 && unknown.length === 0)
    return noWitness("the feature came with no test and no check of its own");
  return overOldCode(task, tests, tests.length === 0 ? unknown : ordered(task, seen.green));
}

/** A check that has to turn green did, or has more tests that pass than before and none that fails anew. */
function turnedGreen(judged: readonly Judged[], before: TreeRecord): string | null {
  for (const { spec, how, counts } of judged) {
    const was = before[spec.name];
    if (spec.must !== "turn-green" || was === undefined || was.green) continue;
    if (how === "green") return `${spec.name} was red on the code as it was before`;
    if (was.counts !== null && counts != null && progress(was.counts, counts) === "nearer")
      return `${spec.name} passes ${counts.passed} tests, and passed ${was.counts.passed} on the code as it was before (${numbers(counts)})`;
  }
  return null;
}

/** New tests and changed ones, with the configuration that came with them; not those that only moved. */
function newTests({ changes, rule }: Proving, { renamed, added }: SealReport): string[] {
  const moved = new Set(renamed.map(({ to }) => to));
  const brought = new Set(added);
  return changes
    .filter(({ path, kind }) => kind !== "deleted" && !moved.has(path) && (rule.isTest(path) || brought.has(path)))
    .map(({ path }) => path);
}

/** Checks that run tests come first: one red check is enough, and a linter rarely is the one. */
function ordered({ specs, isOwn }: Proving, green: readonly Judged[]): CheckSpec[] {
  const counted = new Set(green.filter(({ counts }) => counts != null).map(({ spec }) => spec.name));
  const rank = ({ name, run, must }: CheckSpec): number =>
    must === "turn-green" && !isOwn(name)
      ? 3
      : counted.has(name)
        ? 0
        : /test|spec|check/i.test(`${name} ${run}`)
          ? 1
          : 2;
  return specs.filter((spec) => rank(spec) < 3).sort((a, b) => rank(a) - rank(b));
}

async function overOldCode(task: Proving, tests: readonly string[], specs: readonly CheckSpec[]): Promise<Witness> {
  const { ports, work, run, label, cut, candidate } = task;
  const lay = await Promise.all(
    tests.map(async (path) => ({ path, content: await ports.workspace.read(candidate, path) })),
  );
  const where = { on: "before", tree: work.base.tree, lay, label, untilRed: true } as const;
  const before = await runChecks(specs, where, run.contract, ports, cut);
  const runs = before.map((judged) => evidenceOf(judged, "before", label));
  const red = before.find(({ result }) => result.how === "failed");
  if (red !== undefined) {
    const why = `${red.spec.name} was red on the code as it was before`;
    return { seen: true, why, tests, runs, saw: red.result.tail.slice(-2000) };
  }
  const stuck = before.find(({ how }) => how === "red");
  const why =
    stuck === undefined
      ? "the new tests pass without the change, too"
      : `the new tests could not be run over the code as it was before: ${stuck.spec.name} ended ${stuck.result.how}`;
  return { seen: false, why, tests, runs };
}
