// loop cancel: ends a run permanently and immediately. Lists what it would remove first, which is never anyone's work.
import * as fs from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "../../core/errors.ts";
import { findOpenRun } from "../../engines/watch.ts";
import { heldHere } from "../../hook/held-here.ts";
import { readIfExists } from "../../host/disk.ts";
import { sleep } from "../../host/process/wait.ts";
import { quarantinesOf } from "../../project/runs/quarantines.ts";
import { isOthersState } from "../../report/state-json.ts";
import type { Story } from "../../report/story.ts";
import { addressedTo, heldLeft, leftInFolder, unprovedInFolder } from "../../report/words/left.ts";
import { landNext, recordsText, type Worktree } from "../../report/worktree.ts";
import { type Cancelled, cancelRun } from "../cancel-run.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";

export type CancelFlags = GlobalFlags & { clean?: boolean; keep?: boolean; undo?: boolean };

export async function cancel(flags: CancelFlags): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  if (flags.keep === true && flags.undo === true) throw keepOrUndo();
  if (flags.run === undefined && (await engine.runs()).length === 0) refuseHeld(context.root);
  const run = await findOpenRun(engine, flags.run);
  const { story: before, worktree: at } = await engine.read(run);
  const isWorktree = at !== undefined;
  const aside = isWorktree ? new Set(await setAside(context.root)) : new Set<string>();
  if (before.run.now.is === "stopped") {
    const left = at?.exists === false ? null : leftInFolder(before, at?.dir);
    context.answer(`Run ${run} was already over: ${before.run.now.outcome.kind}.${left === null ? "" : ` ${left}`}\n`);
  } else {
    const ended = await cancelRun(engine, run, { undo: flags.keep !== true });
    if (ended === null) {
      context.comment("The run has not ended yet: it finishes what must not be cut short first.\n");
      return 1;
    }
    const left = isWorktree ? "" : leftText(before, ended, flags.keep === true);
    context.answer(`Cancelled run ${run}\n${left}`);
  }
  const { worktree, story } = await engine.read(run);
  const held = heldLeft(story.run);
  if (held !== null) context.answer(`${held}\n`);
  if (worktree !== undefined && (worktree.landed === null || worktree.isAhead))
    context.answer(
      placeText(
        worktree,
        run,
        (await setAside(context.root)).filter((id) => !aside.has(id)),
      ),
    );
  const mirror = join(context.root, ".loop", "tasks", before.chronicle.task, "runs", run);
  // Until it lands, the logs and the state of a run in a worktree are there, and leave with it.
  if (worktree !== undefined && !fs.existsSync(mirror)) return 0;
  const state = latestIn(context.root) === run ? ownState(context.root) : [];
  if (flags.clean === true) await cleanWhenLeft(context, run, { mirror, state });
  else if (fs.existsSync(mirror))
    context.answer(
      `Its logs are in ${relative(context.root, mirror)}${state.length === 0 ? "; to remove them" : ", its state in .loop/state.json; to remove both"}: loop cancel --clean\n`,
    );
  return 0;
}

/** A held session is no run: another command ends it. */
function refuseHeld(root: string): void {
  const held = heldHere(root);
  if (held === null) return;
  const why = `No run was ever begun here. ${held}`;
  throw new UserError("no-such-run", { what: "No run was cancelled.", why, next: "loop hook release" });
}

/** What the folder holds now. Commits stay in any case. */
function leftText(before: Story, { quarantine, left }: Cancelled, isKept: boolean): string {
  const features = unprovedInFolder(before).join(", ");
  if (features === "") return "Its commits stay, and no unproved work is in the folder.\n";
  if (isKept)
    return `Its commits stay, and so does the unproved work on ${features} in the folder: git status shows it.\n`;
  if (left !== null)
    return `Its commits stay. The unproved work on ${features} could not be taken out of the folder, and is still there: ${left}\n`;
  if (quarantine === null) return `Its commits stay. There was no unproved work on ${features} to take out.\n`;
  return `Its commits stay. The unproved work on ${features} was taken out of the folder, and is kept: loop recover ${quarantine}\n`;
}

const keepOrUndo = (): UserError =>
  new UserError("usage", {
    what: "Nothing was cancelled.",
    why: "--keep leaves unproved work in the folder, and --undo takes it out.",
    next: "Use one of them. Without either, it is taken out and kept in quarantine.",
  });

/** The state file is that of the latest run here. Another loop has one of the same name, which is not ours to remove. */
function ownState(root: string): string[] {
  const path = join(root, ".loop", "state.json");
  const text = readIfExists(path);
  return text === null || isOthersState(text) ? [] : [path];
}

/** The latest run with logs in this folder: the name of a run begins with its time. */
function latestIn(root: string): string | null {
  const tasks = join(root, ".loop", "tasks");
  const runs = namesIn(tasks).flatMap((task) => namesIn(join(tasks, task, "runs")));
  return runs.sort().at(-1) ?? null;
}

const namesIn = (dir: string): string[] => (fs.existsSync(dir) ? fs.readdirSync(dir) : []);

/** The names of everything that was set aside, in any place. */
async function setAside(root: string): Promise<string[]> {
  const all = await quarantinesOf(root, "git");
  return (await Promise.all(all.map(({ quarantine }) => quarantine.list()))).flat().map(({ id }) => id);
}

/** Its worktree is gone once the process that drove it has left; its logs were in there. `aside`: what was set aside by this. */
function placeText(worktree: Worktree, run: string, aside: readonly string[]): string {
  const { branch, isAhead, records, exists } = worktree;
  const folder = recordsText(records);
  const is = folder === "" ? " Your folder is as it was." : `\n${folder}`;
  const kept = `${asideText(aside, exists)}${is}`;
  return isAhead
    ? `Its commits stay on ${branch}, and have not landed. To have them: ${addressedTo(run, landNext(worktree))}\n${kept}\n`
    : `${kept}\n`;
}

function asideText(aside: readonly string[], exists: boolean): string {
  if (aside.length > 0) return `What was uncommitted in its worktree is kept: loop recover ${aside.join(", ")}.`;
  return exists
    ? "What is uncommitted in its worktree is kept once its process has left: loop recover."
    : "Nothing uncommitted was in its worktree.";
}

const leavingMs = 15_000;

/**
 * The run reports that it is over before its last records are written, so wait until the process that drove it is gone.
 */
async function cleanWhenLeft(
  context: Context,
  run: string,
  { mirror, state }: { readonly mirror: string; readonly state: readonly string[] },
): Promise<void> {
  const end = performance.now() + leavingMs;
  while ((await context.engine.read(run)).isDriven && performance.now() < end) await sleep(100);
  clean(context, mirror, state);
}

/** Only the run's mirror and state in the workspace, which are copies: the vault keeps the original. Never work. */
function clean({ answer, root }: Context, mirror: string, state: readonly string[]): void {
  const there = [mirror, ...state].filter((path) => fs.existsSync(path));
  if (there.length === 0) {
    answer("There is nothing to remove.\n");
    return;
  }
  const names = there.map((path) => `  ${relative(root, path)}\n`).join("");
  answer(`Removing, all of it a copy of what the vault keeps:\n${names}`);
  for (const path of there) fs.rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  for (const empty of [join(mirror, ".."), join(mirror, "..", "..")]) if (fs.existsSync(empty)) removeIfEmpty(empty);
}

function removeIfEmpty(dir: string): void {
  const index = ["task.json", "ledger.json"];
  if (fs.readdirSync(dir).every((name) => index.includes(name))) fs.rmSync(dir, { recursive: true, force: true });
}
