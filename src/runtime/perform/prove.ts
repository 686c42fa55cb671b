// Gathers the loop's own evidence on a candidate. Asked again: it is gathered again; the candidate is a fixed tree.
import type { Effect } from "../../core/effect.ts";
import { Bug } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Cause, Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import type { Fact, Ports } from "../ports.ts";
import { type AddedLines, addedLines } from "../proof/added-lines.ts";
import { countCauses, keepRecord, progress, readRecord, type TreeRecord } from "../proof/counting.ts";
import { isManifest, type NewDependency, newDependencies } from "../proof/dependencies.ts";
import { installedCauses, keepInstalled, programWords, readInstalled } from "../proof/dependency-tampering.ts";
import { remarks, weaknesses } from "../proof/grade.ts";
import { hollowCauses } from "../proof/hollow.ts";
import { type Fingerprint, fingerprint } from "../proof/installed.ts";
import { mustNotCauses } from "../proof/must-not.ts";
import { keepEvidence, sha256 } from "../proof/proof-file.ts";
import { mustBeGreen, type Proving } from "../proof/proving.ts";
import { evidenceOf, type Judged, runChecks } from "../proof/run-checks.ts";
import { scopeCauses } from "../proof/scope.ts";
import { compareWithSeal, openSeal, type SealReport, type Worn } from "../proof/seal.ts";
import { findSecrets, secretCauses } from "../proof/secrets.ts";
import { sizeCauses } from "../proof/size.ts";
import { noSealedRun, sealedRun, tamperingCauses } from "../proof/tampering.ts";
import { noWitness, redFirst, type Witness } from "../proof/witness.ts";
import { notWork } from "../records/paths.ts";

const diffBytesMax = 400_000;

export async function prove(
  effect: Extract<Effect, { do: "prove" }>,
  run: Run,
  ports: Ports,
  cut: AbortSignal,
): Promise<Fact> {
  const task = await taskOf(effect, run, ports, cut);
  const { candidate, label, work } = task;
  const span = { from: work.base.tree, to: candidate };
  const { checks: before, worn, installed: installedName } = readRecord(ports.files, headTree(run));
  const installed = readInstalled(ports.files, installedName);
  const trees = { origin: originOf(run), base: work.base.tree, candidate };
  const seal = await compareWithSeal(ports.workspace, task.rule, trees, worn);
  const added = await addedLines(ports.workspace, span, task.changes);
  const dependencies = await newDependencies(ports.workspace, span, task.changes);

  const { green, installed: installedNow } = await onCandidate(task, installed);
  const failures = [
    ...installedCauses(task, installed, installedNow),
    ...(await ruleCauses(task, seal, added, dependencies)),
    ...green.flatMap((judged) => causeOf(task, judged, before)),
  ];
  const manifests = task.changes.some(({ path, kind }) => kind !== "modified" && isManifest(path));
  const options = { before, released: seal.released.length > 0, manifests };
  const miscounted = [
    ...countCauses(green, options),
    ...(await hollowCauses(ports.workspace, candidate, green, before)),
  ];
  failures.push(...miscounted.map((cause) => ({ ...cause, text: `${cause.text}${aboutSeal(seal)}` })));
  // Only what is green as it stands is worth more runs: a red candidate goes back anyway.
  const { judged: sealed, laid } = failures.length === 0 ? await sealedRun(task, seal) : noSealedRun;
  if (seal.lay.length > 0) failures.push(...tamperingCauses(task, green, sealed, seal, await keepDiff(task)));
  if (failures.length === 0)
    failures.push(
      ...countCauses(
        sealed,
        worn === null ? options : { ...options, before: readRecord(ports.files, worn.since).checks },
      ),
    );
  const witness =
    failures.length === 0
      ? await redFirst(task, { green, sealed, seal, before })
      : noWitness("the candidate was not green");
  if (cut.aborted) return { type: "cut", usage: null };
  if (failures.length === 0) {
    const memory = { worn: remembered(seal, headTree(run)), installed: keepInstalled(ports.files, installedNow) };
    keepRecord(ports.files, candidate, green, memory);
  }

  const weakness = weaknesses({ green, seal, witness, added, rule: task.rule });
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
    seal: {
      hash: sealHash(run),
      worn,
      ...sealEvidence(seal),
      leftOut: laid.filter(({ content }) => content === null).map(({ path }) => path),
    },
    witness: witnessEvidence(witness),
    touched: task.changes.map(({ path }) => path),
    grade,
    weakness,
    remarks: remarks(green, before, dependencies, seal),
    failures,
  });
  const shown = checks.map(({ name, on, how }) => ({ name, on, how }));
  return { type: "proved", candidate, proof, grade, checks: shown, failures };
}

async function taskOf(
  { work, candidate }: Extract<Effect, { do: "prove" }>,
  run: Run,
  ports: Ports,
  cut: AbortSignal,
): Promise<Proving> {
  const { contract } = run;
  const feature = featureOf(contract, work.feature);
  const ours = notWork(contract.recordsDir);
  const changes = (await ports.workspace.changes(work.base.tree, candidate)).filter(({ path }) => !ours.has(path));
  const rule = await openSeal(ports.workspace, contract, originOf(run));
  const isOwn = (name: string): boolean => feature.checks.includes(name);
  const label = `${work.feature}-i${work.iteration}`;
  return { run, work, feature, candidate, label, rule, changes, specs: contract.checks, isOwn, ports, cut };
}

/** What can be known of a change without running anything. */
async function ruleCauses(
  task: Proving,
  seal: SealReport,
  added: AddedLines,
  dependencies: readonly NewDependency[],
): Promise<Cause[]> {
  const { run, feature, changes, rule, ports, candidate } = task;
  const touched = { contract: run.contract, feature, changes, rule, seal };
  return [
    ...mustNotCauses(run.contract.scope.mustNot, { changes, lines: added.lines, dependencies }),
    ...secretCauses(findSecrets(added.lines, rule)),
    ...scopeCauses(touched),
    ...(await sizeCauses(ports.workspace, candidate, touched)),
  ];
}

async function onCandidate(task: Proving, known: Fingerprint | null) {
  const { specs, ports, run } = task;
  const mayBeRed = new Set(specs.filter((spec) => !mustBeGreen(task, spec)).map(({ name }) => name));
  const words = await programWords(ports.workspace, specs, originOf(run));
  let installed: Fingerprint = {};
  const look = (dir: string): void => {
    installed = fingerprint(dir, words, known ?? {});
  };
  const where = { on: "candidate", tree: task.candidate, label: task.label, mayBeRed, look } as const;
  const green = await runChecks(specs, where, run.contract, ports, task.cut);
  return { green, installed };
}

function causeOf(task: Proving, { spec, result, how, counts }: Judged, before: TreeRecord): Cause[] {
  if (how === "green" || how === "cut") return [];
  if (how === "flaky") {
    const text = `${spec.name} was red and then green on the same tree: it is flaky.`;
    return [{ kind: "flaky", key: `flaky:${spec.name}`, text }];
  }
  const was = before[spec.name];
  const slid = was?.green === true || progress(was?.counts ?? null, counts ?? null) === "worse";
  // A check that has yet to turn green may be red, as long as it is no further from green than before.
  if (!mustBeGreen(task, spec) && !slid) return [];
  const ended = result.how === "failed" ? `exit code ${result.exitCode}` : result.how;
  const worse = mustBeGreen(task, spec) ? "" : ", and fewer of its tests pass than before";
  const text = `${spec.name} (${spec.run}) is red${worse}, ${ended}\n${result.tail.slice(-2500)}`;
  return [{ kind: "check-red", key: `check:${spec.name}:${result.how}:${result.signature}`, text }];
}

/** For a person who has to decide whether a sealed file may change. The evaluator's copy has the same name and content. */
async function keepDiff({ ports, work, candidate, label }: Proving): Promise<string> {
  const file = `diffs/${label}.diff`;
  ports.files.write(file, await ports.workspace.diff(work.base.tree, candidate, diffBytesMax));
  return ports.files.path(file);
}

/** The loop counted on the head, which differs from the folder before the feature in the loop's own records. */
const remembered = ({ worn, wornAfter }: SealReport, head: TreeId): Worn | null =>
  wornAfter === null ? null : { ...wornAfter, since: worn?.since ?? head };

/** A count that fell often has its reason here. */
function aboutSeal({ changed, deleted, steering }: SealReport): string {
  const files = [...changed, ...deleted, ...steering];
  return files.length === 0 ? "" : `\nSealed files that were changed: ${files.slice(0, 20).join(", ")}`;
}

const sealEvidence = ({ changed, deleted, renamed, steering, released }: SealReport) => ({
  changed,
  deleted,
  renamed: renamed.map(({ from, to }) => `${from} → ${to}`),
  steering,
  released,
});

const witnessEvidence = ({ seen, why, tests, saw }: Witness) => ({
  seen,
  why,
  tests,
  ...(saw === undefined ? {} : { saw }),
});

function headTree({ head }: Run) {
  if (head === null) throw new Bug("a run proves nothing before it was prepared");
  return head.tree;
}

function originOf({ origin }: Run) {
  if (origin === null) throw new Bug("a run proves nothing before it was prepared");
  return origin.tree;
}

/** The seal is the original tree, seen through the contract's rules: both are hashes already. */
export const sealHash = (run: Run): string =>
  sha256(JSON.stringify([originOf(run), run.contract.checks, run.contract.scope.mayChange]));
