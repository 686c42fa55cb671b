// What can be typed after each command, taken from the program itself so that it is never out of date.
import type { Argument, Command, Option } from "commander";

/** One place on the command line: `loop`, `loop run`, `loop hook start`. */
export type Place = {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Flag[];
  /** What the command's own argument can be. */
  readonly argument: Value;
};
/** `leadsTo`: the place after this word. An alias leads to its command's place. */
export type Word = { readonly names: readonly string[]; readonly help: string; readonly leadsTo: string };
export type Flag = { readonly name: string; readonly help: string; readonly value: Value };
export type Value =
  | { readonly is: "nothing" | "file" | "folder" | "text" }
  | { readonly is: "choice"; readonly words: readonly string[] };

/** Options of the program are valid everywhere, and those of `run` also before a request. */
export function placesOf(program: Command): Place[] {
  const run = program.commands.find((command) => command.name() === "run");
  return [placeOf(program, [...program.options, ...(run?.options ?? [])]), ...below(program, program)];
}

const below = (command: Command, program: Command): Place[] =>
  command.commands
    .filter(isShown)
    .flatMap((each) => [placeOf(each, [...each.options, ...program.options]), ...below(each, program)]);

function placeOf(command: Command, options: readonly Option[]): Place {
  const path = pathOf(command);
  const shown = options.filter(({ hidden }) => !hidden).flatMap((option) => flagsOf(option));
  const help: Flag = { name: "--help", help: "show help", value: { is: "nothing" } };
  const commands = command.commands.filter(isShown).map((each) => ({
    names: [each.name(), ...each.aliases()],
    help: each.description(),
    leadsTo: pathOf(each),
  }));
  return { path, commands, options: [...shown, help], argument: argumentValue(command.registeredArguments[0]) };
}

const isShown = (command: Command): boolean => !("_hidden" in command && command._hidden === true);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const flagsOf = (option: Option): Flag[] =>
  option.long == null ? [] : [{ name: option.long, help: option.description, value: optionValue(option) }];

function optionValue({ flags, argChoices, required, optional }: Option): Value {
  if (argChoices !== undefined) return { is: "choice", words: argChoices };
  if (!required && !optional) return { is: "nothing" };
  return named(flags);
}

function argumentValue(argument: Argument | undefined): Value {
  if (argument === undefined) return { is: "nothing" };
  return argument.argChoices === undefined ? named(argument.name()) : { is: "choice", words: argument.argChoices };
}

/** The placeholder says what it is: `--dir <folder>`. */
function named(text: string): Value {
  if (/folder/.test(text)) return { is: "folder" };
  return { is: /file|path/.test(text) ? "file" : "text" };
}
