// The other half of the dual condition: what the prover finds in the folder as it is. The same prover as a run's.
import * as fs from "node:fs";
import { join } from "node:path";
import { featureId, treeId } from "../core/ids.ts";
import { localProver } from "../project/proofs/prover.ts";
import { runFiles } from "../project/runs/home.ts";
import { permissionHint } from "../proof/findings/said.ts";
import type { Proved, ProveOrder } from "../proof/prover.ts";
import { vaultDirFor } from "../workspace/vault.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Unmet } from "./decide.ts";
import type { Hold } from "./hold.ts";

export type Judgement = { readonly tree: string; readonly unmet: readonly Unmet[] };

export async function judge(hold: Hold, workspace: Workspace, cut: AbortSignal): Promise<Judgement> {
  const candidate = await workspace.tree();
  const prover = hookProver(hold, workspace);
  try {
    const proved = await prover.prove(orderFor(hold, candidate), cut);
    return { tree: candidate, unmet: proved.cut ? [outOfTime] : unmetOf(proved, hold.root) };
  } catch (error) {
    if (cut.aborted) return { tree: candidate, unmet: [outOfTime] };
    throw error;
  } finally {
    await prover.dispose();
  }
}

const outOfTime: Unmet = {
  key: "out-of-time",
  text: "The proof did not end in the time that a hook has. What it has seen so far is kept for the next time.",
};

export const hookProver = ({ root, recordsDir }: Pick<Hold, "root" | "recordsDir">, workspace: Workspace) =>
  localProver({
    workspace,
    vaultDir: vaultDirFor(root),
    files: runFiles(join(vaultDirFor(root), "hook")),
    recordsDir,
    placesDir: hookPlaces(root),
    checks: {},
  });

/** Separate, because a resting run depends on the places that it has kept. */
function hookPlaces(root: string): string {
  const dir = join(vaultDirFor(root), "hook");
  fs.mkdirSync(dir, { recursive: true });
  return dir;
}

/** The request as a single feature: a hold is a run with one feature, built by a person's own session. */
export function orderFor(hold: Hold, candidate: string): ProveOrder {
  const scope = { ...hold.scope, include: null, exclude: [] };
  return {
    contract: { checks: hold.checks, proof: hold.proof, scope },
    feature: {
      id: featureId("F001"),
      name: hold.request,
      priority: 1,
      status: "in-progress",
      description: hold.request,
      criteria: hold.criteria,
      dependencies: [],
      checks: hold.checks.filter(({ must }) => must === "turn-green").map(({ name }) => name),
      mayTouch: [],
      designDoc: null,
      kind: "change",
      mayChange: [],
      enough: "proof",
    },
    base: treeId(hold.origin),
    candidate: treeId(candidate),
    label: `hook-${hold.progress.iteration + 1}`,
  };
}

function unmetOf({ failures, missing, contradiction, grade }: Proved, root: string): Unmet[] {
  const rewritten =
    contradiction === null
      ? []
      : [
          {
            key: `contradiction:${contradiction.tests.join(",").slice(0, 200)}`,
            text: `Protected tests were changed, and nothing else speaks against the work: ${contradiction.tests.slice(0, 10).join("; ")}. Put them back, or ask the person (QUESTION:), who can name them under scope.may_change in loop.yaml and start a new hold.`,
          },
        ];
  const unmet = [
    ...failures.map(({ key, text }) => ({ key, text: forSession(text, root) })),
    ...missing.map((text) => ({ key: `missing:${text.slice(0, 80)}`, text: forSession(text, root) })),
    ...rewritten,
  ];
  if (unmet.length > 0 || grade !== "weak") return unmet;
  return [{ key: "unproved", text: "The work is not proved." }];
}

const askPerson =
  "\nIf the request cannot be met without changing them, put them back and ask the person: EXIT_SIGNAL: false and QUESTION: with the tests and the reason.";

/** Adapts text written for a builder to a session that sees only its own folder. */
function forSession(text: string, root: string): string {
  const checkout = join(realOr(vaultDirFor(root)), "rooms", "open").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text
    .replace(permissionHint, askPerson)
    .replace(" A person has to look.", " Ask the person (QUESTION:) whether that is all there is to do.")
    .replaceAll(new RegExp(`${checkout}/[^/\\s]+/tree(?=/|\\b)`, "g"), () => root);
}

function realOr(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return path;
  }
}
