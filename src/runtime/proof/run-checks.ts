// Runs checks in the scratch checkout, and a red one once more: what is red and green on one tree is neither.
import type { CheckResult } from "../../checks/check.ts";
import type { CheckSpec, Contract } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Counts } from "../../formats/test-report/index.ts";
import type { LaidFile } from "../../workspace/workspace.ts";
import type { Ports } from "../ports.ts";
import { countsOf } from "./counting.ts";
import type { CheckEvidence } from "./proof-file.ts";

export type CheckedTree = {
  readonly on: CheckEvidence["on"];
  readonly tree: TreeId;
  readonly lay?: readonly LaidFile[];
  /** Names the output files. */
  readonly label: string;
  /** One red check is all that is asked for: the others need not run. */
  readonly untilRed?: boolean;
  /** Checks that are expected to be red: they are not run again to see whether they mean it. */
  readonly mayBeRed?: ReadonlySet<string>;
  /** Sees the checkout with everything that was brought along, before the first check has written to it. */
  look?(dir: string): void;
};
export type Judged = {
  readonly spec: CheckSpec;
  readonly result: CheckResult;
  readonly how: "green" | "red" | "flaky" | "cut";
  /** How many tests ran, where that can be known. */
  readonly counts?: Counts | null;
};

export async function runChecks(
  specs: readonly CheckSpec[],
  where: CheckedTree,
  contract: Pick<Contract, "checks">,
  ports: Ports,
  cut: AbortSignal,
): Promise<Judged[]> {
  if (specs.length === 0) return [];
  const lay = where.lay === undefined ? {} : { lay: where.lay };
  const scratch = await ports.workspace.scratch("prove", where.tree, { bring: bringFolders(contract), ...lay });
  try {
    where.look?.(scratch.dir);
    const judged: Judged[] = [];
    for (const spec of specs) {
      const one = await judge(spec, scratch.dir, where, ports, cut);
      judged.push(one);
      if (where.untilRed === true && one.result.how === "failed") break;
    }
    return judged;
  } finally {
    await scratch.dispose();
  }
}

async function judge(
  spec: CheckSpec,
  cwd: string,
  where: CheckedTree,
  ports: Ports,
  cut: AbortSignal,
): Promise<Judged> {
  const outputFile = (suffix: string): string =>
    ports.files.path(`checks/${where.label}-${where.on}-${spec.name}${suffix}.log`);
  const run = (suffix: string, command: string) =>
    ports.checks.run(
      {
        name: spec.name,
        command,
        cwd,
        timeoutMs: spec.timeoutMs,
        outputFile: outputFile(suffix),
        // The mark by which strays of this run are found again, should everything that could end them have died.
        env: { LOOP_RUN: ports.run },
        ...(spec.browser === undefined || command !== spec.run ? {} : { browser: spec.browser }),
      },
      cut,
    );
  if (spec.setup !== null) {
    const setup = await run("-setup", spec.setup);
    if (setup.how !== "passed") return { spec, result: setup, how: setup.how === "interrupted" ? "cut" : "red" };
  }
  const since = Date.now();
  const first = await run("", spec.run);
  const counts = countsOf(spec, { cwd, output: outputFile(""), since });
  if (first.leftBehind > 0)
    ports.note("strays", `The check ${spec.name} left ${first.leftBehind} processes running; they were ended.`);
  if (first.how === "interrupted") return { spec, result: first, how: "cut" };
  if (first.how === "passed") return { spec, result: first, how: "green", counts };
  // Where red is what is hoped for, or the time ran out, a second look would only cost time.
  const expected = where.on === "before" || where.mayBeRed?.has(spec.name) === true;
  if (expected || first.how === "timed-out") return { spec, result: first, how: "red", counts };
  const second = await run("-again", spec.run);
  if (second.how === "interrupted") return { spec, result: second, how: "cut" };
  return { spec, result: first, how: second.how === "passed" ? "flaky" : "red", counts };
}

export const evidenceOf = (
  { spec, result, how, counts }: Judged,
  on: CheckEvidence["on"],
  label: string,
): CheckEvidence => ({
  name: spec.name,
  command: spec.run,
  on,
  how: how === "green" ? "green" : how === "flaky" ? "flaky: red, then green on the same tree" : result.how,
  exitCode: result.exitCode,
  output: `checks/${label}-${on}-${spec.name}.log`,
  counts: counts == null ? null : { ...counts, names: null },
});

/** Folders that no tree holds and that checks cannot do without. */
const dependencyFolders = ["node_modules", ".venv", "venv", "vendor/bundle", "target", ".tox", "deps", "_build"];

export function bringFolders({ checks }: Pick<Contract, "checks">): string[] {
  return [...new Set([...dependencyFolders, ...checks.flatMap((check) => check.bring)])];
}
