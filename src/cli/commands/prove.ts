// loop prove: repeats past proofs from their commits, and says whether the results match.
import { UserError } from "../../core/errors.ts";
import type { CommitId } from "../../core/ids.ts";
import type { Engine } from "../../engines/engine.ts";
import { findRun } from "../../engines/watch.ts";
import { ProveAgain, type ProvedAgain } from "../../project/proofs/prove-again.ts";
import type { ProvedCommit } from "../../project/proofs/proved-commits.ts";
import { count } from "../../report/words/words.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import type { Paint } from "../render/paint.ts";

export type ProveFlags = GlobalFlags & { all?: boolean; range?: string };

export async function prove(named: string | undefined, flags: ProveFlags): Promise<number> {
  const context = contextOf(flags);
  if (flags.range !== undefined) {
    if (named !== undefined || flags.all === true) throw twoChoices();
    return (await import("./prove-range.ts")).proveRange(context, flags.range, flags.trust === true);
  }
  const again = new ProveAgain(context.root);
  const cut = new AbortController();
  const stop = () => cut.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    const commits = await chosen(again, context.engine, named, flags);
    context.comment(`  ${count(commits.length, "proof")} to run again\n`);
    const results: ProvedAgain[] = [];
    for (const commit of commits) {
      const result = await again.prove(commit, cut.signal);
      if (cut.signal.aborted) return 130;
      results.push(result);
      context.comment(`  ${result.commit.slice(0, 10)}  ${result.feature}  ${result.result}\n`);
    }
    return tell(context, results);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, stop);
    await again.close();
  }
}

/** A feature of the run, a commit, everything, or, without arguments, the latest run. */
async function chosen(
  again: ProveAgain,
  engine: Engine,
  named: string | undefined,
  { all = false, run }: GlobalFlags & { all?: boolean },
): Promise<readonly ProvedCommit[]> {
  const { commits } = again;
  const isNew = (await engine.runs()).length === 0;
  if (named === undefined && (all || (run === undefined && isNew)))
    return someOf(await commits.all(), "No commit here names a proof.");
  const latest = isNew ? null : await findRun(engine, run);
  const ofRun = latest === null ? [] : await provedIn(again, engine, latest);
  if (named === undefined) return someOf(ofRun, `Run ${latest} has committed nothing.`);
  const feature = ofRun.filter((commit) => commit.feature === named);
  if (feature.length > 0) return feature;
  const id = await commits.resolve(named);
  if (id === null) {
    const older = (await commits.all()).filter((commit) => commit.feature === named).slice(0, 1);
    return someOf(older, `${JSON.stringify(named)} is neither a commit nor a feature that was completed here.`);
  }
  const commit = await commits.proved(id);
  return someOf(commit === null ? [] : [commit], `Commit ${id.slice(0, 10)} names no proof.`);
}

async function provedIn({ commits }: ProveAgain, engine: Engine, run: string): Promise<ProvedCommit[]> {
  const { progress } = (await engine.read(run)).story.run;
  const made = progress.all.flatMap(({ commit }) => (commit === null ? [] : [commit]));
  const found = await Promise.all(made.map((commit: CommitId) => commits.proved(commit)));
  // A commit that no longer exists (its branch was deleted) has nothing left to prove.
  return found.filter((commit) => commit !== null);
}

const twoChoices = (): UserError =>
  new UserError("bad-flag", {
    what: "Nothing was proved.",
    why: "--range came together with a commit, a feature or --all.",
    next: "Use one of them.",
  });

function someOf(commits: readonly ProvedCommit[], why: string): readonly ProvedCommit[] {
  if (commits.length > 0) return commits;
  const next = "loop list shows the runs; git log shows the commits with a Loop-Proof trailer.";
  throw new UserError("nothing-to-prove", { what: "There is nothing to prove again.", why, next });
}

function tell(context: Context, results: readonly ProvedAgain[]): number {
  const matching = results.filter(({ result }) => result === "match").length;
  const code = matching === results.length ? 0 : 1;
  if (context.json) printAnswer(answers.prove, { matching, total: results.length, proofs: results }, code);
  else context.answer(proofTable(results, matching, context.paint));
  return code;
}

export function proofTable(results: readonly ProvedAgain[], matching: number, paint: Paint): string {
  const width = Math.max(7, ...results.map(({ feature }) => feature.length));
  const rows = results.flatMap(({ commit, feature, grade, result, differs, notes }) => [
    `${commit.slice(0, 10)}  ${feature.padEnd(width)}  ${grade.padEnd(6)}  ${(result === "match" ? paint.green : paint.red)(result)}`,
    ...differs.map((text) => `            ${text}`),
    ...notes.map((text) => `            ${paint.dim(text)}`),
  ]);
  const head = `${"commit".padEnd(10)}  ${"feature".padEnd(width)}  ${"grade".padEnd(6)}  result`;
  const verdict = `${matching} of ${count(results.length, "proof")} ${results.length === 1 ? "matches" : "match"}.`;
  const next =
    matching === results.length ? "" : "\nNext: git show the commit, then run its check by hand in a clean checkout.";
  return `${paint.bold(head)}\n${rows.join("\n")}\n\n${verdict}${next}\n`;
}
