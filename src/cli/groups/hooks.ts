// Commands for a person's own claude session.
import type { Command } from "commander";
import { choice, skillTargets } from "../choice-flags.ts";
import { type Done, flagsOf } from "./group.ts";

export function addHooks(program: Command, done: Done): void {
  const hook = program
    .command("hook")
    .helpCommand(false)
    .description("Hold your own claude session until what you asked for is met");

  hook
    .command("start")
    .argument("<request...>", "what should be done")
    .description("Hold a session: the one that is named, or the next one here")
    .option("--check <command...>", "use this check instead of the configured ones")
    .option("--criterion <text...>", "what the agent has to tick, beside the checks")
    .option("--iterations <n>", "how often it may try")
    .option("--session <id>", "the session to hold")
    .action(async (request: string[], _flags, command: Command) => {
      done(await (await import("../commands/hook.ts")).start(request.join(" "), flagsOf(command)));
    });

  hook
    .command("continue")
    .description("Hold a session again that was let go; tests stay protected as they were")
    .option("--iterations <n>", "how often it may try")
    .option("--session <id>", "the session to hold")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/hook.ts")).goOn(flagsOf(command)));
    });

  hook
    .command("status")
    .description("Show which session is held here, and what is unmet")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/hook.ts")).status(flagsOf(command)));
    });

  hook
    .command("accept")
    .description("Say that what the session may only assume is met: the hold ends as met")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/hook.ts")).accept(flagsOf(command)));
    });

  hook
    .command("release")
    .description("Let the held session end, met or not")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/hook.ts")).release(flagsOf(command)));
    });

  for (const name of ["install", "remove"] as const) {
    hook
      .command(name)
      .description(`${name === "install" ? "Add the hooks to" : "Take the hooks out of"} the settings of claude`)
      .option("--user", "for every project of yours")
      .option("--project", "for everyone who works on this project")
      .action(async (_flags, command: Command) => {
        done((await import("../commands/hook-install.ts"))[name](flagsOf(command)));
      });
  }

  addSkill(program, done);

  // main.ts handles these two; here they only provide the help.
  hook
    .command("stop")
    .description("Answer the CLI's Stop hook (JSON on stdin)")
    .option("--within <seconds>", "the time that there is");
  hook.command("prompt").description("Answer the CLI's UserPromptSubmit hook (JSON on stdin)");
}

function addSkill(program: Command, done: Done): void {
  program
    .command("skill")
    .helpCommand(false)
    .description("Teach your own agent sessions when and how to use loop")
    .command("install")
    .description("Install the skill for claude, codex and agents that read ~/.agents")
    .addOption(
      choice("--skill-target <where>", "all, claude, codex, agents, both (codex and agents) or none", skillTargets),
    )
    .option("--overwrite", "replace another version of the skill, and keep the old file under another name")
    .option("--dry-run", "print what would be written, and write nothing")
    .action(async (_flags, command: Command) => {
      done((await import("../commands/skill.ts")).install(flagsOf(command)));
    });
}
