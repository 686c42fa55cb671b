// --task: the latest run of that task, for every command about a run.
import type { Command } from "commander";
import { UserError } from "../core/errors.ts";
import { isPlainName } from "../core/ids.ts";
import { onlyOne, readIfPossible, runsNamed } from "../engines/watch.ts";
import { contextOf, type GlobalFlags } from "./context.ts";

/** Begins a run of a task that may be new, and lists by task: these read the flag themselves. */
const ownReaders = ["run", "list"];

/** Sets `--run` to the run that `--task` means. A task that does not exist is an error, never another task's run. */
export async function settleTask(program: Command, command: Command): Promise<void> {
  const flags: GlobalFlags = command.optsWithGlobals();
  if (flags.task === undefined) return;
  if (!isPlainName(flags.task)) throw badName(flags.task);
  if (ownReaders.includes(command.name())) return;
  const { engine } = contextOf(flags);
  const runs = await engine.runs();
  const found: string[] = [];
  for (const run of flags.run === undefined ? runs : runsNamed(runs, flags.run)) {
    if ((await readIfPossible(engine, run))?.chronicle.task === flags.task) found.push(run);
    // Without a name the latest is meant, and the others need not be read.
    if (flags.run === undefined && found.length > 0) break;
  }
  const run = flags.run === undefined ? found[0] : onlyOne(found, flags.run);
  if (run !== undefined) {
    program.setOptionValue("run", run);
    return;
  }
  throw new UserError("no-such-task", {
    what: "There is no such task.",
    why: `No run here belongs to ${flags.task}${flags.run === undefined ? "" : ` and is called ${flags.run}`}.`,
    next: "loop list",
  });
}

const badName = (task: string): UserError =>
  new UserError("bad-flag", {
    what: "Nothing was done.",
    why: `${JSON.stringify(task.slice(0, 80))} cannot be the name of a task.`,
    next: "Use letters, digits, - and _, at most 64: loop list shows the tasks that are there.",
  });
