// Autoloop: its configurations are read, and its command line is ours in other words.
import { expect, test } from "vitest";
import { inOurWords } from "../../src/cli/autoloop-words.ts";
import { skillTargets } from "../../src/cli/choice-flags.ts";
import { program } from "../../src/cli/program.ts";
import { readAutoloop } from "../../src/formats/config/autoloop-yaml.ts";
import { example } from "./example.ts";

test("its whole configuration is read", () => {
  expect(readAutoloop(example("autoloop.yaml"), "autoloop.yaml").yaml).toEqual({
    agents: { maker: { kind: "codex", model: "gpt-5.4" } },
    stages: ["plan", "implement", "test", "audit"],
    limits: { rounds: 15, rework: 10 },
    full_auto_answers: false,
    follow_up_depth: 3,
  });
});

test.each([
  ["codex", "autoloop-codex.yaml"],
  ["claude", "autoloop-claude.yaml"],
])("its smallest configuration for %s is read", (kind, file) => {
  expect(readAutoloop(example(file), "autoloop.yaml").yaml).toEqual({
    agents: { maker: { kind } },
    stages: ["plan", "implement", "test", "audit"],
  });
});

const run = program.commands.find((command) => command.name() === "run") ?? program;
const translated = (...argv: string[]): readonly string[] => inOurWords(argv, program, run);

test("its commands are ours", () => {
  const commands = example("autoloop-commands.txt").trim().split("\n");
  const words = (line: string): string[] =>
    Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "").slice(1);
  expect(commands.map((line) => translated(...words(line)))).toEqual([
    ["--help"],
    ["run", "--workspace", "/path/to/workspace", "--", "Describe the task you want shipped"],
    ["list", "--workspace", "/path/to/workspace"],
    ["continue", "--workspace", "/path/to/workspace", "--task", "<task-id>"],
  ]);
});

test.each([
  [
    ["--intent=Add a=b", "--no-git"],
    ["run", "--no-git", "--", "Add a=b"],
  ],
  [
    ["--task-id=one", "--intent", "status"],
    ["run", "--task", "one", "--", "status"],
  ],
])("%j is %j", (argv, ours) => {
  expect(translated(...argv)).toEqual(ours);
});

test.each([
  [["continue", "--intent", "append", "Add b"]],
  [["--intent", "append", "Add b"]],
  [["run", "--no-git", "Add a --resume flag"]],
  [["Add a --list-tasks flag"]],
  [[]],
])("%j stays as it is", (argv) => {
  expect(translated(...argv)).toEqual(argv);
});

test("its --model is ours", () => {
  expect(translated("--intent", "Add a", "--model", "gpt-5.4")).toEqual(["run", "--model", "gpt-5.4", "--", "Add a"]);
});

test("--model-effort is refused, with the setting that does it", () => {
  expect(() => translated("--intent", "Add a", "--model-effort", "high")).toThrow(
    expect.objectContaining({
      code: "bad-flag",
      next: expect.stringContaining("kind: codex, model: gpt-5.4, effort: high"),
    }),
  );
});

test("the flags of its installer are those of loop skill install, but for the virtual environment", () => {
  const install = program.commands.find((each) => each.name() === "skill")?.commands[0];
  const flags = new Set(install?.options.map(({ long }) => long));
  const asked = example("skill-install.txt").trim().split("\n");
  const unknown = asked.filter((line) => {
    const [flag = "", value] = line.split(" ");
    return !flags.has(flag) || (value !== undefined && !skillTargets.some((target) => target === value));
  });
  expect(unknown).toEqual(["--recreate-venv"]);
});
