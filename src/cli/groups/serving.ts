// Commands for runs that are watched from a browser, and that start by themselves.
import type { Command } from "commander";
import { type Done, flagsOf } from "./group.ts";

export function addServing(program: Command, done: Done): void {
  program
    .command("serve")
    .description("Serve the registered workspaces: an API to watch runs and answer them, on this machine only")
    .option("--port <n>", "the port to listen on; left out: 7433")
    .option("--add <folder...>", "register these workspaces, and exit")
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
}
