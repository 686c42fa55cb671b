// Commands that answer what a run waits for.
import type { Command } from "commander";
import { seedFormat } from "../choice-flags.ts";
import { type Done, flagsOf } from "./group.ts";

const answering = (command: Command): Command =>
  command
    .option("--no-continue", "only record the answer")
    .addOption(seedFormat())
    .option("--no-wait", "exit with code 8 instead of waiting for a usage limit");

export function addAnswering(program: Command, done: Done): void {
  answering(program.command("approve"))
    .description("Approve the open gate and resume the run")
    .option("--always", "do not ask at a gate again in this run")
    .option("--tree <hash>", "only if the gate shows this tree")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).approve(flagsOf(command)));
    });

  answering(program.command("reject"))
    .argument("[feature]", "the feature whose held work is rejected; left out: the open gate")
    .description("Reject the open gate, or held work, and resume the run")
    .option("--reason <text>", "why; it is what the next try works from")
    .option("--yes", "start that try without asking")
    .option("--tree <hash>", "only if the gate shows this tree")
    .action(async (feature: string | undefined, _flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).reject(feature, flagsOf(command)));
    });

  answering(program.command("accept"))
    .argument("<feature>", "the feature whose held work is accepted")
    .description("Accept work that could not be proved: commit it as reviewed by you, and resume the run")
    .action(async (feature: string, _flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).decide(feature, { how: "accept" }, flagsOf(command)));
    });

  answering(program.command("allow"))
    .argument("<feature>", "the feature that rewrote protected tests, or asks to")
    .description("Let a feature change the protected tests that it names, and resume the run")
    .action(async (feature: string, _flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).decide(feature, { how: "allow" }, flagsOf(command)));
    });

  answering(program.command("answer"))
    .argument("<words...>", "the answer; before it the feature, where several ask")
    .description("Answer a question of an agent and resume the run")
    .action(async (words: string[], _flags, command: Command) => {
      done(await (await import("../commands/answer-gate.ts")).answer(words, flagsOf(command)));
    });
}
