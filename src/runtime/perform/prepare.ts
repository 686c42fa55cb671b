// Looks before the first cent is spent: the workspace is fit, and the checks are what they should be. Asked again: it
// looks again, and the checkpoint that was made stays.
import type { Run } from "../../core/run.ts";
import type { Fact, Ports } from "../ports.ts";
import { obstacle } from "../preflight.ts";
import { keepRecord } from "../proof/counting.ts";
import { keepInstalled, programWords } from "../proof/dependency-tampering.ts";
import { type Fingerprint, fingerprint } from "../proof/installed.ts";
import { runChecks } from "../proof/run-checks.ts";
import { markOf, ofRun } from "./checkpoint.ts";
import { sealHash } from "./prove.ts";

export async function prepare(run: Run, ports: Ports, cut: AbortSignal): Promise<Fact> {
  const { workspace } = ports;
  const name = ofRun(ports.run, "origin");
  const known = await workspace.findCheckpoint(name);
  if (known === null) {
    const stop = obstacle(await workspace.inspect(), run.contract.recordsDir);
    if (stop !== null) return { type: "refused", code: stop.code, why: stop.why, next: stop.next };
  }
  const mark = markOf(known ?? (await workspace.checkpoint(name)));
  const { contract } = run;
  const words = await programWords(workspace, contract.checks, mark.tree);
  let installed: Fingerprint = {};
  const look = (dir: string): void => {
    installed = fingerprint(dir, words);
  };
  const where = { on: "candidate", tree: mark.tree, label: "baseline", look } as const;
  const judged = await runChecks(contract.checks, where, contract, ports, cut);
  if (cut.aborted) return { type: "cut", usage: null };
  const red = judged.filter(({ spec, how }) => spec.must === "stay-green" && how !== "green");
  if (red.length > 0) {
    const why = red.map(
      ({ spec, result, how }) =>
        `${spec.name} (${spec.run}) is ${how === "flaky" ? "flaky" : "red"} before any work:\n${result.tail.slice(-1500)}`,
    );
    return {
      type: "refused",
      code: "red-baseline",
      why: why.join("\n"),
      next: "Make it green, then: loop continue. If it is what has to turn green, say must: turn-green for it in loop.yaml, then: loop cancel, and loop run",
    };
  }
  const green = judged
    .filter(({ spec, how }) => spec.must === "turn-green" && how === "green")
    .map(({ spec }) => spec.name);
  if (green.length > 0) {
    const why = `${green.join(", ")} must turn green, and is green already: it could not show that anything was done.`;
    return {
      type: "refused",
      code: "already-green",
      why,
      next: "Say must: stay-green for it in loop.yaml, or give a check that fails today; then: loop cancel, and loop run",
    };
  }
  // How many tests there are now, and what runs them, is what later trees are held against.
  keepRecord(ports.files, mark.tree, judged, { worn: null, installed: keepInstalled(ports.files, installed) });
  const seal = sealHash({ ...run, origin: mark });
  return {
    type: "prepared",
    mark,
    baseline: judged.map(({ spec, how }) => ({ name: spec.name, green: how === "green" })),
    seal,
  };
}
