// Commands for runs that are watched from a browser, and that start by themselves.
import type { Command } from "commander";
import { type Done, flagsOf } from "./group.ts";

export function addServing(program: Command, done: Done): void {
  program
    .command("serve")
    .description(
      "Serve the registered workspaces: a page and an API to watch runs and answer them, on this machine only",
    )
    .option("--port <n>", "the port to listen on; left out: 7433")
    .option(
      "--add <folder...>",
      "register these workspaces, or confirm their triggers again, and exit; --trust agrees to what loop.yaml names",
    )
    .option("--yes", "with --add: confirm what has changed, without asking")
    .option("--remove <folder...>", "stop serving these workspaces, and exit")
    .option("--list", "list the registered workspaces, and exit")
    .option("--new-token <name>", "make a token for another person or program, print it, and exit")
    .option("--read-only", "with --new-token: a token that can only look")
    .option("--token-file <file>", "the tokens that are valid, instead of your own")
    .option("--host <address>", "listen there instead of 127.0.0.1; needs TLS and a token file")
    .option("--name <host...>", "another name under which browsers reach the server")
    .option("--hooks-port <n>", "take webhooks on this port; left out: none are taken")
    .option("--tls-cert <file>", "the certificate, in PEM")
    .option("--tls-key <file>", "its key, in PEM")
    .action(async (_flags, command: Command) => {
      done(await (await import("../commands/serve.ts")).serve(flagsOf(command)));
    });

  const schedule = program
    .command("schedule")
    .description("Look at the triggers every minute by a timer of the system, instead of loop serve");
  for (const [name, says] of [
    ["install", "Install the timer"],
    ["remove", "Remove the timer"],
    ["list", "Show which timer is installed, and the triggers that it looks at"],
    ["run", "Look at the triggers once; the timer runs this"],
  ] as const) {
    const command = schedule.command(name).description(says);
    if (name === "install" || name === "remove")
      command.option("--with <system>", "systemd, cron or launchd; left out: what this machine has");
    if (name === "install") command.option("--dry-run", "print what would be installed, and install nothing");
    command.action(async (_flags, given: Command) => {
      done(await (await import("../commands/schedule.ts"))[name](flagsOf(given)));
    });
  }
}
