// loop cancel: ends a run permanently and immediately. Lists what it would remove first, which is never anyone's work.
import * as fs from "node:fs";
import { join, relative } from "node:path";
import { readStory } from "../../engines/local/read-story.ts";
import { openRun } from "../../engines/local/runs.ts";
import { post } from "../../engines/local/signals.ts";
import { sleep } from "../../host/process/wait.ts";
import { runDir } from "../../project/home.ts";
import { latestRun } from "../../project/list-runs.ts";
import { whoDrives } from "../../project/who-drives.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { comesToRest } from "./pause.ts";

export type CancelFlags = GlobalFlags & { clean?: boolean; keep?: boolean };

export async function cancel(flags: CancelFlags): Promise<number> {
  const context = contextOf(flags);
  const run = latestRun(context.root, flags.run);
  const before = readStory(context.root, run);
  if (before.run.now.is === "stopped") {
    context.answer(`Run ${run} was already over: ${before.run.now.outcome.kind}.\n`);
  } else if ((await whoDrives(context.root)) === null) {
    const held = await openRun(context.root, run);
    await held.run.record({ type: "cancel-requested" });
    if (held.run.story.run.now.is !== "stopped") await held.run.record({ type: "cut", usage: null, tookMs: 0 });
    await held.close();
    context.answer(`Cancelled run ${run}\n`);
  } else {
    post(runDir(vaultDirFor(context.root), run), { type: "cancel-requested" });
    if (!(await comesToRest(context.root, run))) {
      context.comment("The run has not ended yet: it finishes what must not be cut short first.\n");
      return 1;
    }
    context.answer(`Cancelled run ${run}\n`);
  }
  const mirror = join(context.root, ".loop", "tasks", before.chronicle.task, "runs", run);
  if (flags.clean === true) await cleanWhenLeft(context, mirror);
  else
    context.answer(
      `Its commits, your files and what it set aside stay. Its logs are in ${relative(context.root, mirror)}; to remove them: loop cancel --clean\n`,
    );
  return 0;
}

const patienceMs = 15_000;

/**
 * The run reports that it is over before its last records are written, so wait until the process that drove it is gone.
 */
async function cleanWhenLeft(context: Context, mirror: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while ((await whoDrives(context.root)) !== null && performance.now() < end) await sleep(100);
  clean(context, mirror);
}

/** Only the run's mirror in the workspace, which is a copy: the vault keeps the original. */
function clean({ answer, root }: Context, mirror: string): void {
  if (!fs.existsSync(mirror)) {
    answer("There is nothing to remove.\n");
    return;
  }
  answer(`Removing, all of it a copy of what the vault keeps:\n  ${relative(root, mirror)}\n`);
  fs.rmSync(mirror, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  for (const empty of [join(mirror, ".."), join(mirror, "..", "..")]) if (fs.existsSync(empty)) removeIfEmpty(empty);
}

function removeIfEmpty(dir: string): void {
  if (fs.readdirSync(dir).every((name) => name === "task.json")) fs.rmSync(dir, { recursive: true, force: true });
}
