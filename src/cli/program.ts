// The commands and their flags. Each command is loaded when it is asked for.
import { Command } from "commander";
import { version } from "../version.ts";
import type { GlobalFlags } from "./context.ts";

const program = new Command("loop")
  .description("Run coding agents over a git repository until a written contract is met, and believe nothing unchecked")
  .version(version)
  .option("--workspace <folder>", "work there instead of here")
  .option("--task <id>", "the task a run belongs to")
  .option("--run <id>", "an earlier run instead of the latest")
  .option("--json", "print the answer as JSON")
  .option("--quiet", "no commentary")
  .option("--no-color", "no colours")
  .showHelpAfterError("(loop --help lists the commands)")
  .exitOverride();

const flagsOf = (command: Command): GlobalFlags => command.optsWithGlobals();
let code = 0;

function limits(command: Command): Command {
  return command
    .option("--budget <usd>", "the most it may cost")
    .option("--iterations <n>", "the most passes over features")
    .option("--minutes <n>", "the most working time")
    .option("--sessions <n>", "the most sessions")
    .option("--tokens <n>", "the most tokens")
    .option("--commits <n>", "the most commits")
    .option("--yes-really", "allow limits above the ceilings")
    .option("--no-wait", "leave with exit code 8 when a usage limit has to be waited for")
    .option("--steal-lock", "take over a lock whose owner is on a machine that is gone");
}

limits(program.command("run", { isDefault: true }))
  .argument("[request...]", "what should be done; left out: the open features of docs/FEATURES.json")
  .description("Begin a run")
  .option("--check <command...>", "a check to hold the work against, instead of the configured ones")
  .option("--agent <name>", "claude or codex, for making and checking")
  .option("--autonomy <level>", "L1, L2 or L3")
  .option("--yes", "agree to the contract unseen: no gate before building")
  .option("--prd <file>", "the features of this PRD, in Markdown or any format of loop import")
  .option("--dry-run", "print the contract and start nothing")
  .option("--no-git", "work without git, with the vault alone")
  .action(async (request: string[], _flags, command: Command) => {
    const { run } = await import("./commands/run.ts");
    const text = request.join(" ").trim();
    code = await run(text === "" ? null : text, flagsOf(command));
  });

program
  .command("score")
  .argument("[request...]", "the request; - reads it from standard input")
  .description("Show how clear a request is, what kind of work it asks for and how hard it is to undo; spends nothing")
  .option("--file <path>", "read the request from a file")
  .option("--check <command...>", "a check that the run would have, instead of the configured ones")
  .option("--bare", "judge the words alone, and not what the workspace says")
  .action(async (request: string[], _flags, command: Command) => {
    code = await (await import("./commands/score.ts")).score(request.join(" ").trim(), flagsOf(command));
  });

program
  .command("init")
  .description("Look around, ask at most three questions, and write loop.yaml and the contract")
  .option("--goal <text>", "what should be true at the end")
  .option("--check <command>", "the command that proves it")
  .option("--autonomy <level>", "L1, L2 or L3")
  .option("--agent <name>", "claude or codex; left out: whichever is on PATH")
  .option("--yes", "ask nothing: take what was found, and the defaults")
  .option("--force", "replace what is there, and keep it as .bak")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/init.ts")).init(flagsOf(command));
  });

limits(program.command("continue"))
  .argument("[request...]", "other words for the task, with --intent")
  .description("Go on with a run that rests, or that was cut off")
  .option("--agent <name>", "go on with claude or codex, for making and checking")
  .option("--intent <mode>", "what the words are to the request: append, replace or preserve")
  .option("--yes", "approve the gate that it waits at")
  .action(async (words: string[], _flags, command: Command) => {
    code = await (await import("./commands/continue.ts")).goOn(words, flagsOf(command));
  });

const answering = (command: Command): Command =>
  command
    .option("--no-continue", "only record the answer")
    .option("--no-wait", "leave with exit code 8 when a usage limit has to be waited for");

answering(program.command("approve"))
  .description("Approve what the run waits to be approved, and go on")
  .option("--tree <hash>", "only if the gate shows this tree")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/answer-gate.ts")).approve(flagsOf(command));
  });

answering(program.command("reject"))
  .description("Reject what the run waits to be approved, with the reason, and go on")
  .requiredOption("--reason <text>", "why; it is what the next try works from")
  .option("--tree <hash>", "only if the gate shows this tree")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/answer-gate.ts")).reject(command.optsWithGlobals());
  });

answering(program.command("answer"))
  .argument("<words...>", "the answer; before it the feature, where several ask")
  .description("Answer a question of an agent, and go on")
  .action(async (words: string[], _flags, command: Command) => {
    code = await (await import("./commands/answer-gate.ts")).answer(words, flagsOf(command));
  });

program
  .command("status")
  .description("Show where the run is")
  .option("--seal", "list what is sealed, and why")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/status.ts")).status(flagsOf(command));
  });

program
  .command("list")
  .description("List the runs of this workspace")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/list.ts")).list(flagsOf(command));
  });

program
  .command("show")
  .argument("[run]", "the run; left out: the latest")
  .description("Show every iteration of a run")
  .action(async (run: string | undefined, _flags, command: Command) => {
    code = await (await import("./commands/show.ts")).show(run, flagsOf(command));
  });

program
  .command("report")
  .description("Print the report of a run")
  .option("--html", "write it as a page for the browser instead, and print where it is")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/report.ts")).report(flagsOf(command));
  });

program
  .command("inbox")
  .description("Show what waits for you")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/inbox.ts")).inbox(flagsOf(command));
  });

program
  .command("memory")
  .description("List what earlier runs here have learned")
  .option("--forget <number>", "forget one of them, or all")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/memory.ts")).memory(flagsOf(command));
  });

program
  .command("pause")
  .description("Let the run rest where it is")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/pause.ts")).pause(flagsOf(command));
  });

program
  .command("cancel")
  .description("End the run for good, at once")
  .option("--keep", "keep its logs in the workspace (the default)")
  .option("--clean", "remove its logs from the workspace; they are listed first, and the vault keeps them")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/cancel.ts")).cancel(flagsOf(command));
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
    code = await (await import("./commands/recover.ts")).recover(id, paths, flagsOf(command));
  });

program
  .command("prove")
  .argument("[what]", "a commit, or a feature of the run; left out: every feature of the latest run")
  .description("Run past proofs again and say whether they match")
  .option("--all", "every proof that the history names")
  .action(async (what: string | undefined, _flags, command: Command) => {
    code = await (await import("./commands/prove.ts")).prove(what, flagsOf(command));
  });

program
  .command("import")
  .argument("<file>", "feature_list.json, prd.json, fix_plan.md, phase_plan.yaml, tasks.json, a PRD in Markdown, …")
  .description("Bring features of another tool into docs/FEATURES.json")
  .option("--format <name>", "what the file is, where it cannot be told")
  .option("--dry-run", "show what would come in and write nothing")
  .option("--merge", "add to the features that are there")
  .option("--replace", "put them in place of the features that are there; the old file is kept")
  .action(async (file: string, _flags, command: Command) => {
    code = await (await import("./commands/import.ts")).importFile(file, flagsOf(command));
  });

program
  .command("export")
  .description("Write the features and how far they are, for another tool or for people")
  .option("--format <name>", "features, prd-json, feature-list, markdown or csv", "features")
  .option("--out <file>", "write there instead of printing")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/export.ts")).exportFile(flagsOf(command));
  });

program
  .command("doctor")
  .description("Look at what is here: agents, checks, git, vault, journal")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/doctor.ts")).doctor(flagsOf(command));
  });

program
  .command("drill")
  .description(
    "Set a cast of bad agents, and an honest one, on a copy of this project and its configuration; needs no key",
  )
  .option("--only <act...>", "only these acts")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/drill.ts")).runDrill(flagsOf(command));
  });

program
  .command("demo")
  .description("Watch a run over a sample project, with a built-in agent and no key")
  .option("--dir <folder>", "make the sample project there and keep it")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/demo.ts")).demo(flagsOf(command));
  });

const hook = program.command("hook").description("Hold your own claude session until what you asked for is met");

hook
  .command("start")
  .argument("<request...>", "what should be done")
  .description("Hold a session: the one that is named, or the next one here")
  .option("--check <command...>", "a check to hold the work against, instead of the configured ones")
  .option("--criterion <text...>", "what the agent has to tick, beside the checks")
  .option("--iterations <n>", "how often it may try")
  .option("--session <id>", "the session to hold")
  .action(async (request: string[], _flags, command: Command) => {
    code = await (await import("./commands/hook.ts")).start(request.join(" "), flagsOf(command));
  });

hook
  .command("continue")
  .description("Hold a session again that a breaker let go, under the same seal")
  .option("--iterations <n>", "how often it may try")
  .option("--session <id>", "the session to hold")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/hook.ts")).goOn(flagsOf(command));
  });

hook
  .command("status")
  .description("Show which session is held here, and what is unmet")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/hook.ts")).status(flagsOf(command));
  });

hook
  .command("release")
  .description("Let the held session end, met or not")
  .action(async (_flags, command: Command) => {
    code = await (await import("./commands/hook.ts")).release(flagsOf(command));
  });

for (const name of ["install", "remove"] as const) {
  hook
    .command(name)
    .description(`${name === "install" ? "Add the hooks to" : "Take the hooks out of"} the settings of claude`)
    .option("--user", "for every project of yours")
    .option("--project", "for everyone who works on this project")
    .action(async (_flags, command: Command) => {
      code = (await import("./commands/hook-install.ts"))[name](flagsOf(command));
    });
}

// These two are answered in main.ts; here they are for the help.
hook
  .command("stop")
  .description("Answer the CLI's Stop hook (JSON on stdin)")
  .option("--within <seconds>", "the time that there is");
hook.command("prompt").description("Answer the CLI's UserPromptSubmit hook (JSON on stdin)");

/** Runs what the arguments say, and returns the exit code. */
export async function runProgram(): Promise<number> {
  await program.parseAsync();
  return code;
}
