// What is kept of proofs: the prover's answer, the verdict, and the two together.
import { z } from "zod";
import { type KeptFile, keptFile } from "./kept-file.ts";
import { cause, check, contradiction, decided, grade, hash, list, object, runShown, texts } from "./parts.ts";

/** The prover's answer about a candidate. */
export const provedFile = keptFile(
  "proved/*.json",
  1,
  object({
    version: z.literal(1),
    candidate: hash,
    base: object({ tree: hash, head: z.string().nullable() }),
    grade,
    checks: list(runShown),
    missing: texts,
    notes: texts,
    failures: list(cause),
    contradiction: contradiction.nullable(),
  }),
);

export type ProofShape = typeof proofFile extends KeptFile<infer Shape> ? Shape : never;

/** The verdict of an evaluator, with the tree that it is about. */
export const verdictFile = keptFile("verdicts/*.json", null, object({ tree: hash }));

const runRecord = object({ run: z.string(), check: z.string(), how: z.string(), text: z.string() });

/** What was run, on which trees, and the results. */
export const evidenceFile = keptFile(
  "evidence/*.json",
  2,
  object({
    version: z.literal(2),
    feature: z.string(),
    label: z.string(),
    base: hash,
    candidate: hash,
    grade,
    order: object({ contract: object({ checks: list(check) }), feature: object({ id: z.string() }) }),
    runs: list(runRecord),
  }),
);

/** The same for code that only copies it into the proof: each prover has its own format. */
export const anyEvidenceFile = keptFile("evidence/*.json", null, object({}));

const judged = object({
  criterion: z.number(),
  met: z.boolean(),
  verification: z.string(),
  evidence: texts.optional(),
});
const oldCheck = object({
  name: z.string(),
  command: z.string(),
  on: z.enum(["candidate", "sealed", "before"]),
  how: z.string(),
});
const verdict = object({ reply: object({ summary: z.string().optional(), criteria: list(judged).optional() }) });
const common = {
  weakness: texts.optional(),
  remarks: texts.optional(),
  touched: texts.optional(),
  notes: texts.optional(),
  decided: decided.optional(),
  contradiction: contradiction.nullable().optional(),
  verdict,
};

/** The proof that a commit names. The first release recorded checks and a witness instead of runs. */
export const proofFile = keptFile(
  "proofs/*.json",
  2,
  z.union([
    object({ ...common, shown: list(runShown) }),
    object({ ...common, checks: list(oldCheck), witness: object({ seen: z.boolean(), why: z.string() }) }),
  ]),
);

/** The result of one check on one tree, so that it need not run again. */
export const seenFile = keptFile(
  "seen/*.json",
  null,
  object({
    check: z.string(),
    how: z.string(),
    exitCode: z.number().nullable(),
    ms: z.number(),
    tail: z.string(),
    signature: z.string(),
    output: z.string(),
    tests: list(z.tuple([z.string(), z.unknown()]).readonly()).nullable(),
    problem: z.string().nullable(),
    leftBehind: z.number(),
    left: texts,
  }),
);

/** Tests that were written from the contract alone. */
export const hiddenFile = keptFile("hidden/*.json", null, list(object({ path: z.string(), content: z.string() })));
