// Which words are a request.
import { expect, test } from "vitest";
import { operandsOf, refuseMistypedCommand } from "./first-word.ts";
import { program } from "./program.ts";

const run = program.commands.find((command) => command.name() === "run") ?? program;
const judged = (argv: readonly string[]): void => refuseMistypedCommand(operandsOf(argv, program, run), program);

test.each([
  [["Add a --json flag to the list command"]],
  [["statsu is misspelt in the docs"]],
  [["remove", "the", "old", "flag"]],
  [["rename", "load", "to", "read"]],
  [["port", "the", "parser", "to", "TypeScript"]],
  [["improve", "the", "error", "message"]],
  [["run", "statsu"]],
  [["--prd", "PRD.md"]],
  [["--workspace", "statsu"]],
  [["--workspace=statsu", "--json"]],
  [[]],
])("%j is not taken for a mistyped command", (argv) => {
  expect(() => judged(argv)).not.toThrow();
});

test("values of options are not words", () => {
  expect(operandsOf(["--budget", "5", "fix", "--check", "a", "b", "--yes", "it"], program, run).words).toEqual([
    "fix",
    "it",
  ]);
});
