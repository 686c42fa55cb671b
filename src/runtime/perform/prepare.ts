// Checks everything before any money is spent: that the workspace is ready, and that the checks have their expected
// results. On retry: everything is checked again, and the checkpoint is kept unless the checks had unexpected results.
import type { CheckSpec, Contract } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Mark, Run } from "../../core/run.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import type { BaselineCheck } from "../../proof/prover.ts";
import { beginAgain } from "../../report/words/need-words.ts";
import type { Ports, Result } from "../ports.ts";
import { obstacle } from "../preflight.ts";
import { markOf, ofRun } from "./checkpoint.ts";
import { keepFolder } from "./folder.ts";

/** How often the checks had unexpected results. */
const looksFile = "looks";

export async function prepare(run: Run, ports: Ports, cut: AbortSignal): Promise<Result> {
  const { workspace, files } = ports;
  const { contract } = run;
  const looks = Number(files.read(looksFile) ?? 0);
  const name = ofRun(ports.run, looks === 0 ? "origin" : `origin-${looks}`);
  const known = await workspace.findCheckpoint(name);
  if (known === null) {
    const stop = obstacle(await workspace.inspect(), contract.recordsDir);
    if (stop !== null) return { type: "refused", code: stop.code, why: stop.why, next: stop.next };
  }
  const mark = await withPerson(markOf(known ?? (await workspace.checkpoint(name))), workspace);
  const seen = await ports.prover.baseline({ contract, tree: mark.tree }, cut);
  await keepFolder(
    { contract, head: { tree: mark.tree, commit: mark.head } },
    mark.tree,
    "a check changed it before any work",
    ports,
  );
  if (seen.cut) return { type: "cut", usage: null };
  const unfit = redBaseline(contract, seen.checks) ?? alreadyGreen(contract, seen.checks);
  // A person has to change something now, so the next look takes a new checkpoint.
  if (unfit !== null) files.write(looksFile, `${looks + 1}`);
  if (unfit !== null) return unfit;
  for (const note of seen.notes) ports.note("baseline", note);
  return {
    type: "prepared",
    mark,
    baseline: seen.checks.map(({ name: check, how }) => ({ name: check, green: how === "green", how })),
    seal: sealHash(mark.tree, contract),
  };
}

/** Tests that earlier runs committed are not a person's, unless a person has committed on top of them. */
async function withPerson(mark: Mark, workspace: Ports["workspace"]): Promise<Mark> {
  const person = mark.head === null ? null : await workspace.newestWithout(mark.head, "Loop-Run");
  return person === null || person === (mark.headTree ?? mark.tree) ? mark : { ...mark, person };
}

function redBaseline({ checks, request }: Contract, seen: readonly BaselineCheck[]): Result | null {
  const red = seen.flatMap((check) => {
    const spec = checks.find(({ name }) => name === check.name);
    return spec?.must === "stay-green" && check.how !== "green" ? [{ spec, check }] : [];
  });
  if (red.length === 0) return null;
  return {
    type: "refused",
    code: "red-baseline",
    why: red.map(({ spec, check }) => redIn(spec, check)).join("\n"),
    next: [
      "If it is green in your folder, this finds what the clean checkout lacks, and spends nothing: loop check",
      "If it is red in your folder as well, make it green, then: loop continue",
      `If the run has to turn it green, say must: turn-green for it in loop.yaml, then: ${beginAgain(request)}`,
    ].join("\n"),
  };
}

/** It may still be green in the folder: a clean checkout has only tracked files and installed dependencies. */
const redIn = ({ name, run }: CheckSpec, { how, tail, output }: BaselineCheck): string =>
  `${name} (${run}) is ${how} before any work, in a clean checkout of this folder:\n${tail}\nThe whole output: ${output}`;

function alreadyGreen({ checks, request }: Contract, seen: readonly BaselineCheck[]): Result | null {
  const green = seen
    .filter(({ name, how }) => how === "green" && checks.some((c) => c.name === name && c.must === "turn-green"))
    .map(({ name }) => name);
  if (green.length === 0) return null;
  return {
    type: "refused",
    code: "already-green",
    why:
      green.length === 1
        ? `${green[0]} must turn green, and is green already: it could not show that anything was done.`
        : `${green.join(", ")} must turn green, and are green already: they could not show that anything was done.`,
    next: `Say must: stay-green in loop.yaml, or give a check that fails today, then: ${beginAgain(request)}`,
  };
}

/** The protected content is the original tree filtered by the contract's rules, so hashing those is enough. */
export const sealHash = (origin: TreeId, { checks, scope }: Pick<Contract, "checks" | "scope">): string =>
  sha256(JSON.stringify([origin, checks, scope.mayChange]));
