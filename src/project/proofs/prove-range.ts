// Proves the commits of a range by the contract of its base: what the commits themselves say about checks, features or
// earlier proofs counts for nothing. Writes nothing to the workspace.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bug } from "../../core/errors.ts";
import type { CommitId, TreeId } from "../../core/ids.ts";
import { openCase, type Tools } from "../../proof/case.ts";
import { makeProver } from "../../proof/make-prover.ts";
import type { Proved, ProveOrder } from "../../proof/prover.ts";
import { makeGit } from "../../workspace/git/git.ts";
import { locate } from "../../workspace/git/repository/repo.ts";
import { openWorkspace } from "../../workspace/open.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runFiles } from "../runs/home.ts";
import { badRange, type CommitRange, mergeBase, type RangeCommit, readRange } from "./commit-range.ts";
import { type Commits, commitsOf } from "./proved-commits.ts";
import { proofTools } from "./prover.ts";
import { featureOf, type RangeTerms, termsAt } from "./range-terms.ts";

export type RangeProof = {
  readonly commit: CommitId;
  readonly subject: string;
  /** The feature that its trailers name; null: none. */
  readonly feature: string | null;
  /**
   * proved: the runs show it. review: nothing speaks against it, and only a person can judge it. unproved: something is
   * missing. refused: something speaks against it. skipped: it changes nothing that a proof is about.
   */
  readonly result: "proved" | "review" | "unproved" | "refused" | "skipped" | "cut";
  /** What speaks against it, what is missing, or why it is skipped. */
  readonly why: readonly string[];
  readonly notes: readonly string[];
};

type Found = Pick<RangeProof, "result" | "why"> & { readonly notes?: readonly string[] };

/** Must be closed. */
export class ProveRange {
  readonly #root: string;
  readonly #tmp: string;
  readonly #commits: Commits;
  #tools: Tools | null = null;
  #opened: { readonly range: CommitRange; readonly terms: RangeTerms; readonly workspace: Workspace } | null = null;

  constructor(root: string) {
    this.#root = root;
    this.#tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-prove-")));
    fs.mkdirSync(this.#home);
    this.#commits = commitsOf(root, this.#home, null);
  }

  get #home(): string {
    return join(this.#tmp, "home");
  }

  async close(): Promise<void> {
    await this.#tools?.rooms.dispose();
    fs.rmSync(this.#tmp, { recursive: true, force: true });
  }

  /** The commits to prove. `agreed`: the person agrees to the programs that the base's loop.yaml names. */
  async open(text: string, agreed: boolean): Promise<readonly RangeCommit[]> {
    const range = await readRange(this.#root, this.#home, this.#commits, text);
    // A separate vault: results of earlier proofs must not be used.
    const vaultDir = join(this.#tmp, "vault");
    const workspace = await openWorkspace({ root: this.#root, vaultDir, kind: "git" });
    await workspace.inspect(); // This copies the repository's objects.
    const terms = await termsAt(workspace, await this.#treeOf(range.base), agreed);
    this.#opened = { range, terms, workspace };
    this.#tools = await proofTools({
      workspace,
      vaultDir,
      files: runFiles(join(this.#tmp, "files")),
      recordsDir: terms.recordsDir,
      placesDir: this.#tmp,
      checks: {},
    });
    return range.commits;
  }

  async prove(commit: RangeCommit, cut: AbortSignal): Promise<RangeProof> {
    const { result, why, notes = [] } = await this.#found(commit, cut);
    const subject = commit.message.split("\n", 1)[0] ?? "";
    return { commit: commit.commit, subject, feature: commit.proved?.feature ?? null, result, why, notes };
  }

  async #found(commit: RangeCommit, cut: AbortSignal): Promise<Found> {
    const { tools, opened } = this.#ready();
    const [parent] = commit.parents;
    if (parent === undefined) return { result: "unproved", why: ["It has no parent to compare it with."] };
    if (await this.#isPlainMerge(commit))
      return { result: "skipped", why: ["a merge without changes in addition to its parents"] };
    const [base, person] = [await this.#treeOf(parent), await this.#treeOf(opened.range.fork)];
    const asked: ProveOrder = {
      contract: opened.terms.contract,
      feature: featureOf(commit, opened.terms),
      base,
      candidate: commit.tree,
      ...(person === base ? {} : { person }),
      label: commit.commit.slice(0, 12),
    };
    const { sides } = await openCase(asked, tools, cut);
    const isProduct = sides.changes.some(({ side }) => side === "product" || side === "mixed");
    if (!isProduct && commit.proved === null) return { result: "skipped", why: [await this.#whySkipped(commit)] };
    // A message does not say that it is about documents; for a person's review it does not have to.
    const isDocs =
      commit.proved === null && sides.changes.every(({ side, isDocument }) => side === "ours" || isDocument);
    const order = isDocs ? { ...asked, feature: { ...asked.feature, kind: "docs" as const } } : asked;
    await tools.rooms.keep(base, order.contract.proof, cut);
    return foundBy(await makeProver(tools).prove(order, cut));
  }

  async #whySkipped({ commit }: RangeCommit): Promise<string> {
    const isRecord = (await this.#commits.trailer(commit, "Loop-Records")) !== "";
    return isRecord ? "It records a run, and leaves the product as it was." : "It leaves the product as it was.";
  }

  /** Whether git would have made the same tree by itself. */
  async #isPlainMerge({ tree, parents }: RangeCommit): Promise<boolean> {
    const [ours, theirs, ...more] = parents;
    if (ours === undefined || theirs === undefined || more.length > 0) return false;
    const { opened } = this.#ready();
    const repo = locate(this.#root);
    const fork = repo === null ? null : await mergeBase(makeGit(this.#home), repo, ours, theirs);
    if (fork === null) return false;
    const trees = {
      base: await this.#treeOf(fork),
      ours: await this.#treeOf(ours),
      theirs: await this.#treeOf(theirs),
    };
    const merged = await opened.workspace.merge({ ...trees, except: new Set() });
    return merged.is === "merged" && merged.tree === tree;
  }

  async #treeOf(commit: CommitId): Promise<TreeId> {
    const tree = await this.#commits.treeOf(commit);
    if (tree === null) throw badRange(`Commit ${commit} cannot be read.`, "Look at the repository: git fsck");
    return tree;
  }

  #ready() {
    if (this.#opened === null || this.#tools === null) throw new Bug("a range is proved before it is opened");
    return { opened: this.#opened, tools: this.#tools };
  }
}

function foundBy({ cut, grade, failures, missing, contradiction, notes }: Proved): Found {
  if (cut) return { result: "cut", why: [], notes };
  const against = failures.map(({ text }) => text);
  const rewritten =
    contradiction === null ? [] : [`It rewrites protected tests: ${contradiction.tests.slice(0, 10).join("; ")}`];
  if (against.length > 0) return { result: "refused", why: [...against, ...rewritten], notes };
  if (grade === "strong") return { result: "proved", why: [], notes };
  return { result: grade === "reviewed" ? "review" : "unproved", why: [...missing, ...rewritten], notes };
}
