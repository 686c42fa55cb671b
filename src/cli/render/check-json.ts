// loop check for programs.
import { entryOf, looksSecret } from "../../proof/diagnose/addition.ts";
import type { Diagnosis } from "../../proof/diagnose/diagnose.ts";
import { type CheckAnswer, firstLines } from "./check.ts";

export function checkJson({ project, keys, wrote, next, exitCode }: CheckAnswer): string {
  const { rooms, kept, build, checks, estimate, notes, isFit, from, product, protected: judged } = project;
  const json = {
    version: 1,
    exit_code: exitCode,
    fit: isFit,
    checkout: { kind: rooms.kind, why: rooms.why },
    kept: { paths: kept.paths, bytes: kept.bytes, ms: kept.ms },
    build: { run: build.run, from: build.from },
    files: { product, protected: judged },
    obstacle: project.obstacle,
    checks_from: from,
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
      without_network: offline,
      first_lines: fit ? [] : firstLines(tail),
      diagnosis: diagnosis === null ? null : diagnosisJson(diagnosis),
    })),
    proof_ms: estimate,
    add: keys,
    wrote,
    notes,
    next,
  };
  return `${JSON.stringify(json, null, 2)}\n`;
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
