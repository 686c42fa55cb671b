// The commands and their flags. Each command is loaded on demand.
import { Command } from "commander";
import { version } from "../version.ts";
import { addAnswering } from "./groups/answering.ts";
import { addFeatures } from "./groups/features.ts";
import { addHooks } from "./groups/hooks.ts";
import { addLooking } from "./groups/looking.ts";
import { addRunning } from "./groups/running.ts";

const program: Command = new Command("loop")
  .description("Run coding agents over a git repository until a written contract is met, and believe nothing unchecked")
  .version(version)
  .option("--workspace <folder>", "work there instead of here")
  .option("--task <id>", "the latest run of this task; with run: begin one of it")
  .option("--run <id>", "an earlier run instead of the latest")
  .option("--json", "print the answer as JSON")
  .option("--quiet", "no commentary")
  .option("--no-color", "no colours")
  .option("--plain", "no redrawing: a line for each thing that happens, for screen readers")
  .option("--trust", "agree to the programs, permissions and variables that this repository's loop.yaml names")
  .showHelpAfterError("(loop --help lists the commands)")
  .hook("preAction", async (_, command) => {
    if (command.optsWithGlobals()["task"] !== undefined)
      await (await import("./task-flag.ts")).settleTask(program, command);
  })
  .exitOverride();

let code = 0;
const done = (ended: number): void => {
  code = ended;
};
for (const add of [addRunning, addAnswering, addLooking, addFeatures, addHooks]) add(program, done);

/** Runs the command from the arguments, and returns the exit code. */
export async function runProgram(): Promise<number> {
  await program.parseAsync();
  return code;
}
