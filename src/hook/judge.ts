// The other half of the dual condition: what the runtime finds itself, on a clean checkout of the folder as it is.
import { join } from "node:path";
import type { Contract } from "../core/contract.ts";
import { Bug } from "../core/errors.ts";
import { runId, sessionId, taskId, treeId } from "../core/ids.ts";
import type { Cause } from "../core/run.ts";
import { localChecks } from "../engines/local/checks.ts";
import { runFiles } from "../engines/local/home.ts";
import { systemClock } from "../engines/local/local-run.ts";
import type { Ports } from "../runtime/ports.ts";
import { addedLines } from "../runtime/proof/added-lines.ts";
import { newDependencies } from "../runtime/proof/dependencies.ts";
import { mustNotCauses } from "../runtime/proof/must-not.ts";
import { type Judged, runChecks } from "../runtime/proof/run-checks.ts";
import { compareWithSeal, openSeal } from "../runtime/proof/seal.ts";
import { findSecrets, secretCauses } from "../runtime/proof/secrets.ts";
import { noSealedRun, type Sealing, sealedRun, tamperingCauses } from "../runtime/proof/tampering.ts";
import { vaultDirFor } from "../workspace/vault.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Unmet } from "./decide.ts";
import type { Hold } from "./hold.ts";

export type Judgement = { readonly tree: string; readonly unmet: readonly Unmet[] };

const diffBytesMax = 400_000;
/** What an agent gets to read of a failure: the end of it, where failures are. */
const tailMax = 2500;

export async function judge(hold: Hold, workspace: Workspace, cut: AbortSignal): Promise<Judgement> {
  const origin = treeId(hold.origin);
  const candidate = await workspace.tree();
  const scope = { ...hold.scope, mayTouch: [], include: null, exclude: [] };
  const contract: Pick<Contract, "checks" | "scope"> = { checks: hold.checks, scope };
  const ports = portsFor(hold, workspace);
  const label = `hook-${hold.progress.iteration + 1}`;
  const task: Sealing = { specs: hold.checks, candidate, label, ports, cut, isOwn: () => true, run: { contract } };
  const green = await runChecks(hold.checks, { on: "candidate", tree: candidate, label }, contract, ports, cut);
  const rule = await openSeal(workspace, contract, origin);
  const seal = await compareWithSeal(workspace, rule, { origin, base: origin, candidate }, null);
  const isGreen = green.every(({ how }) => how === "green");
  const sealed = isGreen ? await sealedRun(task, seal) : noSealedRun;
  ports.files.write(`diffs/${label}.diff`, await workspace.diff(origin, candidate, diffBytesMax), "derived");
  const causes = [
    ...green.flatMap(redCause),
    ...sealed.judged.filter(({ how }) => how === "cut").flatMap(redCause),
    ...tamperingCauses(task, green, sealed.judged, seal, ports.files.path(`diffs/${label}.diff`)),
    ...(await ruleCauses(hold, workspace, candidate, rule)),
  ];
  const here = inWorkspace(hold.root);
  return { tree: candidate, unmet: causes.map(({ key, text }) => ({ key, text: here(text) })) };
}

/** The agent's files are in its workspace; the checkout that the checks ran in is nobody's to look for. */
function inWorkspace(root: string): (text: string) => string {
  const scratch = join(vaultDirFor(root), "scratch", "prove");
  return (text) => text.replaceAll(scratch, root);
}

function redCause({ spec, result, how }: Judged): Cause[] {
  if (how === "green") return [];
  const name = `${spec.name} (${spec.run})`;
  if (how === "cut")
    return [{ kind: "check-red", key: `cut:${spec.name}`, text: `${name} did not end in the time that a hook has.` }];
  if (how === "flaky")
    return [
      {
        kind: "flaky",
        key: `flaky:${spec.name}`,
        text: `${name} was red and then green on the same tree: it is flaky.`,
      },
    ];
  const ended = result.how === "failed" ? `exit code ${result.exitCode}` : result.how;
  const text = `${name} is red, ${ended}. The end of its output:\n${result.tail.slice(-tailMax)}`;
  return [{ kind: "check-red", key: `check:${spec.name}:${result.how}:${result.signature}`, text }];
}

/** What can be known of the change without running anything. */
async function ruleCauses(
  { origin, scope }: Hold,
  workspace: Workspace,
  candidate: ReturnType<typeof treeId>,
  rule: Awaited<ReturnType<typeof openSeal>>,
): Promise<Cause[]> {
  const span = { from: treeId(origin), to: candidate };
  const changes = await workspace.changes(span.from, span.to);
  const { lines } = await addedLines(workspace, span, changes);
  const dependencies = await newDependencies(workspace, span, changes);
  return [...mustNotCauses(scope.mustNot, { changes, lines, dependencies }), ...secretCauses(findSecrets(lines, rule))];
}

function portsFor({ root }: Hold, workspace: Workspace): Ports {
  const nobody = () => {
    throw new Bug("a hook starts no session and writes nothing to the workspace");
  };
  return {
    task: taskId("hook"),
    run: runId(`hook-${process.pid}`),
    workspace,
    checks: localChecks,
    sessions: { run: nobody },
    clock: systemClock,
    files: runFiles(join(vaultDirFor(root), "hook")),
    disk: { read: () => null, write: nobody },
    newSessionId: () => sessionId("none"),
    note: () => {},
  };
}
