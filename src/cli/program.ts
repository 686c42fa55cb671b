// The commands and their flags. Each command is loaded on demand.
import { Command, CommanderError } from "commander";
import { Bug } from "../core/errors.ts";
import { version } from "../version.ts";
import { inOurWords } from "./autoloop-words.ts";
import { operandsOf, refuseMistypedCommand } from "./first-word.ts";
import { addAnswering } from "./groups/answering.ts";
import { addFeatures } from "./groups/features.ts";
import { addHooks } from "./groups/hooks.ts";
import { addLooking } from "./groups/looking.ts";
import { addRunning } from "./groups/running.ts";
import { addServing } from "./groups/serving.ts";
import { addShell } from "./groups/shell.ts";
import { commandOf, usageError } from "./usage-error.ts";

export const program: Command = new Command("loop")
  .description("Run coding agents over a git repository until a written contract is met, and believe nothing unchecked")
  .usage("[command or request] [options]")
  .version(version, "-v, --version", "print the version")
  .helpOption("-h, --help", "show help")
  .helpCommand("help [command]", "Show help for a command")
  .option("--workspace <folder>", "work there instead of here")
  .option("--task <id>", "the latest run of this task; with run: begin one of it")
  .option("--run <id>", "an earlier run instead of the latest")
  .option("--json", "print the answer as JSON")
  .option("--quiet", "no commentary")
  .option("--no-color", "no colours")
  .option("--plain", "no redrawing: a line for each thing that happens, for screen readers")
  .option("--trust", "agree to what this repository's loop.yaml names")
  .addHelpText(
    "after",
    "\nloop alone shows where things stand, and starts nothing.\nMore about a command: loop COMMAND --help",
  )
  .configureHelp({
    minWidthToWrap: 20,
    subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
  })
  .configureOutput({ getOutHelpWidth: () => helpWidth(), writeErr: () => undefined })
  .hook("preAction", async (_, command) => {
    if (command.optsWithGlobals()["task"] !== undefined)
      await (await import("./task-flag.ts")).settleTask(program, command);
  })
  .exitOverride();

let code = 0;
const done = (ended: number): void => {
  code = ended;
};
const groups = [
  ["Run", addRunning],
  ["Answer what it waits for", addAnswering],
  ["Look", addLooking],
  ["Prepare", addFeatures],
  ["Serve, and begin by itself", addServing],
  ["Your own session and shell", addHooks],
  ["Your own session and shell", addShell],
] as const;
for (const [title, add] of groups) {
  program.commandsGroup(`${title}:`);
  add(program, done);
}

/** Runs the command from the arguments, and returns the exit code. */
export async function runProgram(typedArgv: readonly string[]): Promise<number> {
  if (typedArgv[0] === "-V") return runProgram(["--version"]);
  const argv = inOurWords(typedArgv, program, commandNamed("run"));
  const typed = operandsOf(argv, program, commandNamed("run"));
  refuseMistypedCommand(typed, program);
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end like this, too.
    if (error.exitCode === 0) return code;
    if (error.code !== "commander.help" || typed.options.has("--json")) throw usageError(error, program, typed.words);
    // A group of commands, without one of them.
    commandOf(program, typed.words).outputHelp();
    return 64;
  }
  return code;
}

function commandNamed(name: string): Command {
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) throw new Bug(`there is no command ${name}`);
  return command;
}

/** At most 80 columns, so that a wide terminal does not make it hard to read. */
function helpWidth(): number {
  const columns = process.stdout.isTTY === true ? process.stdout.columns : Number(process.env["COLUMNS"]);
  return Math.min(80, columns > 0 ? Math.max(columns, 40) : 80);
}
