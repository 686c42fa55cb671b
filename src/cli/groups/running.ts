// Commands that begin a run, resume it, or end it.
import { type Command, Option } from "commander";
import { UserError } from "../../core/errors.ts";
import { nearest } from "../../formats/nearest.ts";
import { addLimitFlags } from "../limit-flags.ts";
import { type Done, flagsOf } from "./group.ts";

function limits(command: Command): Command {
  return addLimitFlags(command)
    .option("--yes-really", "allow limits above the ceilings")
    .addOption(
      new Option("--format <form>", "seed: the [LOOP] lines, status blocks and verdict box of the hope loop").choices([
        "plain",
        "seed",
      ]),
    )
    .option("--no-wait", "exit with code 8 instead of waiting for a usage limit")
    .option("--steal-lock", "take over the lock of a machine that no longer exists");
}

/** A single word similar to the name of a command is a typo, never paid work. */
function refuseTypo(request: readonly string[], command: Command): void {
  const [word = "", ...more] = request;
  const isSaid = command.parent?.args.includes("run") === true;
  if (more.length > 0 || isSaid || !/^[a-z][a-z-]*$/i.test(word)) return;
  const names = (command.parent?.commands ?? []).flatMap((each) => [each.name(), ...each.aliases()]);
  const meant = nearest(word, names);
  if (meant === null) return;
  throw new UserError(
    "unknown-command",
    {
      what: "Nothing was started.",
      why: `There is no command ${word}.`,
      next: `Did you mean: loop ${meant}? To ask for it as work: loop run "${word}"`,
    },
    { exitCode: 64 },
  );
}

export function addRunning(program: Command, done: Done): void {
  limits(program.command("run", { isDefault: true }))
    .argument("[request...]", "what should be done; left out: the open features of docs/FEATURES.json")
    .description("Begin a run")
    .option("--check <command...>", "use this check instead of the configured ones")
    .option("--agent <name>", "claude or codex, for making and checking")
    .option("--autonomy <level>", "L1, L2 or L3")
    .option("--pairs <list>", "the pairs of producer and verifier that run: plan,implement,test,audit")
    .option("--sandbox <mode>", "walls around agents: auto, require or off")
    .option("--yes", "skip the questions and the review before building")
    .option("--overnight", "8 hours of work, 50 iterations and commits, no questions")
    .option("--prd <file>", "the features of this PRD, in Markdown or any format of loop import")
    .option("--dry-run", "print the contract and start nothing")
    .option("--no-git", "work without git, with the vault alone")
    .action(async (request: string[], _flags, command: Command) => {
      const { run } = await import("../commands/run.ts");
      const text = request.join(" ").trim();
      refuseTypo(request, command);
      done(await run(text === "" ? null : text, flagsOf(command)));
    });

  limits(program.command("continue"))
    .argument("[request...]", "other words for the task, with --intent")
    .description("Resume a paused or interrupted run")
    .option("--agent <name>", "resume with claude or codex, for making and checking")
    .option("--intent <mode>", "how the new text relates to the request: append, replace or preserve")
    .option("--yes", "approve the gate that it waits at")
    .action(async (words: string[], _flags, command: Command) => {
      done(await (await import("../commands/continue.ts")).goOn(words, flagsOf(command)));
    });

  program
    .command("pause")
    .description("Pause the run")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/pause.ts")).pause(flagsOf(command)));
    });

  program
    .command("cancel")
    .description("Cancel the run")
    .option("--keep", "keep its logs in the workspace (the default)")
    .option("--clean", "remove its logs from the workspace; they are listed first, and the vault keeps them")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/cancel.ts")).cancel(flagsOf(command)));
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
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/demo.ts")).demo(flagsOf(command)));
    });
}
