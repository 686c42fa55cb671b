// loop check for programs.
import type { z } from "zod";
import { entryOf, looksSecret } from "../../proof/diagnose/addition.ts";
import type { Diagnosis } from "../../proof/diagnose/diagnose.ts";
import { type CheckAnswer, firstLines } from "../render/check.ts";
import type { answers } from "./answer-shapes.ts";

export function checkFacts({ project, keys, wrote, next }: CheckAnswer): z.input<typeof answers.check.shape> {
  const { rooms, kept, build, checks, estimate, notes, isFit, from, product, protected: judged } = project;
  return {
    fit: isFit,
    checkout: { kind: rooms.kind, why: rooms.why },
    kept: { paths: kept.paths, bytes: kept.bytes, ms: kept.ms },
    build: { run: build.run, from: build.from },
    files: { product, protected: judged },
    obstacle: project.obstacle,
    checksFrom: from,
    checks: checks.map(({ spec, looks, isFit: fit, tests, ms, tail, log, diagnosis, offline }) => ({
      name: spec.name,
      run: spec.run,
      must: spec.must,
      looks,
      fit,
      tests,
      ms,
      log,
      network: spec.network ?? (offline === "green" ? "none" : "open"),
      withoutNetwork: offline,
      firstLines: fit ? [] : firstLines(tail),
      diagnosis: diagnosis === null ? null : diagnosisJson(diagnosis),
    })),
    proofMs: estimate,
    add: keys,
    wrote,
    notes,
    next,
  };
}

const diagnosisJson = (diagnosis: Diagnosis) => ({
  is: diagnosis.is,
  ...(diagnosis.is === "found"
    ? {
        additions: diagnosis.additions.map((one) => ({ is: one.is, entry: entryOf(one), secret: looksSecret(one) })),
        smallest: diagnosis.smallest,
      }
    : {}),
  trials: diagnosis.runs,
  ms: diagnosis.ms,
});
