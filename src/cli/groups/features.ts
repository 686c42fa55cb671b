// Commands for the time before a run: requests, contracts, features.
import { type Command, Option } from "commander";
import { exportFormats } from "../../formats/export/index.ts";
import { agentsShown, choice, levels } from "../choice-flags.ts";
import { type Done, flagsOf, oneMore } from "./group.ts";

export function addFeatures(program: Command, done: Done): void {
  program
    .command("score")
    .argument("[request...]", "the request; - reads it from standard input")
    .description(
      "Show how clear a request is, what kind of work it asks for and how hard it is to undo; spends nothing",
    )
    .option("--file <path>", "read the request from a file")
    .option("--check <command>", "a check that the run would have, instead of the configured ones", oneMore)
    .option("--bare", "judge the words alone, and not what the workspace says")
    .addOption(
      new Option("--format <form>", "seed: the points as the hope loop writes them").choices(["plain", "seed"]),
    )
    .action(async (request: string[], _flags, command: Command) => {
      done(await (await import("../commands/score.ts")).score(request.join(" ").trim(), flagsOf(command)));
    });

  program
    .command("init")
    .description("Look around, ask at most three questions, and write loop.yaml and the contract")
    .option("--goal <text>", "what should be true at the end")
    .option("--check <command>", "the command that proves it")
    .addOption(choice("--autonomy <level>", "when to ask", levels))
    .addOption(choice("--agent <name>", "left out: whichever is on PATH", agentsShown))
    .option("--yes", "ask nothing: take what was found, and the defaults")
    .option("--force", "replace what is there, and keep it as .bak")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/init.ts")).init(flagsOf(command)));
    });

  program
    .command("import")
    .argument("[file]", "feature_list.json, prd.json, fix_plan.md, phase_plan.yaml, tasks.json, a PRD in Markdown, …")
    .description("Bring features of another tool into the work queue, FEATURES.json")
    .option("--github", "the open issues of this repository, read through gh")
    .option("--format <name>", "what the file is, where it cannot be told")
    .option("--dry-run", "show what would come in and write nothing")
    .option("--merge", "add to the features that are there")
    .option("--replace", "put them in place of the features that are there; the old file is kept")
    .action(async (file: string | undefined, _flags, command: Command) => {
      done(await (await import("../commands/import.ts")).importFile(file, flagsOf(command)));
    });

  program
    .command("export")
    .description("Write the features and how far they are, for another tool or for people")
    .addOption(choice("--format <name>", "what to write", exportFormats).default("features"))
    .option("--out <file>", "write there instead of printing")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/export.ts")).exportFile(flagsOf(command)));
    });
}
