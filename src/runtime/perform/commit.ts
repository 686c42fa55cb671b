// One commit per feature. Asked again: a commit with these trailers is found and adopted, never made twice.
import type { Effect } from "../../core/effect.ts";
import type { Run, Work } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import type { Fact, Ports } from "../ports.ts";
import { sealProof } from "../proof/proof-file.ts";

export async function commit(
  { work, candidate }: Extract<Effect, { do: "commit" }>,
  run: Run,
  ports: Ports,
): Promise<Fact> {
  const feature = featureOf(run.contract, work.feature);
  const proof = sealProof(ports.files, work, candidate);
  const made = await ports.workspace.commit({
    tree: candidate.tree,
    parent: work.base.head,
    subject: `${kindOf(feature.id)}(${feature.id}): ${oneLine(feature.name)}`,
    body: "",
    trailers: trailers(ports, work, proof),
  });
  if (made.is === "moved") {
    return {
      type: "head-moved",
      why: `The branch moved to ${made.head ?? "nothing"} while ${work.feature} was being proved.`,
    };
  }
  return { type: "committed", commit: made.commit };
}

function trailers(ports: Ports, work: Work, proof: string): Record<string, string> {
  return {
    "Loop-Run": ports.run,
    "Loop-Feature": work.feature,
    "Loop-Iteration": String(work.iteration),
    "Loop-Proof": proof,
  };
}

/** The prefix of an id says what kind of work it names. */
function kindOf(id: string): string {
  if (/^R\d/.test(id)) return "refactor";
  return /^B\d/.test(id) ? "fix" : "feat";
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 72);
