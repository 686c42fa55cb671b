// The prover over a workspace, its rooms and the files of a run.
import type { CheckSpec } from "../core/contract.ts";
import { classesOf, packagesAt, settingOf, type Tools } from "./case.ts";
import { ChecksInRooms } from "./checks-in-rooms.ts";
import { proveCandidate } from "./prove.ts";
import type { Baseline, BaselineCheck, BaselineOrder, Checkout, Closed, Prover } from "./prover.ts";
import { isGreen, passed, type Seen } from "./seen.ts";

export function makeProver(tools: Tools): Prover {
  return {
    baseline: (order, cut) => baseline(order, tools, cut),
    prove: (order, cut) => proveCandidate(order, tools, cut),
    close: (order, cut) => close(order, tools, cut),
    checkout: (order, cut) => checkout(order, tools, cut),
  };
}

async function baseline({ contract, tree }: BaselineOrder, tools: Tools, cut: AbortSignal): Promise<Baseline> {
  const kept = await tools.rooms.keep(tree, contract.proof, cut);
  const { checks, notes } = await runAll({ contract, tree }, "baseline", tools, cut);
  // Every proof of this base asks for it.
  classesOf(tools, contract, await tools.trees.load(tree));
  return { cut: cut.aborted, checks, notes: [...kept.notes, ...notes] };
}

async function close(order: BaselineOrder, tools: Tools, cut: AbortSignal): Promise<Closed> {
  const { checks, notes } = await runAll(order, "closing", tools, cut);
  return { cut: cut.aborted, red: checks.filter(({ how }) => how !== "green").map(({ name }) => name), notes };
}

/** In a plain folder: an agent's own program runs outside of rooms. The verifier will notice a failed build. */
async function checkout({ contract, tree }: BaselineOrder, tools: Tools, cut: AbortSignal): Promise<Checkout> {
  const loaded = await tools.trees.load(tree);
  const { dependencies } = packagesAt(loaded);
  const room = await tools.rooms.open({ name: "verify", tree, dependencies, terms: contract.proof, plain: true }, cut);
  return { dir: room.cwd, close: () => room.close() };
}

async function runAll({ contract, tree }: BaselineOrder, label: string, tools: Tools, cut: AbortSignal) {
  const loaded = await tools.trees.load(tree);
  const rooms = new ChecksInRooms(settingOf(tools, contract, loaded), cut);
  const checks: BaselineCheck[] = [];
  const notes: string[] = [];
  for (const check of contract.checks) {
    const order = { label, tree, fresh: true, ...packagesAt(loaded) };
    const first = await rooms.run(check, order);
    const how = isGreen(first) ? "green" : isGreen(await rooms.run(check, { ...order, again: 1 })) ? "flaky" : "red";
    checks.push(shown(first, how));
    notes.push(...remarks(check, first));
    if (cut.aborted) break;
  }
  return { checks, notes };
}

const shown = (seen: Seen, how: BaselineCheck["how"]): BaselineCheck => ({
  name: seen.check,
  how,
  tests: seen.tests === null ? null : passed(seen).length,
  tail: how === "green" ? "" : seen.tail,
  output: seen.output,
  ms: seen.ms,
});

/** Says what a check cannot show before anything is spent. */
function remarks({ name, run }: CheckSpec, seen: Seen): string[] {
  if (!isGreen(seen)) return [];
  if (seen.tests === null)
    return [seen.problem ?? `${name} (${run}) gives no test names: only its exit code is compared.`];
  return passed(seen).length === 0 ? [`${name} (${run}) is green and runs no test: it proves nothing.`] : [];
}
