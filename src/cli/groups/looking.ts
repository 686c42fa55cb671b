// Read-only commands.
import type { Command } from "commander";
import { type Done, flagsOf } from "./group.ts";

export function addLooking(program: Command, done: Done): void {
  program
    .command("status")
    .description("Show where the run is")
    .option("--seal", "list product and protected files, with the reason for each")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/status.ts")).status(flagsOf(command)));
    });

  program
    .command("watch")
    .description("Watch what the run does now, from any terminal; v shows details")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/watch.ts")).watch(flagsOf(command)));
    });

  program
    .command("logs")
    .description("Print what the agent of a session did and said; --json: every line as it was printed")
    .option("-f, --follow", "go on with what it prints, and with the next sessions, until the run rests")
    .option("--session <number>", "the session, from 1; left out: the latest")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/logs.ts")).logs(flagsOf(command)));
    });

  program
    .command("notify")
    .description("Send a test message every way that loop.yaml names under notify")
    .option("--test", "send it")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/notify.ts")).notify(flagsOf(command)));
    });

  program
    .command("list")
    .alias("ls")
    .description("List the tasks of this workspace with their runs")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/list.ts")).list(flagsOf(command)));
    });

  program
    .command("show")
    .argument("[run]", "the run; left out: the latest")
    .description("Show every iteration of a run")
    .action(async (run: string | undefined, _flags, command: Command) => {
      done(await (await import("../commands/show.ts")).show(run, flagsOf(command)));
    });

  program
    .command("report")
    .description("Print the report of a run")
    .option("--pr", "prepare a pull request instead, and print the script that you run to open it")
    .option("--html", "write it as a page for the browser instead, and print where it is")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/report.ts")).report(flagsOf(command)));
    });

  program
    .command("read")
    .argument("[run]", "the run; left out: the latest that has committed something")
    .description("Read the commits of a run, riskiest first")
    .action(async (run: string | undefined, _flags, command: Command) => {
      done(await (await import("../commands/read.ts")).read(run, flagsOf(command)));
    });

  program
    .command("inbox")
    .description("Show what waits for you")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/inbox.ts")).inbox(flagsOf(command)));
    });

  program
    .command("memory")
    .description("List what earlier runs here have learned")
    .option("--forget <number>", "forget one of them, or all")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/memory.ts")).memory(flagsOf(command)));
    });

  program
    .command("prove")
    .argument("[what]", "a commit, or a feature of the run; left out: every feature of the latest run")
    .description("Run past proofs again and say whether they match")
    .option("--all", "every proof that the history names")
    .option("--range <base..head>", "prove each of these commits by the contract of base, for a pull request")
    .action(async (what: string | undefined, _flags, command: Command) => {
      done(await (await import("../commands/prove.ts")).prove(what, flagsOf(command)));
    });

  program
    .command("check")
    .description("Run the checks in a clean checkout, and find what a red one lacks there; spends nothing")
    .option("--write", "add to loop.yaml what it lacks, without asking")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/check.ts")).check(flagsOf(command)));
    });

  program
    .command("doctor")
    .description("Look at what is here: agents, checks, git, vault, journal")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/doctor.ts")).doctor(flagsOf(command)));
    });

  program
    .command("drill")
    .description(
      "Set a cast of bad agents, and an honest one, on a copy of this project and its configuration; needs no key",
    )
    .option("--only <act...>", "only these acts")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/drill.ts")).runDrill(flagsOf(command)));
    });
}
