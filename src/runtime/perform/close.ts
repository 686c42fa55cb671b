// The last look: every check of the contract on what the run leaves behind. Asked again: it looks again.
import type { TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { Fact, Ports } from "../ports.ts";
import { countCauses, readRecord } from "../proof/counting.ts";
import { type Judged, runChecks } from "../proof/run-checks.ts";
import { compareWithSeal, openSeal } from "../proof/seal.ts";

export async function close(run: Run, ports: Ports, cut: AbortSignal): Promise<Fact> {
  const { contract } = run;
  const tree = await ports.workspace.tree();
  const judged = await runChecks(contract.checks, { on: "candidate", tree, label: "closing" }, contract, ports, cut);
  const red = judged.filter(({ how }) => how !== "green").map(({ spec }) => spec.name);
  const fooled = red.length > 0 || cut.aborted ? [] : await onlyByTampering(run, tree, judged, ports, cut);
  if (cut.aborted) return { type: "cut", usage: null };
  return { type: "closed", red: [...red, ...fooled] };
}

/**
 * A check that only had to turn green in the end was nobody's to prove before now. Where sealed files were rewritten on
 * the way, it has to be green with them as they were; and no check may have fewer tests than the last proof counted.
 */
async function onlyByTampering(
  run: Run,
  tree: TreeId,
  judged: readonly Judged[],
  ports: Ports,
  cut: AbortSignal,
): Promise<string[]> {
  const { contract, origin, head } = run;
  if (origin === null || head === null) return [];
  const { checks, worn } = readRecord(ports.files, head.tree);
  const rule = await openSeal(ports.workspace, contract, origin.tree);
  const trees = { origin: origin.tree, base: head.tree, candidate: tree };
  const seal = await compareWithSeal(ports.workspace, rule, trees, worn);
  const fewer = countCauses(judged, { before: checks, released: seal.released.length > 0 });
  for (const { text } of fewer) ports.note("seal", text);
  if (fewer.length > 0)
    return contract.checks
      .map(({ name }) => name)
      .filter((name) => fewer.some(({ key }) => key.startsWith(`counts:${name}:`)));
  if (seal.lay.length === 0) return [];
  const sealed = await runChecks(
    contract.checks,
    { on: "sealed", tree, lay: seal.lay, label: "closing" },
    contract,
    ports,
    cut,
  );
  const red = sealed.filter(({ how }) => how !== "green" && how !== "cut").map(({ spec }) => spec.name);
  const files = seal.lay.filter(({ content }) => content !== null).map(({ path }) => path);
  if (red.length > 0)
    ports.note("seal", `${red.join(", ")} is green only because sealed files were changed: ${files.join(", ")}`);
  return red;
}
