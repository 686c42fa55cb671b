// What the runtime keeps of a proof: the prover's answer by its hash, and, together with the verdict, the proof that a
// commit names.
import { Bug } from "../core/errors.ts";
import type { TreeId } from "../core/ids.ts";
import type { Candidate, Work } from "../core/run.ts";
import { anyEvidenceFile, provedFile, verdictFile } from "../formats/kept/proof-files.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { Proved } from "../proof/prover.ts";
import type { RunFiles } from "./ports.ts";

/** The prover's complete answer, and what it is about. */
export type ProvedRecord = Pick<Proved, "checks" | "missing" | "notes" | "failures" | "contradiction" | "grade"> & {
  readonly version: 1;
  readonly candidate: TreeId;
  readonly base: { readonly tree: TreeId; readonly head: string | null };
};

const place = (proof: string): string => `proved/${proof}.json`;

export function keepProved(files: RunFiles, { base }: Work, candidate: TreeId, proved: Proved): void {
  const { checks, missing, notes, failures, contradiction, grade } = proved;
  const record: ProvedRecord = {
    version: 1,
    candidate,
    base: { tree: base.tree, head: base.head },
    grade,
    checks,
    missing,
    notes,
    failures,
    contradiction,
  };
  files.write(place(proved.proof), `${JSON.stringify(record, null, 2)}\n`);
}

export function readProved(files: RunFiles, proof: string): ProvedRecord {
  const text = files.read(place(proof));
  if (text === null) throw new Bug(`the proof ${proof} is missing`);
  return provedFile.mustParse<ProvedRecord>(text, files.path(place(proof)));
}

/** The results of the runs for an evaluator, one per line. */
export function provedText(files: RunFiles, proof: string): string {
  const { checks, missing, notes } = readProved(files, proof);
  return [...checks.map(({ run, check, how }) => `${run} ${check}: ${how}`), ...missing, ...notes].join("\n");
}

export type SealOrder = {
  readonly run: string;
  readonly work: Work;
  readonly candidate: Candidate;
  /** Paths that the commit changes. */
  readonly touched: readonly string[];
};

/**
 * Evidence, runs and verdict together are the proof. The same parts always give the same file, so a crash costs
 * nothing. If a person decided, their name takes the place of the verdict.
 */
export function sealProof(files: RunFiles, { run, work, candidate, touched }: SealOrder): string {
  const record = readProved(files, candidate.proof);
  const { decided } = work;
  const verdict = decided === undefined ? verdictOn(files, work, candidate) : null;
  if (record.candidate !== candidate.tree)
    throw new Bug(`the proof of ${work.feature} is of another tree than the one to commit`);
  const { feature, iteration, attempt } = work;
  const text = `${JSON.stringify(
    {
      ...evidenceOf(files, candidate.proof),
      run,
      feature,
      iteration,
      attempt,
      head: record.base.head,
      candidate: candidate.tree,
      touched,
      grade: candidate.grade,
      shown: record.checks,
      notes: record.notes,
      ...(decided === undefined ? {} : { decided }),
      ...(candidate.contradiction === undefined ? {} : { contradiction: candidate.contradiction }),
      verdict: verdict ?? { tree: candidate.tree, evidence: candidate.proof, reply: {} },
    },
    null,
    2,
  )}\n`;
  files.write(`proofs/${feature}-i${iteration}.json`, text);
  return sha256(text);
}

function verdictOn(files: RunFiles, { feature, iteration }: Work, { tree }: Candidate): { readonly tree: string } {
  const path = `verdicts/${feature}-i${iteration}.json`;
  const text = files.read(path);
  if (text === null) throw new Bug(`${feature} has no verdict to commit on`);
  const verdict = verdictFile.mustParse<{ readonly tree: string }>(text, files.path(path));
  if (verdict.tree !== tree) throw new Bug(`the verdict on ${feature} is of another tree than the one to commit`);
  return verdict;
}

/** What the prover itself stored under the hash, in its own format. */
function evidenceOf(files: RunFiles, proof: string): object {
  const path = `evidence/${proof}.json`;
  const text = files.read(path);
  return text === null ? {} : anyEvidenceFile.mustParse<Readonly<Record<string, unknown>>>(text, files.path(path));
}
