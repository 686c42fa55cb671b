// Commands that begin a run, resume it, or end it.
import type { Command } from "commander";
import { UserError } from "../../core/errors.ts";
import { addCrewFlags, choice, intents, levels, sandboxes, seedFormat } from "../choice-flags.ts";
import { addLimitFlags } from "../limit-flags.ts";
import { type Done, flagsOf, oneMore } from "./group.ts";

function limits(command: Command): Command {
  return addLimitFlags(command)
    .option("--yes-really", "allow limits above the ceilings")
    .addOption(seedFormat())
    .option("--no-wait", "exit with code 8 instead of waiting for a usage limit")
    .option("--steal-lock", "take over the lock of a machine that no longer exists");
}

/** Without a request there is nothing to start by chance: the queue is started by name. */
function refuseFlagsAlone(command: Command): void {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === "cli");
  if (given.length === 0) return;
  const flags = given.map(({ long }) => long).join(", ");
  throw new UserError("no-request", {
    what: "Nothing was started.",
    why: `${flags} came without a command and without a request.`,
    next: 'To work on the open features: loop run. To ask for something: loop "what should be done"',
  });
}

export function addRunning(program: Command, done: Done): void {
  addCrewFlags(limits(program.command("run", { isDefault: true })))
    .argument("[request...]", "what should be done; without one: the open features")
    .description("Start a run: a request, or the open features of the queue")
    .option("--check <command>", "use this check instead of the configured ones; may be repeated", oneMore)
    .addOption(choice("--autonomy <level>", "when to ask", levels))
    .addOption(choice("--sandbox <mode>", "walls around agents", sandboxes))
    .option("--pairs <list>", "pairs that run: plan,implement,test,audit")
    .option("--yes", "skip the questions and the review before building")
    .option("--overnight", "8 hours, 50 iterations and commits, no questions, notifications on")
    .option("--unconfined", "allow L3 (unattended) without walls around agents")
    .option("--prd <file>", "the features of this PRD, in Markdown or any format of loop import")
    .option("--issue <number>", "the text of this GitHub issue is the request, read through gh")
    .option("--pr", "after success: prepare a pull request, and a script that you run to open it")
    .option("--dry-run", "show what would happen and start nothing")
    .option("--here", "work in this folder, on its branch; it has to be clean")
    .option("--worktree", "work in a git worktree and branch, and land when it is done")
    .option("--no-git", "work without git, with the vault alone")
    .action(async (request: string[], _flags, command: Command) => {
      const text = request.join(" ").trim();
      const isNamed = program.args[0] === "run";
      const { prd, issue } = command.opts<{ prd?: string; issue?: string }>();
      if (!isNamed && text === "" && prd === undefined && issue === undefined) {
        refuseFlagsAlone(command);
        done(await (await import("../commands/where.ts")).where(flagsOf(command)));
      } else done(await (await import("../commands/run.ts")).run(text === "" ? null : text, flagsOf(command)));
    });

  addCrewFlags(limits(program.command("continue").alias("resume")))
    .argument("[request...]", "other words for the task, with --intent")
    .description("Resume a paused or interrupted run")
    .addOption(choice("--intent <mode>", "how the new text relates to the request", intents))
    .option("--yes", "approve the gate that it waits at, and ask at no later one")
    .action(async (words: string[], _flags, command: Command) => {
      done(await (await import("../commands/continue.ts")).goOn(words, flagsOf(command)));
    });

  program
    .command("pause")
    .alias("stop")
    .description("Pause the run")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/pause.ts")).pause(flagsOf(command)));
    });

  program
    .command("cancel")
    .description("Give the run up; its commits stay")
    .option("--undo", "take its unproved work out of the folder, and keep it in quarantine (the default)")
    .option("--keep", "leave its unproved work in the folder; that in a worktree is kept in quarantine")
    .option("--clean", "also remove its logs and state from the workspace; the vault keeps them")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/cancel.ts")).cancel(flagsOf(command)));
    });

  program
    .command("land")
    .description("Land what a run has committed in its worktree: fast-forward, or merge and prove again")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/land.ts")).land(flagsOf(command)));
    });

  program
    .command("undo")
    .argument("<feature...>", "finished features, such as F003, or their commits")
    .description("Take finished features back with revert commits, after asking")
    .option("--yes", "do not ask")
    .action(async (features: string[], _flags, command: Command) => {
      done(await (await import("../commands/undo.ts")).undoFeatures(features, flagsOf(command)));
    });

  program
    .command("recover")
    .argument("[id]", "what to bring back; left out: list what was set aside")
    .argument("[paths...]", "only these files")
    .description("List what was set aside, and bring it back")
    .option("--show", "list the files of one entry")
    .option("--to <folder>", "write them there instead of the workspace")
    .option("--no-git", "of a workspace that was worked on without git")
    .action(async (id: string | undefined, paths: string[], _flags, command: Command) => {
      done(await (await import("../commands/recover.ts")).recover(id, paths, flagsOf(command)));
    });

  program
    .command("demo")
    .description("Watch a run over a sample project, with a built-in agent and no key")
    .option("--dir <folder>", "make the sample project there and keep it")
    .option("--browser", "watch it on a page as well, which opens by itself")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/demo.ts")).demo(flagsOf(command)));
    });
}
