// Checks whether a run could start here, the way a run would: every check on the folder's content, in a clean checkout.
// A red check is diagnosed. Starts no agent, spends nothing and writes nothing to the workspace.

import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Settings } from "../../formats/config/settings.ts";
import { lstatIfExists } from "../../host/disk.ts";
import type { Tools } from "../../proof/case.ts";
import type { Addition } from "../../proof/diagnose/addition.ts";
import { lookAround, type Surroundings } from "../../proof/diagnose/surroundings.ts";
import type { Estimate } from "../../proof/estimate.ts";
import type { ProofContract } from "../../proof/prover.ts";
import { dependencyRoots } from "../../proof/rooms/dependency-folders.ts";
import { detectBuild } from "../../proof/rooms/detect-build.ts";
import type { Kept, Rooms } from "../../proof/rooms/room.ts";
import { loadTree } from "../../proof/trees.ts";
import { obstacleFor, type StartObstacle } from "../../runtime/preflight.ts";
import { openRoomSource } from "../../workspace/git/rooms/room-source.ts";
import { openWorkspace } from "../../workspace/open.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { loadSettings } from "../config/settings.ts";
import { proofTools } from "../proofs/prover.ts";
import { splitOf } from "../proofs/seal-list.ts";
import { runFiles } from "../runs/home.ts";
import { checkSpec } from "./check-spec.ts";
import { openCheckVault } from "./check-vault.ts";
import { checksIn } from "./hook-check.ts";
import { type Lacking, lackingIn } from "./lacking.ts";
import { type CheckedCheck, type LookStep, lookAtChecks } from "./look-at-checks.ts";
import { nameACheck } from "./name-a-check.ts";

export type CheckStep = { readonly step: "keep" } | LookStep;
export type CheckOptions = { readonly onStep?: (step: CheckStep) => void; readonly signal: AbortSignal };

export type CheckedProject = {
  readonly rooms: Pick<Rooms, "kind" | "why">;
  readonly kept: Kept;
  readonly build: { readonly run: string; readonly from: "configured" | "detected" | "none" };
  readonly product: number;
  readonly protected: number;
  /** Where the checks come from. */
  readonly from: "configured" | "detected";
  /** What else keeps a run from starting. */
  readonly obstacle: StartObstacle | null;
  readonly lacking: readonly Lacking[];
  readonly checks: readonly CheckedCheck[];
  /** Makes every check green that can be; empty: nothing is needed, or nothing helps. */
  readonly additions: readonly Addition[];
  /** Milliseconds for one feature, by depth; null: no check is green. */
  readonly estimate: Estimate | null;
  readonly notes: readonly string[];
  /** Whether a run would start now. */
  readonly isFit: boolean;
};

/** Throws the signal's reason once it aborts. */
export async function checkProject(root: string, options: CheckOptions): Promise<CheckedProject> {
  const settings = loadSettings(root, {}, true);
  const vault = openCheckVault(root);
  try {
    const kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    const { vaultDir } = vault;
    const workspace = await openWorkspace({ root, vaultDir, kind });
    const files = runFiles(vault.filesDir);
    const tools = await proofTools({ workspace, vaultDir, files, recordsDir: settings.recordsDir, checks: {} });
    try {
      return await checkWith({ settings, tools, vaultDir, workspace }, options);
    } finally {
      await tools.rooms.dispose();
    }
  } finally {
    vault.close();
  }
}

type Parts = {
  readonly settings: Settings;
  readonly tools: Tools;
  readonly vaultDir: string;
  readonly workspace: Workspace;
};

async function checkWith(
  { settings, tools, vaultDir, workspace }: Parts,
  { onStep = () => {}, signal }: CheckOptions,
): Promise<CheckedProject> {
  const { root, kind } = workspace;
  const { rooms } = tools;
  const contract = contractOf(root, settings);
  const stop = obstacleFor(await workspace.inspect(), settings.recordsDir, settings.place);
  const tree = await loadTree(workspace, await workspace.tree());
  onStep({ step: "keep" });
  const kept = await rooms.keep(tree.id, contract.proof, signal);
  const build = contract.proof.build ?? detectBuild(tree) ?? "";
  const source = await openRoomSource({ root, vaultDir, kind });
  const around = async (): Promise<Surroundings> => surroundings(root, await source.ignored(tree.id), contract.proof);
  const looked = await lookAtChecks({
    tools,
    tree,
    contract,
    build,
    around,
    signal,
    onStep,
    tryOffline: settings.sandbox !== "off",
  });
  const split = splitOf(tree, settings);
  const lacking = lackingIn(root, tree);
  return {
    rooms: { kind: rooms.kind, why: rooms.why },
    kept,
    build: { run: build, from: build === "" ? "none" : contract.proof.build === null ? "detected" : "configured" },
    product: split.product.length,
    protected: split.protected.length,
    from: settings.checks === null ? "detected" : "configured",
    obstacle: stop,
    lacking,
    ...looked,
    notes: [
      ...new Set([
        ...kept.notes,
        ...lacking.map(({ what, run }) => `${what}: ${run}`),
        ...looked.notes,
        ...(split.product.length === 0 ? [noProduct] : []),
      ]),
    ],
    isFit: stop === null && looked.checks.every(({ isFit }) => isFit),
  };
}

const noProduct =
  "No file here counts as product, so that features can only add files; product: in loop.yaml names some.";

function contractOf(root: string, settings: Settings): ProofContract {
  const { proof, scope } = settings;
  const checks = checksIn(root, settings).map(checkSpec);
  if (checks.length === 0) throw noChecks(root);
  const { mayChange, mustNot, features } = scope;
  return { checks, proof, scope: { mayTouch: scope.mayTouch ?? [], mustNot, mayChange, ...features } };
}

const noChecks = (root: string): UserError =>
  new UserError("no-checks", {
    what: "There is nothing to check.",
    why: "No check is configured and none was detected.",
    next: nameACheck(root),
  });

function surroundings(root: string, ignored: readonly string[], terms: ProofContract["proof"]): Surroundings {
  const has = (path: string): boolean => lstatIfExists(join(root, path))?.isFile() ?? false;
  const installed = new Set(dependencyRoots(ignored, has).map(({ path }) => path));
  const rest = ignored.filter((path) => !installed.has(path.replace(/\/+$/, "")));
  return lookAround({ root, ignored: rest, env: process.env, home: homedir(), terms });
}
