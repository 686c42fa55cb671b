// Every command of the README, typed as it stands there, does what its comment says.
import * as fs from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

const readme = fs.readFileSync(new URL("../../README.md", import.meta.url), "utf8");
/** The lines of its shell blocks without their comments; several commands on a line are separated by a dot. */
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = ""]) => block.split("\n"))
  .flatMap((line) => line.replace(/\s+#\s.*$/, "").split(" · "))
  .map((command) => command.trim())
  .filter((command) => command !== "");

/** What a shell makes of a command; the README uses words and double quotes. */
const words = (command: string): string[] =>
  [...command.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replace(/\\(.)/g, "$1"),
  );

const write = (path: string, text: string) => ({ do: "write", path, text });
const done = { do: "reply", reply: { status: "done", summary: "done" } };
const imported = (name: string, from: string): string =>
  `import assert from "node:assert/strict";\nimport { ${name} } from "../src/${from}.js";\n`;
const builds = (feature: string, steps: object[]) => ({ role: "builder", feature, steps });
const scenes = [
  // The first request waits at its gate as F001.
  builds("F002", [
    write("src/slug.js", 'export const slug = (text) => text.trim().toLowerCase().replaceAll(" ", "-");\n'),
    write(
      "test/slug.test.js",
      `${imported("slug", "slug")}assert.equal(slug("A b"), "a-b");\nassert.equal(slug(" One two "), "one-two");\n`,
    ),
    done,
  ]),
  evaluator,
];
const { "docs/FEATURES.json": _none, ...withoutFeatures } = sampleFiles(scenes, []);
const third = [feature("F003")];
const reply = (value: object) => [{ do: "reply", reply: value }];
const question = reply({ status: "question", summary: "", question: { text: "Which?", best_supposition: "a" } });
const permission = reply({ status: "needs-permission", tests: ["test/old.test.js"], reason: "It is old." });
const untested = [write("src/F003.js", 'export const f003 = () => "F003";\n'), done];
const afterwards = { where: "ignored.txt" };

type Typed = readonly [command: string, code: number, says: RegExp];
type Scene = { readonly files: Files; readonly before: readonly Typed[]; readonly typed: readonly Typed[] };

const request = String.raw`loop "Add slug(text) to src/slug.js: slug(\"A b\") is \"a-b\""`;
const gate: Typed = ["loop run --autonomy L1", 6, /Next: loop approve/];
const inFeature = (steps: object[]): Files =>
  sampleFiles([{ ...builder("F003", 1, right("F003")), ...afterwards }, builds("F003", steps), evaluator], third);
const plain = sampleFiles([builder("F003", 1, right("F003")), evaluator], third);

const walks: Readonly<Record<string, Scene>> = {
  "one run and its morning": {
    // Without a terminal nobody can say yes on the screen before it starts: the gate stands for that.
    files: { ...withoutFeatures, "loop.yaml": `${withoutFeatures["loop.yaml"]}gates: [G1]\n` },
    before: [],
    typed: [
      ["loop doctor", 0, /✓ git/],
      [request, 6, /Next: loop approve/],
      ['loop --overnight "Add rate limiting to the login route"', 0, /1 of 1 feature complete/],
      ["loop", 0, /Waits for you[\s\S]*loop approve/],
      ["loop report", 0, /1 of 1 feature complete/],
      ["loop watch", 0, /The contract is met/],
      ["loop logs", 0, /pass after/],
      ["loop pause", 0, /Nothing to pause/],
      ["loop continue", 6, /Next: loop approve/],
      ["loop inbox", 0, /loop approve/],
      ["loop cancel", 0, /Cancelled run/],
      ["loop land", 0, /main already has it/],
      ["loop recover", 0, /./],
      ["loop prove --all", 0, /1 of 1 proof matches/],
    ],
  },
  "a gate that is approved": { files: plain, before: [gate], typed: [["loop approve", 6, /Next: loop approve/]] },
  "a gate that is rejected": {
    files: plain,
    before: [gate],
    typed: [['loop reject --reason "…"', 6, /loop cancel/]],
  },
  "a question": {
    files: inFeature(question),
    before: [["loop run", 6, /loop answer/]],
    typed: [['loop answer "…"', 0, /1 of 1 feature complete/]],
  },
  "work that could not be proved": {
    files: inFeature(untested),
    before: [["loop run", 7, /loop accept F003/]],
    typed: [["loop accept F003", 0, /reviewed by Person/]],
  },
  "work that changes protected tests": {
    files: inFeature(permission),
    before: [["loop run", 7, /loop allow F003/]],
    typed: [["loop allow F003", 0, /1 of 1 feature complete/]],
  },
};

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

test.each(Object.entries(walks))("%s", { timeout: 300_000 }, async (_, { files, before, typed }) => {
  project = new Project(files, { place: before.length === 0 ? "default" : "here" });
  for (const [command, code, says] of [...before, ...typed]) {
    if (command === typed[0]?.[0]) project.write({ "ignored.txt": "" });
    const [, ...args] = words(command);
    const ended = await project.loop(...args);
    expect([ended.code, ended.stdout], `${command}: ${ended.stderr}`).toEqual([code, expect.stringMatching(says)]);
  }
});

/** Of the project itself, and of the shell. */
const elsewhere = ["npm start", "npm install --global .", "cd your-project"];

test("no command of the README is left out", () => {
  const tried = Object.values(walks).flatMap(({ typed }) => typed.map(([command]) => command));
  expect(commands.filter((command) => ![...tried, ...elsewhere].includes(command))).toEqual([]);
  expect(tried.filter((command) => !commands.includes(command))).toEqual([]);
});
