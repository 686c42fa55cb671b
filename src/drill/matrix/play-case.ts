// Runs one case through the prover: a real repository, an agent's change to it, and the outcome.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { agentGitEnvironment } from "../../core/agent-identity.ts";
import { type CheckSpec, defaultProofTerms, type Feature, type ProofTerms } from "../../core/contract.ts";
import { checkpointId, featureId } from "../../core/ids.ts";
import { proofTools } from "../../project/proofs/prover.ts";
import { runFiles } from "../../project/runs/home.ts";
import { makeProver } from "../../proof/make-prover.ts";
import type { Proved, ProveOrder, Prover } from "../../proof/prover.ts";
import { openWorkspace } from "../../workspace/open.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Case } from "../cases/case.ts";
import { bring, closureOf, lay } from "../cases/lay.ts";

export type Way = {
  /** The agent commits its work itself, instead of leaving it in the folder. */
  readonly committed: boolean;
  readonly must: "stay-green" | "turn-green";
};

/** Committed or not, and with the check that has to turn green if the case has one. */
export function combinations({ check }: Pick<Case, "check">): readonly Way[] {
  const must = check.turn === undefined ? "stay-green" : "turn-green";
  return [false, true].map((committed) => ({ committed, must }));
}

export type PlayOptions = Way & {
  readonly depth: ProofTerms["depth"];
  /** An empty folder for this play only. */
  readonly dir: string;
  /** Where the prover caches results. Two plays of a case with the same trees share their runs. */
  readonly files?: string;
  /** A node_modules with real packages. */
  readonly packages: string;
};

/** accepted: it would be committed, given a checker that agrees to everything. asked: a person has to decide. */
export type Outcome = "accepted" | "asked" | "refused";
export type Played = {
  readonly outcome: Outcome;
  readonly why: string;
  readonly grade: Proved["grade"];
  readonly runs: readonly string[];
  readonly ms: number;
};

export class NotPlayed extends Error {}

/** A prepared case: its base was inspected, its agent is done, and the prover can judge the result. */
export type Staged = {
  readonly prover: Prover;
  readonly order: ProveOrder;
  readonly workspace: Workspace;
  readonly root: string;
};

export async function playCase(one: Case, options: PlayOptions): Promise<Played> {
  return withStaged(one, options, async ({ prover, order }, started) => {
    const proved = await prover.prove(order, new AbortController().signal);
    return { ...judged(proved), grade: proved.grade, runs: shown(proved), ms: Date.now() - started };
  });
}

export async function withStaged<T>(
  one: Case,
  options: PlayOptions,
  look: (staged: Staged, started: number) => Promise<T>,
): Promise<T> {
  const { dir } = options;
  const place = { folder: join(dir, "work"), home: join(dir, "home") };
  for (const folder of Object.values(place)) fs.mkdirSync(folder, { recursive: true });
  await layBase(one, place, options.packages);
  const started = Date.now();
  const workspace = await openWorkspace({ root: place.folder, vaultDir: join(dir, "vault"), kind: "git" });
  const tools = await proofTools({
    workspace,
    vaultDir: join(dir, "vault"),
    files: runFiles(options.files ?? join(dir, "files")),
    recordsDir: "docs",
    checks: {},
  });
  const cut = new AbortController().signal;
  try {
    const prover = makeProver(tools);
    const before = await workspace.checkpoint(checkpointId("before"));
    const proof = { ...defaultProofTerms, depth: options.depth, build: one.build ?? defaultProofTerms.build };
    const contract = { checks: checksOf(one, options), proof, scope };
    const baseline = await prover.baseline({ contract, tree: before.tree }, cut);
    const red = baseline.checks.filter(({ name, how }) => how !== "green" && name !== "turn");
    if (red.length > 0) throw new NotPlayed(`${one.name}: red at the base: ${red.map(({ tail }) => tail).join("\n")}`);
    await leaveChange(one, place, options.committed);
    await workspace.fold(before);
    const candidate = await workspace.tree();
    const earlier = (one.earlier ?? []).map((feature) => featureOf({ feature }));
    const order = { contract, feature: featureOf(one), earlier, base: before.tree, candidate, label: "F001-i1" };
    return await look({ prover, order, workspace, root: place.folder }, started);
  } finally {
    await tools.rooms.dispose();
  }
}

const scope = { mayTouch: [], mustNot: [], mayChange: [], include: null, exclude: [] };

type Place = { readonly folder: string; readonly home: string };

export async function layBase(one: Case, place: Place, packages: string): Promise<void> {
  await lay(one.project, place);
  if (one.project[".gitignore"] === undefined)
    fs.writeFileSync(
      join(place.folder, ".gitignore"),
      "node_modules\n__pycache__\n*.pyc\n.pytest_cache\ntarget\n.venv\ndist\n.env\n",
    );
  git(place, "init", "-q", "-b", "main");
  git(place, "config", "user.name", "A person");
  git(place, "config", "user.email", "person@example.org");
  git(place, "add", "-A");
  git(place, "commit", "-qm", "start");
  const { needs = [] } = one;
  if (needs.length > 0) {
    const names = await closureOf(packages, needs);
    if (names === null) throw new NotPlayed(`${needs.join(", ")} is not installed`);
    await bring({ packages, names, needs }, place.folder, "copy");
  }
  await lay(one.installed ?? {}, place);
  if (one.installs !== undefined) run(one.installs, place);
}

/** What the agent does in its session. */
export async function leaveChange(one: Case, place: Place, committed: boolean): Promise<void> {
  await lay(one.change, place);
  await lay(one.tampered ?? {}, place);
  if (one.act !== undefined) run(one.act, place);
  if (!committed) return;
  git(place, "add", "-A");
  git(place, "commit", "-qm", "done", "--allow-empty");
}

const run = (command: string, { folder, home }: Place): void =>
  void execFileSync("sh", ["-c", command], { cwd: folder, env: { ...process.env, HOME: home }, stdio: "ignore" });

function git({ folder, home }: Place, ...args: string[]): void {
  execFileSync("git", args, {
    cwd: folder,
    stdio: "ignore",
    env: { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...agentGitEnvironment },
  });
}

function checksOf({ check }: Case, { must }: PlayOptions): CheckSpec[] {
  const spec = (name: string, run: string, mustBe: CheckSpec["must"]): CheckSpec => ({
    name,
    run,
    must: mustBe,
    timeoutMs: 60_000,
    tests: [],
  });
  return [
    spec("test", check.run, "stay-green"),
    ...(check.lint === undefined ? [] : [spec("lint", check.lint, "stay-green")]),
    ...(must === "turn-green" && check.turn !== undefined ? [spec("turn", check.turn, "turn-green")] : []),
  ];
}

const featureOf = ({ feature }: Pick<Case, "feature">): Feature => ({
  id: featureId("F001"),
  name: feature.name,
  priority: 1,
  status: "not-started",
  description: feature.description ?? "",
  criteria: feature.criteria,
  dependencies: [],
  checks: [],
  mayTouch: [],
  designDoc: null,
  kind: feature.kind ?? "change",
  mayChange: feature.mayChange ?? [],
  enough: "proof",
});

export function judged({ failures, grade, missing, contradiction }: Proved): { outcome: Outcome; why: string } {
  if (failures.length > 0) return { outcome: "refused", why: failures.map(({ text }) => firstLine(text)).join(" | ") };
  if (contradiction !== null) return { outcome: "asked", why: `contradicts ${contradiction.tests.join("; ")}` };
  if (grade === "weak") return { outcome: "asked", why: missing.join(" | ") };
  return { outcome: "accepted", why: grade };
}

const shown = ({ checks }: Proved): string[] =>
  checks.map(({ run, check, how }) => `${run} ${check} ${how}`.replace("  ", " "));
const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
