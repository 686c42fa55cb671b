// Commands that answer what a run waits for.
import type { Command } from "commander";
import { type Done, flagsOf } from "./group.ts";

const answering = (command: Command): Command =>
  command
    .option("--no-continue", "only record the answer")
    .option("--no-wait", "leave with exit code 8 when a usage limit has to be waited for");

export function addAnswering(program: Command, done: Done): void {
  answering(program.command("approve"))
    .description("Approve what the run waits to be approved, and go on")
    .option("--tree <hash>", "only if the gate shows this tree")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).approve(flagsOf(command)));
    });

  answering(program.command("reject"))
    .description("Reject what the run waits to be approved, with the reason, and go on")
    .requiredOption("--reason <text>", "why; it is what the next try works from")
    .option("--tree <hash>", "only if the gate shows this tree")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).reject(command.optsWithGlobals()));
    });

  answering(program.command("answer"))
    .argument("<words...>", "the answer; before it the feature, where several ask")
    .description("Answer a question of an agent, and go on")
    .action(async (words: string[], _flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).answer(words, flagsOf(command)));
    });
}
