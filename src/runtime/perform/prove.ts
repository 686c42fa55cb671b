// Gathers the loop's own evidence on a candidate. Asked again: it is gathered again; the candidate is a fixed tree.
import type { CheckSpec, Feature } from "../../core/contract.ts";
import type { Effect } from "../../core/effect.ts";
import { Bug } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Cause, Run, Work } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import type { Change } from "../../workspace/workspace.ts";
import type { Fact, Ports } from "../ports.ts";
import { type CheckEvidence, keepEvidence, sha256 } from "../proof/proof-file.ts";
import { evidenceOf, type Judged, runChecks } from "../proof/run-checks.ts";
import { scopeCauses } from "../proof/scope.ts";
import { compareWithSeal, type SealReport, type SealRule, sealRule } from "../proof/seal.ts";
import { recordPaths } from "../records/paths.ts";

type Proving = {
  readonly run: Run;
  readonly work: Work;
  readonly feature: Feature;
  readonly candidate: TreeId;
  readonly label: string;
  readonly rule: SealRule;
  readonly changes: readonly Change[];
  readonly ports: Ports;
  readonly cut: AbortSignal;
};

export async function prove(
  { work, candidate }: Extract<Effect, { do: "prove" }>,
  run: Run,
  ports: Ports,
  cut: AbortSignal,
): Promise<Fact> {
  const feature = featureOf(run.contract, work.feature);
  const rule = sealRule(run.contract);
  const ours = new Set(recordPaths(run.contract.recordsDir));
  const changes = (await ports.workspace.changes(work.base.tree, candidate)).filter(({ path }) => !ours.has(path));
  const label = `${work.feature}-i${work.iteration}`;
  const task: Proving = { run, work, feature, candidate, label, rule, changes, ports, cut };

  const specs = checksOf(run, feature);
  const green = await runChecks(specs, { on: "candidate", tree: candidate, label }, run.contract, ports, cut);
  const seal = await compareWithSeal(ports.workspace, rule, { origin: originOf(run), base: work.base.tree, candidate });
  const failures = [...scopeCauses(run.contract, feature, changes, rule), ...green.flatMap(causeOf)];
  // Only what is green as it stands is worth more runs: a red candidate goes back anyway.
  const sealed = failures.length === 0 && seal.lay.length > 0 ? await sealedRun(task, specs, seal) : [];
  failures.push(...tampering(green, sealed, seal));
  const witness = failures.length === 0 ? await redFirst(task, specs) : noWitness("the candidate was not green");
  if (cut.aborted) return { type: "cut", usage: null };

  const weakness = weaknesses(witness, seal, specs);
  const grade = weakness.length === 0 ? "strong" : "weak";
  const checks = [
    ...green.map((judged) => evidenceOf(judged, "candidate", label)),
    ...sealed.map((judged) => evidenceOf(judged, "sealed", label)),
    ...witness.runs,
  ];
  const proof = keepEvidence(ports.files, {
    version: 1,
    run: ports.run,
    feature: work.feature,
    iteration: work.iteration,
    attempt: work.attempt,
    base: { tree: work.base.tree, head: work.base.head },
    candidate,
    checks,
    seal: { hash: sealHash(run), changed: seal.changed, deleted: seal.deleted },
    witness: { seen: witness.seen, why: witness.why, tests: witness.tests },
    touched: changes.map(({ path }) => path),
    grade,
    weakness,
    failures,
  });
  return {
    type: "proved",
    candidate,
    proof,
    grade,
    checks: checks.map(({ name, on, how }) => ({ name, on, how })),
    failures,
  };
}

/** A feature answers for every check that must stay green, and for those it names itself. */
function checksOf({ contract }: Run, feature: Feature): CheckSpec[] {
  return contract.checks.filter(({ name, must }) => must === "stay-green" || feature.checks.includes(name));
}

function causeOf({ spec, result, how }: Judged): Cause[] {
  if (how === "green" || how === "cut") return [];
  if (how === "flaky") {
    return [
      {
        kind: "flaky",
        key: `flaky:${spec.name}`,
        text: `${spec.name} was red and then green on the same tree: it is flaky.`,
      },
    ];
  }
  const ended = result.how === "failed" ? `exit code ${result.exitCode}` : result.how;
  const text = `${spec.name} (${spec.run}) is red, ${ended}\n${result.tail.slice(-2500)}`;
  return [{ kind: "check-red", key: `check:${spec.name}:${result.how}:${result.signature}`, text }];
}

const sealedRun = (task: Proving, specs: readonly CheckSpec[], { lay }: SealReport): Promise<Judged[]> =>
  runChecks(
    specs,
    { on: "sealed", tree: task.candidate, lay, label: task.label },
    task.run.contract,
    task.ports,
    task.cut,
  );

/** Deleting a sealed file is never part of a feature; changing one is, when the sealed version passes as well. */
function tampering(green: readonly Judged[], sealed: readonly Judged[], seal: SealReport): Cause[] {
  const causes: Cause[] = [];
  if (seal.deleted.length > 0 && green.every(({ how }) => how === "green")) {
    const text = `Sealed files were deleted: ${seal.deleted.join(", ")}`;
    causes.push({ kind: "tampering", key: `deleted:${seal.deleted.join(",").slice(0, 200)}`, text });
  }
  const red = sealed.filter(({ how }) => how === "red");
  if (red.length > 0) {
    const names = red.map(({ spec }) => spec.name).join(", ");
    const text = `${names} is green only because a sealed file was changed: ${seal.changed.join(", ")}\nWith it laid back:\n${red[0]?.result.tail.slice(-2000) ?? ""}`;
    causes.push({ kind: "tampering", key: `tampered:${seal.changed.join(",").slice(0, 200)}`, text });
  }
  return causes;
}

type Witness = { seen: boolean; why: string; tests: readonly string[]; runs: readonly CheckEvidence[] };

const noWitness = (why: string): Witness => ({ seen: false, why, tests: [], runs: [] });

/** The feature's new and changed tests, laid over the code as it was before, have to fail: otherwise they prove nothing. */
async function redFirst(task: Proving, specs: readonly CheckSpec[]): Promise<Witness> {
  const { changes, rule, candidate, feature, ports, work, run, label, cut } = task;
  const tests = changes.filter(({ path, kind }) => kind !== "deleted" && rule.isTest(path)).map(({ path }) => path);
  const own = specs.filter((spec) => spec.must === "turn-green" && feature.checks.includes(spec.name));
  if (tests.length === 0 && own.length === 0) return noWitness("the feature came with no test and no check of its own");
  const lay = await Promise.all(
    tests.map(async (path) => ({ path, content: await ports.workspace.read(candidate, path) })),
  );
  const asked = tests.length === 0 ? own : specs;
  const before = await runChecks(asked, { on: "before", tree: work.base.tree, lay, label }, run.contract, ports, cut);
  const runs = before.map((judged) => evidenceOf(judged, "before", label));
  const red = before.filter(({ how, result }) => how === "red" && result.how === "failed").map(({ spec }) => spec.name);
  if (red.length === 0) return { seen: false, why: "the new tests pass without the change, too", tests, runs };
  return { seen: true, why: `${red.join(", ")} was red on the code as it was before`, tests, runs };
}

function weaknesses(witness: Witness, seal: SealReport, specs: readonly CheckSpec[]): string[] {
  return [
    ...(specs.length === 0 ? ["No check was run."] : []),
    ...(witness.seen ? [] : [`Nothing was red first: ${witness.why}.`]),
    ...(seal.rewritten.length > 0 ? [`Sealed files were rewritten: ${seal.rewritten.join(", ")}.`] : []),
  ];
}

function originOf({ origin }: Run): TreeId {
  if (origin === null) throw new Bug("a run proves nothing before it was prepared");
  return origin.tree;
}

/** The seal is the original tree, seen through the contract's rules: both are hashes already. */
export const sealHash = (run: Run): string =>
  sha256(JSON.stringify([originOf(run), run.contract.checks, run.contract.scope.mayChange]));
