// The command line, without running any command: help that fits, typos that are refused, words that are requests.
import type { Command } from "commander";
import { afterEach, describe, expect, test, vi } from "vitest";
import { UserError } from "../core/errors.ts";
import { program, runProgram } from "./program.ts";

const everyCommand = (of: Command): Command[] => of.commands.flatMap((each) => [each, ...everyCommand(each)]);
const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];
const all = [program, ...everyCommand(program)].map((command) => ({ path: pathOf(command).join(" "), command }));
const names = program.commands.flatMap((each) => [each.name(), ...each.aliases()]);

const refusalOf = async (argv: readonly string[]): Promise<UserError> => {
  const error: unknown = await runProgram(argv).catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return error;
  throw new Error(`not refused: loop ${argv.join(" ")}`);
};

afterEach(() => void vi.unstubAllEnvs());

test.each(all)("the help of loop $path fits 60 columns", ({ command }) => {
  vi.stubEnv("COLUMNS", "60");
  const parts: string[] = [];
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  const text = parts.join("");
  expect(text).toContain("Usage: loop");
  expect(text.split("\n").filter((line) => line.length > 60)).toEqual([]);
});

describe("a mistyped command", () => {
  const swapped = (name: string): string => `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
  const typos = names.map((name) => ({ name, typo: swapped(name) })).filter(({ typo }) => !names.includes(typo));

  test.each(typos)("is refused: loop $typo", async ({ typo }) => {
    const error = await refusalOf([typo]);
    expect([error.code, error.exitCode]).toEqual(["unknown-command", 64]);
    expect(error.next).toMatch(/Did you mean: loop [a-z]+\?/);
  });

  test.each([
    { argv: ["runn", "Add a flag"], meant: 'run "Add a flag"' },
    { argv: ["aprove", "--tree", "abc"], meant: "approve" },
    { argv: ["--budget", "5", "statsu"], meant: "status" },
    { argv: ["--workspace", ".", "statsu", "--json"], meant: "status" },
    { argv: ["contineu", "--budget", "40"], meant: "continue" },
    { argv: ["hook", "strat"], meant: "hook start" },
    { argv: ["STATUS"], meant: "status" },
    { argv: ["help", "stauts"], meant: "help status" },
  ])("is refused with other words around it: loop $argv", async ({ argv, meant }) => {
    expect((await refusalOf(argv)).next).toContain(`Did you mean: loop ${meant}?`);
  });

  test("is refused although nothing is near it", async () => {
    const { next } = await refusalOf(["frobnicate"]);
    expect(next).toBe('loop --help. To ask for it as work: loop run "frobnicate"');
  });
});

describe("a group of commands without one of them", () => {
  const groups = program.commands.filter(({ commands }) => commands.length > 0).map((group) => group.name());

  test.each(groups)("shows its help and ends as a mistake: loop %s", async (name) => {
    const parts: string[] = [];
    const group = program.commands.find((each) => each.name() === name);
    group?.configureOutput({ ...group.configureOutput(), writeOut: (part) => void parts.push(part) });
    expect(await runProgram([name])).toBe(64);
    expect(parts.join("")).toContain(`Usage: loop ${name} [options] [command]`);
  });

  test.each(groups)("names its commands as JSON: loop %s --json", async (name) => {
    const { why, next } = await refusalOf([name, "--json"]);
    expect(why).toMatch(new RegExp(`^loop ${name} needs a command: [a-z, ]+\\.$`));
    expect(next).toBe(`loop ${name} --help`);
  });
});

describe("a mistyped option", () => {
  const options = all.flatMap(({ path, command }) =>
    command.options.filter(({ long }) => long !== "--version").map(({ long }) => ({ path, long: long ?? "" })),
  );
  test.each(options)("is refused with the one that was meant: loop $path $long", async ({ path, long }) => {
    const words = path === "" ? ["status"] : path.split(" ");
    const error = await refusalOf([...words, `${long}${long.at(-1)}`]);
    expect([error.code, error.exitCode]).toEqual(["unknown-option", 64]);
    expect(error.next).toContain(`Did you mean: ${long}?`);
  });
});

test.each([
  { argv: ["report", "errors", "of", "the", "parser", "as", "JSON"], rest: "errors of the parser as JSON" },
  { argv: ["allow", "users", "to", "log", "in"], rest: "to log in" },
  { argv: ["hook", "status", "of", "it"], rest: "of it" },
])("words after a command that takes none are no request by chance: loop $argv", async ({ argv, rest }) => {
  const { why, next } = await refusalOf(argv);
  expect(why).toContain(`cannot be followed by "${rest}"`);
  expect(next).toContain(`loop run "${argv.join(" ")}"`);
});

test("flags without a command and without a request start nothing", async () => {
  const { why, exitCode } = await refusalOf(["--yes", "--budget", "5"]);
  expect([why, exitCode]).toEqual(["--budget, --yes came without a command and without a request.", 64]);
});

test.each([
  { argv: ["accept"], says: "loop accept needs <feature>: the feature whose held work is accepted." },
  { argv: ["run", "--budget"], says: "--budget needs a value: --budget <usd>." },
  { argv: ["completion", "tcsh"], says: "loop completion tcsh is not one of bash, zsh, fish." },
])("what is missing is named: loop $argv", async ({ argv, says }) => {
  expect((await refusalOf(argv)).why).toBe(says);
});
