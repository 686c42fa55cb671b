// loop prove --range: proves the commits of a pull request, and says whether all of them hold.
import { UserError } from "../../core/errors.ts";
import { ProveRange, type RangeProof } from "../../project/proofs/prove-range.ts";
import { count } from "../../report/words/words.ts";
import type { Context } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import type { Paint } from "../render/paint.ts";

export async function proveRange(context: Context, range: string, agreed: boolean): Promise<number> {
  const proofs = new ProveRange(context.root);
  const cut = new AbortController();
  const stop = () => cut.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    const commits = await proofs.open(range, agreed);
    if (commits.length === 0) throw empty(range);
    context.comment(`  ${count(commits.length, "commit")} to prove\n`);
    const results: RangeProof[] = [];
    for (const commit of commits) {
      const result = await proofs.prove(commit, cut.signal);
      if (cut.signal.aborted) return 130;
      results.push(result);
      context.comment(`  ${result.commit.slice(0, 10)}  ${result.result}\n`);
    }
    return tell(context, range, results);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, stop);
    await proofs.close();
  }
}

const holds = ({ result }: RangeProof): boolean => ["proved", "review", "skipped"].includes(result);

function tell(context: Context, range: string, results: readonly RangeProof[]): number {
  const holding = results.filter(holds).length;
  const code = holding === results.length ? 0 : 1;
  if (context.json) printAnswer(answers.proveRange, { range, holding, total: results.length, commits: results }, code);
  else context.answer(rangeTable(results, holding, context.paint));
  return code;
}

function rangeTable(results: readonly RangeProof[], holding: number, paint: Paint): string {
  const colour = (each: RangeProof) => (holds(each) ? paint.green : paint.red);
  const rows = results.flatMap((each) => [
    `${each.commit.slice(0, 10)}  ${colour(each)(each.result.padEnd(8))}  ${each.subject.slice(0, 60)}`,
    ...each.why.flatMap((text) => text.split("\n").map((line) => `            ${line}`)),
    ...each.notes.map((text) => `            ${paint.dim(text)}`),
  ]);
  const head = `${"commit".padEnd(10)}  ${"result".padEnd(8)}  subject`;
  const verdict = `${holding} of ${count(results.length, "commit")} ${results.length === 1 ? "holds" : "hold"}.`;
  const next = holding === results.length ? "" : "\nNext: correct the commits that do not hold, and push again.";
  return `${paint.bold(head)}\n${rows.join("\n")}\n\n${verdict}${next}\n`;
}

const empty = (range: string): UserError =>
  new UserError("nothing-to-prove", {
    what: "There is nothing to prove.",
    why: `There is no commit in ${range}.`,
    next: `Name the branch with the commits: loop prove --range ${range.split("..", 1)[0]}..BRANCH. For what has landed: loop prove --all`,
  });
