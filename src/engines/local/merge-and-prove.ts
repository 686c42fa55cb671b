// Merges a finished run with a branch that has moved: feature by feature, each proved again by the prover on what the
// person's branch has become. The merge commit is made on the run's own branch.
import type { RegisteredChecks } from "../../checks/library/library-check.ts";
import type { Contract } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { CommitId, TreeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import { readHidden } from "../../formats/reply/reply-exam.ts";
import { gitHome } from "../../project/place/make-place.ts";
import { mergedRecords } from "../../project/place/merged-records.ts";
import type { Place } from "../../project/place/places.ts";
import { commitsOf, type ProvedCommit, readProof } from "../../project/proofs/proved-commits.ts";
import { type LocalProver, localProver } from "../../project/proofs/prover.ts";
import { runDir, runFiles } from "../../project/runs/home.ts";
import { type Evidence, parseEvidence } from "../../proof/evidence.ts";
import { hiddenPlace, type Proved } from "../../proof/prover.ts";
import { nextWork } from "../../report/words/words.ts";
import { notWork } from "../../runtime/records/paths.ts";
import { commitsBetween, currentBranch, mergeBase, tipOf } from "../../workspace/git/repository/worktree.ts";
import { openBranch, openWorkspace } from "../../workspace/open.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The run that lands, which may follow up on the one that the worktree was made for. */
export type Landing = { readonly id: string; readonly run: Run };

/** `checks`: of the program that lands it. */
export async function mergeAndProve(place: Place, landing: Landing, checks: RegisteredChecks): Promise<void> {
  const { contract } = landing.run;
  const { project, root, vault, branch } = place;
  const home = gitHome(place);
  const tip = await tipOf(project, branch, home);
  const { head } = await currentBranch(project, home);
  const base = tip === null ? null : await mergeBase(project, head, tip, home);
  if (tip === null || base === null) throw refused("land-conflict", `${branch} has no commit in common with yours.`);
  const own = await openBranch({ root, vaultDir: vault });
  const trees = { base: await own.treeOf(base), ours: await own.treeOf(head), theirs: await own.treeOf(tip) };
  const workspace = await openWorkspace({ root, vaultDir: vault, kind: "git" });
  const files = runFiles(runDir(place.above, landing.id));
  const prover = localProver({ workspace, vaultDir: vault, files, recordsDir: contract.recordsDir, checks });
  try {
    const steps = await commitsBetween(project, base, tip, home);
    const replayed = await replay({ place, workspace, prover, contract, steps, start: trees.ours });
    const except = notWork(contract.recordsDir);
    const all = await workspace.merge({ ...trees, except });
    if (all.is === "conflict") throw conflict(place, all.paths, contract.recordsDir);
    const more = (await workspace.changes(replayed.tree, all.tree)).filter(({ path }) => !except.has(path));
    if (more.length > 0) throw unproved(`No proof is about ${named(more)}.`, branch);
    const tree = await workspace.compose(all.tree, await mergedRecords(workspace, trees, contract.recordsDir));
    const { cut, red } = await prover.close({ contract, tree }, never);
    if (cut || red.length > 0) throw unproved(`${red.join(", ")} is red on the merged tree.`, branch);
    const subject = `merge(loop): ${branch} with ${place.onto ?? "HEAD"}`;
    const proofs = replayed.proved.map(({ feature, is }) => `${feature}: ${inWords[is.grade]}, ${is.proof}`);
    const trailers = { "Loop-Run": landing.id, "Loop-Merged": tip, "Loop-Onto": head };
    await own.join({ tree, parents: [head, tip], from: tip, subject, body: proofs.join("\n"), trailers });
  } finally {
    await prover.dispose();
  }
}

/** The merged tree as a whole: every check is green on it. */
const inWords: Readonly<Record<Proved["grade"], string>> = {
  strong: "proved again on top of your branch",
  reviewed: "reviewed, and nothing old breaks on top of your branch",
  weak: "accepted unproved, and nothing old breaks on top of your branch",
};

const namedMax = 5;
/** The first paths of some changes, for a sentence. */
export const named = (changes: readonly { readonly path: string }[]): string =>
  `${changes
    .slice(0, namedMax)
    .map(({ path }) => path)
    .join(", ")}${changes.length > namedMax ? ", …" : ""}`;

const never = new AbortController().signal;

type Replay = {
  readonly place: Place;
  readonly workspace: Workspace;
  readonly prover: LocalProver;
  readonly contract: Contract;
  /** The run's commits, oldest first. */
  readonly steps: readonly CommitId[];
  readonly start: TreeId;
};

/** Each commit's change on top of the person's branch and of the changes before it, as a run would have made it there. */
async function replay({ place, workspace, prover, contract, steps, start }: Replay) {
  const { project } = place;
  const commits = commitsOf(project, gitHome(place), null);
  const own = await openBranch({ root: place.root, vaultDir: place.vault });
  const except = notWork(contract.recordsDir);
  const proved: { readonly feature: string; readonly is: Proved }[] = [];
  let ours = start;
  for (const commit of steps) {
    const parent = await commits.resolve(`${commit}^`);
    const step = await commits.proved(commit);
    if (parent === null || step === null) continue; // A commit of records, or a merge that landed before. Anything else shows in the end.
    const [base, theirs] = [await own.treeOf(parent), step.tree];
    const merged = await workspace.merge({ base, ours, theirs, except });
    if (merged.is === "conflict") throw conflict(place, merged.paths, contract.recordsDir);
    proved.push({ feature: step.feature, is: await proveStep(place, prover, step, ours, merged.tree) });
    ours = merged.tree;
  }
  if (proved.length === 0) throw unproved("It names no proof that could be repeated.", place.branch);
  return { proved, tree: ours };
}

/** With the terms of the first proof. */
async function proveStep(
  place: Place,
  prover: LocalProver,
  step: ProvedCommit,
  base: TreeId,
  candidate: TreeId,
): Promise<Proved> {
  const kept = readProof(place.project, place.above, step);
  const was = kept === null ? null : parseEvidence(kept.text);
  if (was === null) throw unproved(`The proof of ${step.feature} cannot be read.`, place.branch);
  const files = runFiles(runDir(place.above, step.run));
  const hiddenFile = hiddenPlace(step.feature);
  const hidden = was.depth === "deep" ? readHidden(files.read(hiddenFile), files.path(hiddenFile)) : null;
  const is = await prover.prove(
    {
      ...was.order,
      base,
      candidate,
      label: `${step.feature}-merged`,
      ...(was.decided === undefined ? {} : { decided: was.decided }),
      ...(hidden === null || hidden.length === 0 ? {} : { hidden }),
    },
    never,
  );
  if (!isEnough(was, is)) throw unproved(`${step.feature}: ${whyNot(is)}`, place.branch);
  return is;
}

/** What was proved has to be proved again; what a person or a checker reviewed must not be refused. */
const isEnough = (was: Evidence, is: Proved): boolean =>
  is.failures.length === 0 && (is.grade === "strong" || was.grade !== "strong");

const whyNot = ({ failures, missing }: Proved): string =>
  [...failures.map(({ text }) => text.split("\n", 1)[0] ?? ""), ...missing].slice(0, 3).join(" ") || "no proof";

const refused = (code: UserError["code"], why: string, next = "loop report"): UserError =>
  new UserError(code, { what: "Nothing was landed.", why, next });

const conflict = ({ branch, onto }: Place, paths: readonly string[], recordsDir: string): UserError =>
  refused(
    "land-conflict",
    `${onto ?? "Your branch"} and ${branch} changed the same lines: ${paths.join(", ")}`,
    `git merge ${branch}, and resolve them yourself; the result is not proved. Or begin again from here: ${nextWork(recordsDir)}`,
  );

const unproved = (why: string, branch: string): UserError =>
  notProved(`Merged with your branch, the work is not proved any more. ${why}`, branch);

export const notProved = (why: string, branch: string): UserError =>
  refused("land-unproved", why, `Look at it: git diff ...${branch}. To take it unproved: git merge ${branch}`);
