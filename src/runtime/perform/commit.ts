// One commit per feature. On retry: a commit with the same trailers is adopted, never made twice.
import type { Effect } from "../../core/effect.ts";
import type { Run, Work } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import { commitSubject } from "../../formats/queue/commit-subject.ts";
import { commitBody } from "../commit-body.ts";
import { installAgain } from "../install-again.ts";
import type { Ports, Result } from "../ports.ts";
import { readProved, sealProof } from "../proof-record.ts";
import { notWork } from "../records/paths.ts";
import { clearAfterMove } from "./clear.ts";

export async function commit(
  { work, candidate }: Extract<Effect, { do: "commit" }>,
  run: Run,
  ports: Ports,
): Promise<Result> {
  const feature = featureOf(run.contract, work.feature);
  const ours = notWork(run.contract.recordsDir);
  const changes = await ports.workspace.changes(work.base.tree, candidate.tree);
  const touched = changes.map(({ path }) => path).filter((path) => !ours.has(path));
  const proof = sealProof(ports.files, { run: ports.run, work, candidate, touched });
  const made = await ports.workspace.commit({
    tree: candidate.tree,
    parent: work.base.head,
    subject: commitSubject(feature),
    body: commitBody(feature, work, candidate, readProved(ports.files, candidate.proof)),
    trailers: trailers(ports, work, proof),
  });
  if (made.is === "moved") {
    const why = `The branch moved to ${made.head ?? "nothing"} while ${work.feature} was being proved.`;
    if (ports.workspace.kind === "git") await clearAfterMove(work.mark, why, run, ports);
    return { type: "head-moved", why };
  }
  const install = installAgain(touched, run.contract.proof.setup);
  if (install !== null) ports.note("dependencies", install);
  return { type: "committed", commit: made.commit };
}

function trailers(ports: Ports, work: Work, proof: string): Record<string, string> {
  return {
    "Loop-Run": ports.run,
    "Loop-Feature": work.feature,
    "Loop-Iteration": String(work.iteration),
    "Loop-Proof": proof,
    ...(work.decided === undefined ? {} : { "Loop-Accepted-By": work.decided.by }),
  };
}
