// The sealed run: the checks over the change with every sealed file as it was. What is green only without it is not green.
import type { Contract } from "../../core/contract.ts";
import type { Cause } from "../../core/run.ts";
import { mustBeGreen, type Proving } from "./proving.ts";
import { type Judged, runChecks } from "./run-checks.ts";
import type { SealReport } from "./seal.ts";

/**
 * First the old tests alone, since what came with the change may need what was laid back. Where that is red, once more with
 * the new tests: a runner that finds none, say, is red for no reason of the change's.
 */
export async function sealedRun(task: Sealing, seal: SealReport): Promise<SealedRun> {
  const over = (lay: SealReport["lay"]): Promise<Judged[]> => {
    const mayBeRed = new Set(task.specs.filter((spec) => !mustBeGreen(task, spec)).map(({ name }) => name));
    const where = { on: "sealed", tree: task.candidate, lay, label: task.label, mayBeRed } as const;
    return runChecks(task.specs, where, task.run.contract, task.ports, task.cut);
  };
  if (seal.lay.length === 0) return noSealedRun;
  const alone = await over(seal.lay);
  const isRed = alone.some(({ how, spec }) => how === "red" && mustBeGreen(task, spec));
  if (!isRed || seal.lay.length === seal.layWithTests.length) return { judged: alone, laid: seal.lay };
  const together = await over(seal.layWithTests);
  const isGreen = together.every(({ how, spec }) => how === "green" || !mustBeGreen(task, spec));
  return isGreen ? { judged: together, laid: seal.layWithTests } : { judged: alone, laid: seal.lay };
}

/** What of a proof the sealed run looks at: work that is no feature has seals, too. */
export type Sealing = Pick<Proving, "specs" | "candidate" | "label" | "ports" | "cut" | "isOwn"> & {
  readonly run: { readonly contract: Pick<Contract, "checks"> };
};
export type SealedRun = { readonly judged: readonly Judged[]; readonly laid: SealReport["lay"] };
export const noSealedRun: SealedRun = { judged: [], laid: [] };

/** Deleting a sealed file is never part of a feature; changing one is, when the sealed version passes as well. */
export function tamperingCauses(
  task: Pick<Proving, "isOwn">,
  green: readonly Judged[],
  sealed: readonly Judged[],
  seal: SealReport,
  diffFile: string,
): Cause[] {
  const causes: Cause[] = [];
  const wayOut = (paths: readonly string[]): string =>
    `\nThe diff: ${diffFile}\nIf the request needs it, a person can allow it: scope: { may_change: [${paths
      .slice(0, 5)
      .map((path) => JSON.stringify(path.replace(/ \(.*$/, "")))
      .join(", ")}] } in loop.yaml, for the next run.`;
  const isGreen = green.every(({ how, spec }) => how === "green" || !mustBeGreen(task, spec));
  if (seal.deleted.length > 0 && isGreen) {
    const text = `Sealed files were deleted: ${listed(seal.deleted)}${wayOut(seal.deleted)}`;
    causes.push({ kind: "tampering", key: `deleted:${seal.deleted.join(",").slice(0, 200)}`, text });
  }
  const wasGreen = new Set(green.filter(({ how }) => how === "green").map(({ spec }) => spec.name));
  const red = sealed.filter(({ how, spec }) => how === "red" && wasGreen.has(spec.name));
  if (red.length > 0) {
    const names = red.map(({ spec }) => spec.name).join(", ");
    const files = [...seal.changed, ...seal.steering];
    const what =
      seal.changed.length > 0
        ? `a sealed file was changed: ${listed(seal.changed)}`
        : seal.steering.length > 0
          ? `a file that decides over the tests was added: ${listed(seal.steering)}`
          : "of what an earlier feature did to a sealed file";
    const text = `${names} is green only because ${what}${wayOut(files)}\nWith the seal laid back:\n${red[0]?.result.tail.slice(-2000) ?? ""}`;
    causes.push({ kind: "tampering", key: `tampered:${files.join(",").slice(0, 200)}`, text });
  }
  const unsteady = sealed.filter(({ how }) => how === "flaky").map(({ spec }) => spec.name);
  for (const name of unsteady)
    causes.push({
      kind: "flaky",
      key: `flaky:${name}`,
      text: `${name} was red and then green with the seal laid back: it is flaky.`,
    });
  return causes;
}

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, 20).join(", ")}${paths.length > 20 ? ", …" : ""}`;
