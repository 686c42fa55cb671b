// The last look: every check of the contract on what the run leaves behind. Asked again: it looks again.
import type { TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { Fact, Ports } from "../ports.ts";
import { countCauses, readRecord } from "../proof/counting.ts";
import { type Judged, runChecks } from "../proof/run-checks.ts";
import { compareWithSeal, openSeal } from "../proof/seal.ts";
import { sealOrigin } from "../proof/seal-origin.ts";

export async function close(run: Run, ports: Ports, cut: AbortSignal): Promise<Fact> {
  const { contract } = run;
  const tree = await ports.workspace.tree();
  const judged = await runChecks(contract.checks, { on: "candidate", tree, label: "closing" }, contract, ports, cut);
  const fooled = judged.every(({ how }) => how === "green") ? await greenByTheSeal(run, tree, judged, ports, cut) : [];
  if (cut.aborted) return { type: "cut", usage: null };
  const red = judged.filter(({ how }) => how !== "green").map(({ spec }) => spec.name);
  return { type: "closed", red: [...red, ...fooled] };
}

/**
 * A check that only had to turn green in the end was nobody's to prove before now. Where sealed files were rewritten on
 * the way, it has to be green with them as they were; and no check may have fewer tests than the run began with.
 */
async function greenByTheSeal(
  run: Run,
  tree: TreeId,
  judged: readonly Judged[],
  ports: Ports,
  cut: AbortSignal,
): Promise<string[]> {
  const { contract, origin: found } = run;
  if (found === null) return [];
  const rule = await openSeal(ports.workspace, contract, found.tree);
  const origin = sealOrigin(run, ports.files);
  const seal = await compareWithSeal(ports.workspace, rule, { origin, base: origin, candidate: tree });
  const options = { before: readRecord(ports.files, origin), released: seal.released.length > 0 };
  const fewer = countCauses(judged, options);
  for (const { text } of fewer) ports.note("seal", text);
  if (fewer.length > 0)
    return contract.checks
      .filter(({ name }) => fewer.some(({ key }) => key.startsWith(`counts:${name}:`)))
      .map(({ name }) => name);
  if (seal.rewritten.length === 0 && seal.deleted.length === 0) return [];
  const where = { on: "sealed", tree, lay: seal.lay, label: "closing" } as const;
  const sealed = await runChecks(contract.checks, where, contract, ports, cut);
  const red = sealed.filter(({ how }) => how !== "green" && how !== "cut").map(({ spec }) => spec.name);
  if (red.length > 0)
    ports.note(
      "seal",
      `${red.join(", ")} is green only because sealed files were changed: ${[...seal.rewritten, ...seal.deleted].join(", ")}`,
    );
  return red;
}
