// Which words are a request.
import { expect, test } from "vitest";
import { operandsOf, refuseMistypedCommand, refusePathAlone } from "./first-word.ts";
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
  expect(operandsOf(["--budget", "5", "fix", "--check", "a", "--yes", "it"], program, run).words).toEqual([
    "fix",
    "it",
  ]);
});

test.each(["foo.json", "docs/PRD.md", "./notes", "..\\spec.yaml", "änderung.txt"])(
  "%s is refused as a request, because there is no such file",
  (request) => {
    const refused = (): void => refusePathAlone(request, [import.meta.dirname]);
    expect(refused).toThrow(expect.objectContaining({ code: "file-not-found", exitCode: 64 }));
  },
);

test.each(["first-word.ts", "../cli", "./first-word.test.ts"])(
  "%s is refused as a request, because it does not say what to do",
  (request) => {
    const refused = (): void => refusePathAlone(request, [import.meta.dirname]);
    expect(refused).toThrow(
      expect.objectContaining({ code: "usage", exitCode: 64, why: expect.stringContaining(request) }),
    );
  },
);

test.each(["Create foo.json", "frobnicate", "Test.", "v1.2", "https://example.com/issues/3", "修复src/a.js中的错误"])(
  "%s is not refused as a path",
  (request) => {
    expect(() => refusePathAlone(request, [import.meta.dirname])).not.toThrow();
  },
);
