// What the user's shell needs.
import type { Command } from "commander";
import { chosen, oneOf } from "../choice-flags.ts";
import { completionFor, shells } from "../completion/index.ts";
import { keepSaid } from "../json/print.ts";
import type { Done } from "./group.ts";

export function addShell(program: Command, done: Done): void {
  program
    .command("completion")
    .addArgument(oneOf("<shell>", "your shell", shells))
    .description("Print a script that completes commands and flags in your shell")
    .addHelpText(
      "after",
      `
bash: add to ~/.bashrc  eval "$(loop completion bash)"
zsh:  add to ~/.zshrc   source <(loop completion zsh)
fish: loop completion fish \\
        > ~/.config/fish/completions/loop.fish`,
    )
    .action((shell: string) => {
      const script = completionFor(chosen("loop completion", shell, shells), program);
      if (program.opts()["json"] === true) keepSaid(script);
      else process.stdout.write(script);
      done(0);
    });
}
