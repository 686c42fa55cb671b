// Runs a past proof again from its commit, beside whatever else goes on: no lock, nothing written to the workspace.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckSpec, Contract } from "../../core/contract.ts";
import { Bug } from "../../core/errors.ts";
import { runId, sessionId, type TreeId, taskId, treeId } from "../../core/ids.ts";
import type { Ports } from "../../runtime/ports.ts";
import { type CheckEvidence, type Evidence, sha256 } from "../../runtime/proof/proof-file.ts";
import { type CheckedTree, evidenceOf, runChecks } from "../../runtime/proof/run-checks.ts";
import { compareWithSeal, openSeal } from "../../runtime/proof/seal.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type AgainCheck, differences, places, testsOf } from "./again-check.ts";
import { localChecks } from "./checks.ts";
import { runDir, runFiles } from "./home.ts";
import { systemClock } from "./local-run.ts";
import { type Plan, readPlan } from "./plan.ts";
import { type Commits, commitsOf, type ProvedCommit, readProof } from "./proved-commits.ts";
import { readStory } from "./read-story.ts";
import { loadSettings } from "./settings.ts";

export type ProvedAgain = ProvedCommit & {
  readonly grade: string;
  readonly result: "match" | "mismatch" | "altered" | "missing";
  /** What differs, or what is missing; empty for a match. */
  readonly differs: readonly string[];
  /** What could not be done as it was done then. */
  readonly notes: readonly string[];
  readonly checks: readonly AgainCheck[];
};
type Proof = Evidence & { readonly version: 1 };

/** Holds what several proofs share; to be closed. */
export class ProveAgain {
  readonly commits: Commits;
  readonly #root: string;
  readonly #vault: string;
  readonly #kind: Workspace["kind"];
  readonly #tmp: string;
  readonly #name = `again-${process.pid}`;
  readonly #open = new Map<string, Workspace>();
  readonly #scratches = new Set<string>();
  readonly notes: string[] = [];

  constructor(root: string) {
    this.#root = root;
    this.#vault = vaultDirFor(root);
    this.#tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-prove-")));
    this.#kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    fs.mkdirSync(join(this.#tmp, "home"));
    const store = join(this.#vault, "store.git");
    this.commits = commitsOf(root, join(this.#tmp, "home"), this.#kind === "plain" ? store : null);
  }

  close(): void {
    for (const dir of this.#scratches) {
      for (const path of [dir, `${dir}.index`, `${dir}.brought.json`])
        fs.rmSync(path, { recursive: true, force: true });
    }
    fs.rmSync(this.#tmp, { recursive: true, force: true });
  }

  async prove(commit: ProvedCommit, cut: AbortSignal): Promise<ProvedAgain> {
    const ended = (result: ProvedAgain["result"], differs: string[], grade = "?"): ProvedAgain => ({
      ...commit,
      grade,
      result,
      differs,
      notes: [],
      checks: [],
    });
    const kept = readProof(this.#root, this.#vault, commit);
    if (kept === null) return ended("missing", ["Neither the vault nor .loop has the proof any more."]);
    if (sha256(kept.text) !== commit.proof)
      return ended("altered", [`The proof in the ${kept.from} is not the one that the commit names.`]);
    const proof = JSON.parse(kept.text) as Proof;
    if (proof.feature !== commit.feature || proof.run !== commit.run)
      return ended("altered", [`The proof is of ${proof.feature} in run ${proof.run}.`], proof.grade);
    if (proof.candidate !== commit.tree)
      return ended("mismatch", ["The commit holds another tree than the one that was proved."], proof.grade);
    return this.#rerun(commit, proof, cut);
  }

  async #rerun(commit: ProvedCommit, proof: Proof, cut: AbortSignal): Promise<ProvedAgain> {
    const notes: string[] = [];
    const plan = this.#planOf(commit.run);
    if (plan === null) notes.push("The run's own record is gone: checks are run as the proof names them.");
    const contract = plan?.contract ?? bareContract(proof, this.#root);
    const workspace = await this.#workspaceFor(commit);
    const ports = this.#ports(workspace);
    const label = `${commit.feature}-i${commit.iteration}`;
    const base = await this.#baseTree(workspace, proof, notes);
    const wanted: CheckedTree[] = [{ on: "candidate", tree: commit.tree, label }];
    if (asked(proof, "sealed").length > 0 && base !== null) {
      const origin = plan === null ? base : (readStory(this.#root, commit.run).run.origin?.tree ?? base);
      const trees = { origin, base, candidate: commit.tree };
      const rule = await openSeal(workspace, contract, origin);
      const { lay } = await compareWithSeal(workspace, rule, trees, proof.seal.worn);
      wanted.push({ on: "sealed", tree: commit.tree, lay, label });
    }
    if (asked(proof, "before").length > 0 && base !== null) {
      const lay = await Promise.all(
        proof.witness.tests.map(async (path) => ({ path, content: await workspace.read(commit.tree, path) })),
      );
      wanted.push({ on: "before", tree: base, lay, label });
    }
    const checks: AgainCheck[] = [];
    for (const where of wanted) {
      const then = asked(proof, where.on);
      const judged = await runChecks(specsOf(then, contract), where, contract, ports, cut);
      for (const { name, how, counts } of judged.map((one) => evidenceOf(one, where.on, label))) {
        const before = then.find((one) => one.name === name);
        const tests = { was: testsOf(before?.counts), is: testsOf(counts) };
        checks.push({ name, on: where.on, was: before?.how ?? "not run", is: how, tests });
      }
    }
    const missed = proof.checks.filter(
      ({ name, on }) => !checks.some((check) => check.name === name && check.on === on),
    );
    const differs = [
      ...checks.flatMap(differences),
      ...missed.map(({ name, on }) => `${name} ${places[on]} could not be run again`),
    ];
    const result = differs.length === 0 ? "match" : "mismatch";
    return { ...commit, grade: proof.grade, result, differs, notes: [...notes, ...this.notes.splice(0)], checks };
  }

  #planOf(run: string): Plan | null {
    const dir = runDir(this.#vault, run);
    return fs.existsSync(join(dir, "plan.json")) ? readPlan(runFiles(dir)).plan : null;
  }

  /** The vault that made the proof has every tree of it. Where it is gone, a passing one is filled from the repository. */
  async #workspaceFor({ run }: ProvedCommit): Promise<Workspace> {
    const known = fs.existsSync(runDir(this.#vault, run));
    const vaultDir = known ? this.#vault : join(this.#tmp, "vault");
    const opened = this.#open.get(vaultDir);
    if (opened !== undefined) return opened;
    const workspace = await openWorkspace({ root: this.#root, vaultDir, kind: this.#kind });
    if (!known) await workspace.inspect(); // Which copies the repository's objects.
    this.#open.set(vaultDir, workspace);
    return workspace;
  }

  async #baseTree(workspace: Workspace, { base }: Proof, notes: string[]): Promise<TreeId | null> {
    if (await holds(workspace, base.tree)) return treeId(base.tree);
    const tree = base.head === null ? null : await this.commits.treeOf(base.head);
    if (tree !== null && (await holds(workspace, tree))) {
      notes.push("The code as it was before is taken from its commit.");
      return tree;
    }
    return null;
  }

  /** A scratch folder of our own name, logs in a folder of our own, and a mark that no run's clean-up looks for. */
  #ports(workspace: Workspace): Ports {
    const scratch: Workspace["scratch"] = async (_name, tree, options) => {
      const made = await workspace.scratch(this.#name, tree, options);
      this.#scratches.add(made.dir);
      return made;
    };
    const nobody = () => {
      throw new Bug("proving again starts no session and writes nothing");
    };
    return {
      task: taskId("prove"),
      run: runId(`prove-${process.pid}`),
      workspace: { ...workspace, scratch },
      checks: localChecks,
      sessions: { run: nobody },
      clock: systemClock,
      files: runFiles(join(this.#tmp, "files")),
      disk: { read: () => null, write: nobody },
      newSessionId: () => sessionId("none"),
      note: (_about, text) => this.notes.push(text),
    };
  }
}

const asked = ({ checks }: Proof, on: CheckEvidence["on"]): CheckEvidence[] =>
  checks.filter((check) => check.on === on);

async function holds(workspace: Workspace, tree: string): Promise<boolean> {
  try {
    await workspace.list(treeId(tree));
    return true;
  } catch {
    return false;
  }
}

/** What the proof names is what is run: the command is the proof's, the rest (time, set-up, folders) the contract's. */
function specsOf(then: readonly CheckEvidence[], contract: Contract): CheckSpec[] {
  return then.map(({ name, command }) => {
    const spec = contract.checks.find((check) => check.name === name);
    return spec === undefined ? bareSpec(name, command) : { ...spec, run: command };
  });
}

const bareSpec = (name: string, run: string): CheckSpec => ({
  name,
  run,
  must: "stay-green",
  timeoutMs: 600_000,
  tests: [],
  setup: null,
  bring: [],
});

/** Without the run's plan: what loop.yaml says today, for the checks that the proof names. */
function bareContract(proof: Proof, root: string): Contract {
  const settings = loadSettings(root, {}, true);
  const today = (settings.checks ?? []).map(({ timeoutS, ...check }) => ({ ...check, timeoutMs: timeoutS * 1000 }));
  const named = [...new Map(proof.checks.map(({ name, command }) => [name, command]))];
  const checks = named.map(([name, command]) => today.find((check) => check.name === name) ?? bareSpec(name, command));
  const { mustNot, mayChange } = settings.scope;
  const scope = { mayTouch: settings.scope.mayTouch ?? [], mustNot, mayChange, include: null, exclude: [] };
  return { checks, scope } as unknown as Contract;
}
