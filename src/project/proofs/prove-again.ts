// Repeats a past proof from its commit, while other commands may be running: no lock, nothing written to the workspace.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TreeId, treeId } from "../../core/ids.ts";
import { readHidden } from "../../formats/reply/reply-exam.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { readIfExists } from "../../host/disk.ts";
import { proveAgain } from "../../proof/again.ts";
import type { Tools } from "../../proof/case.ts";
import { type Evidence, parseEvidence } from "../../proof/evidence.ts";
import { hiddenPlace } from "../../proof/prover.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { listPlaces, readPlace } from "../place/places.ts";
import { runDir, runFiles } from "../runs/home.ts";
import { type Commits, commitsOf, type ProvedCommit, readProof } from "./proved-commits.ts";
import { proofTools } from "./prover.ts";

export type ProvedAgain = ProvedCommit & {
  readonly grade: string;
  /** old: an earlier version of the loop proved it in a different way, which cannot be compared. */
  readonly result: "match" | "mismatch" | "altered" | "missing" | "old" | "cut";
  /** What differs, or what is missing; empty for a match. */
  readonly differs: readonly string[];
  /** What could not be done as it was done then. */
  readonly notes: readonly string[];
};

/** Holds what several proofs share; must be closed. */
export class ProveAgain {
  readonly commits: Commits;
  readonly #root: string;
  readonly #vault: string;
  readonly #kind: Workspace["kind"];
  readonly #tmp: string;
  readonly #open = new Map<string, Workspace>();
  readonly #tools: Tools[] = [];

  constructor(root: string) {
    this.#root = root;
    this.#vault = vaultDirFor(root);
    this.#tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-prove-")));
    this.#kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    fs.mkdirSync(join(this.#tmp, "home"));
    const store = join(this.#vault, "store.git");
    this.commits = commitsOf(root, join(this.#tmp, "home"), this.#kind === "plain" ? store : null);
  }

  async close(): Promise<void> {
    for (const { rooms } of this.#tools) await rooms.dispose();
    fs.rmSync(this.#tmp, { recursive: true, force: true });
  }

  async prove(commit: ProvedCommit, cut: AbortSignal): Promise<ProvedAgain> {
    const ended = (result: ProvedAgain["result"], differs: string[], grade = "?"): ProvedAgain => ({
      ...commit,
      grade,
      result,
      differs,
      notes: [],
    });
    const kept = readProof(this.#root, this.#vault, commit);
    if (kept === null)
      return ended("missing", [
        "Its proof is neither in the vault of this machine nor in .loop. It is kept where the run was.",
      ]);
    if (sha256(kept.text) !== commit.proof)
      return ended("altered", [`The proof in the ${kept.from} is not the one that the commit names.`]);
    const proof = parseEvidence(kept.text);
    if (proof === null) return ended("old", ["An earlier version of Loopwright proved it in another way."]);
    if (proof.feature !== commit.feature) return ended("altered", [`The proof is of ${proof.feature}.`], proof.grade);
    if (proof.candidate !== commit.tree)
      return ended("mismatch", ["The commit holds another tree than the one that was proved."], proof.grade);
    return this.#rerun(commit, proof, cut);
  }

  async #rerun(commit: ProvedCommit, proof: Evidence, cut: AbortSignal): Promise<ProvedAgain> {
    const workspace = await this.#workspaceFor(commit, proof);
    const base = await this.#baseTree(workspace.opened, commit, proof);
    if (base === null)
      return { ...commit, grade: proof.grade, result: "missing", differs: ["The tree before it is gone."], notes: [] };
    const tools = await proofTools({
      workspace: workspace.opened,
      vaultDir: workspace.vaultDir,
      files: runFiles(join(this.#tmp, `files-${this.#tools.length}`)),
      recordsDir: "docs", // For proofs that do not name their own.
      placesDir: this.#tmp,
      checks: {},
    });
    this.#tools.push(tools);
    const place = join(runDir(this.#vault, commit.run), hiddenPlace(proof.feature));
    const hidden = proof.depth === "deep" ? readHidden(readIfExists(place), place) : null;
    const { person, ...rest } = proof;
    const isKnown = person !== undefined && (await holds(workspace.opened, person));
    // Without the tree that the person left, its results cannot be reproduced.
    const was: Evidence =
      person === undefined || isKnown
        ? proof
        : { ...rest, runs: rest.runs.filter(({ without }) => without === undefined) };
    const { differs, cut: isCut } = await proveAgain({ ...was, base: base.tree }, tools, hidden, cut);
    const lacking =
      person === undefined || isKnown ? [] : ["The tree before the run is gone: its tests were not run alone."];
    return {
      ...commit,
      grade: proof.grade,
      result: isCut ? "cut" : differs.length === 0 ? "match" : "mismatch",
      differs,
      notes: [...(base.note === null ? [] : [base.note]), ...lacking],
    };
  }

  /**
   * The vault that made the proof has all its trees. If it is gone, a temporary vault is filled from the repository.
   */
  async #workspaceFor(commit: ProvedCommit, { base }: Evidence): Promise<{ opened: Workspace; vaultDir: string }> {
    const known = fs.existsSync(runDir(this.#vault, commit.run));
    const here = await this.#opened(known ? this.#vault : join(this.#tmp, "vault"), known);
    if (!known || this.#kind === "plain" || (await holds(here.opened, base))) return here;
    // The run may have worked in a worktree, which has a separate vault.
    for (const name of listPlaces(this.#root)) {
      const vault = readPlace(this.#root, name)?.vault;
      const there = vault !== undefined && fs.existsSync(vault) ? await this.#opened(vault, true) : null;
      if (there !== null && (await holds(there.opened, base))) return there;
    }
    return here;
  }

  async #opened(vaultDir: string, known: boolean): Promise<{ opened: Workspace; vaultDir: string }> {
    const before = this.#open.get(vaultDir);
    if (before !== undefined) return { opened: before, vaultDir };
    const opened = await openWorkspace({ root: this.#root, vaultDir, kind: this.#kind });
    if (!known) await opened.inspect(); // This copies the repository's objects.
    this.#open.set(vaultDir, opened);
    return { opened, vaultDir };
  }

  async #baseTree(
    workspace: Workspace,
    commit: ProvedCommit,
    { base }: Evidence,
  ): Promise<{ tree: TreeId; note: string | null } | null> {
    if (await holds(workspace, base)) return { tree: base, note: null };
    const parent = await this.commits.resolve(`${commit.commit}^`);
    const tree = parent === null ? null : await this.commits.treeOf(parent);
    if (tree === null || !(await holds(workspace, tree))) return null;
    return { tree, note: "The code as it was before is taken from the parent commit." };
  }
}

async function holds(workspace: Workspace, tree: string): Promise<boolean> {
  try {
    await workspace.list(treeId(tree));
    return true;
  } catch {
    return false;
  }
}
