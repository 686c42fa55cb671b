// Mistakes on the command line, as errors that say what to type instead.
import type { Command, CommanderError } from "commander";
import { UserError } from "../core/errors.ts";
import { nearest } from "../formats/text/nearest.ts";
import { quoted } from "./first-word.ts";

export function usageError(error: CommanderError, program: Command, words: readonly string[]): UserError {
  const command = commandOf(program, words);
  const name = command === program ? "loop" : `loop ${pathOf(command)}`;
  const help = `${name} --help`;
  const said = error.message.replace(/^error: /, "").split("\n")[0] ?? "";
  const named = /'([^']*)'/.exec(said)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownOption": {
      const meant = nearest(named, optionsOf(command, program));
      const hint = meant === null ? "" : `Did you mean: ${meant}? `;
      return mistake("unknown-option", `${name} has no option ${named}.`, `${hint}All options: ${help}`);
    }
    case "commander.excessArguments": {
      const taken = command.registeredArguments.length + (command.parent === program ? 1 : 2);
      const rest = words.slice(taken).join(" ");
      return mistake(
        "usage",
        `${name} is a command, and cannot be followed by ${quoted([rest])}.`,
        `${help}. To ask for it as work: loop run ${quoted(words)}`,
      );
    }
    case "commander.missingArgument": {
      const argument = command.registeredArguments.find((each) => each.name() === named);
      return mistake("usage", `${name} needs <${named}>: ${argument?.description ?? ""}.`, help);
    }
    case "commander.optionMissingArgument":
      return mistake("usage", `${named.split(" ")[0]} needs a value: ${named}.`, help);
    case "commander.unknownCommand": {
      const meant = nearest(named, namesOf(command));
      const hint = meant === null ? "" : `Did you mean: ${name} ${meant}? `;
      return mistake("unknown-command", `${name} has no command ${named}.`, `${hint}${help}`);
    }
    case "commander.help":
      return mistake("usage", `${name} needs a command: ${namesOf(command).join(", ")}.`, help);
    default:
      return mistake("usage", said, help);
  }
}

const mistake = (code: "usage" | "unknown-option" | "unknown-command", why: string, next: string): UserError =>
  new UserError(code, { what: "Nothing was done.", why, next });

const namesOf = ({ commands }: Command): string[] => commands.flatMap((each) => [each.name(), ...each.aliases()]);

const optionsOf = (command: Command, program: Command): string[] =>
  [...command.options, ...program.options].filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);

const pathOf = (command: Command): string =>
  command.parent?.parent == null ? command.name() : `${command.parent.name()} ${command.name()}`;

/** The command that the words name; without one, the one that requests go to. */
export function commandOf(program: Command, words: readonly string[]): Command {
  const find = (among: Command, word = ""): Command | undefined =>
    among.commands.find((each) => each.name() === word || each.aliases().includes(word));
  const first = find(program, words[0]);
  if (first === undefined) return (words[0] === "help" ? undefined : find(program, "run")) ?? program;
  return find(first, words[1]) ?? first;
}
