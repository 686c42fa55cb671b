// The prover over a workspace, its rooms and the files of a run.

import { posix } from "node:path";
import type { CheckSpec } from "../core/contract.ts";
import { classesOf, packagesAt, settingOf, type Tools } from "./case.ts";
import { ChecksInRooms } from "./checks-in-rooms.ts";
import { listed } from "./findings/said.ts";
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
  const { checks, notes, all } = await runAll({ contract, tree }, "baseline", tools, cut);
  // Every proof of this base asks for it.
  const loaded = await tools.trees.load(tree);
  const classes = classesOf(tools, contract, loaded);
  const tests = loaded.paths.filter((path) => classes.of(path).isTest);
  return { cut: cut.aborted, checks, notes: [...kept.notes, ...notes, ...unrun(tests, all)] };
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
  const all: Seen[] = [];
  for (const check of contract.checks) {
    const order = { label, tree, fresh: true, ...packagesAt(loaded) };
    const first = await rooms.run(check, order);
    all.push(first);
    const how = isGreen(first) ? "green" : isGreen(await rooms.run(check, { ...order, again: 1 })) ? "flaky" : "red";
    checks.push(shown(first, how));
    notes.push(...remarks(check, first));
    if (cut.aborted) break;
  }
  return { checks, notes, all };
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

const testFile = /(?:^test_[^/]*|[._-](?:test|tests|spec)|^[A-Z]\w*Tests?)\.\w+$/;

/** Test files that no check runs. Known only where every check is green and names the file of each test. */
function unrun(files: readonly string[], all: readonly Seen[]): string[] {
  const ran = all.flatMap((seen) => (isGreen(seen) ? [...(seen.tests?.values() ?? [])] : []).map(({ file }) => file));
  const isKnown = all.every((seen) => isGreen(seen) && (seen.tests?.size ?? 0) > 0) && !ran.includes(null);
  if (all.length === 0 || !isKnown) return [];
  const left = files.filter((path) => testFile.test(posix.basename(path)) && !ran.includes(path));
  return left.length === 0
    ? []
    : [`No check runs these test files, so a change that breaks only them goes unnoticed: ${listed(left)}.`];
}
