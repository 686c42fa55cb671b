// The hope loop: its requests have its points, and its state, announcements and verdict are written, byte for byte.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { progresses } from "../../src/core/progresses.ts";
import { begin, newProgress } from "../../src/core/run.ts";
import { readShapeMd } from "../../src/formats/contract/shape-md.ts";
import { importFeatures } from "../../src/formats/import/index.ts";
import {
  afterIteration,
  beforeIteration,
  complete,
  disclosure,
  gateQuestion,
  learnable,
  paused,
  scoring,
  starting,
  statusBlock,
  type VerdictBox,
  verdictBox,
} from "../../src/formats/reply/hope-forms.ts";
import { findStatusBlock } from "../../src/formats/reply/status-block.ts";
import { intake } from "../../src/intake/intake.ts";
import { emptyChronicle } from "../../src/report/chronicle.ts";
import { stateText } from "../../src/report/state-json.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import { example, filled } from "./example.ts";

type Tables = Readonly<Record<"rubric" | "workflows", Readonly<Record<string, readonly string[]>>>>;
const tables: Tables = JSON.parse(example("hope-tables.json"));

test("its request has its score, point by point, and its kind of work", () => {
  const found = intake("refactor all API routes to use validation middleware");
  expect(found.dimensions.map(({ name, score }) => [name, score])).toEqual([
    ["outcome", 2],
    ["scope", 2],
    ["constraints", 1],
    ["success", 1],
    ["done", 1],
  ]);
  expect(found).toMatchObject({ score: 7, shape: "colleague", workflow: "refactor" });
});

test.each(Object.entries(tables.rubric))(
  "an example of the rubric for %s has the points of its column",
  (name, texts) => {
    const points = texts.map((text) => intake(text).dimensions.find((each) => each.name === name)?.score);
    expect(points).toEqual([0, 1, 2]);
  },
);

test.each(Object.entries(tables.workflows).flatMap(([kind, words]) => words.map((word) => ({ kind, word }))))(
  "$word means $kind",
  ({ kind, word }) => {
    const isDeed = !["new feature", "broken", "error", "failing"].includes(word);
    expect(intake(isDeed ? `${word} the parser` : `${word}: the parser`).workflow).toBe(kind);
  },
);

test.each([
  ["Rename parse to read", "2A"],
  ["Set the timeout to 30 in config/default.yaml", "2A"],
  ["Update the dependencies", "2B"],
  ["Refactor the parser", "2B"],
  ["Change the schema of the users table", "1"],
  ["Change the public API of the parser", "1"],
])("%s is of type %s", (request, type) => {
  expect(intake(request).reversibility).toBe(type);
});

test("the points of its request are written in its form, with what was found", () => {
  const found = intake("refactor all API routes to use validation middleware");
  const points = found.dimensions.map(({ name, score }, at) => ({
    ...{ name, score },
    found: /\((.*)\)/.exec(example("scoring.txt").split("\n")[at + 1] ?? "")?.[1] ?? "",
  }));
  expect(`${scoring(points, found.score, "Colleague")}\n`).toBe(example("scoring.txt"));
});

test("the state of its example is what the loop writes for the same run, in the same order, and can be imported", () => {
  const wanted = JSON.parse(example("state.json"));
  const steps = [
    feature("step1", { criteria: wanted.criteria }),
    feature("step2", { criteria: ["tests pass"] }),
    feature("step3", { criteria: ["all routes refactored"] }),
  ];
  const run = begin(contractOf(steps, { request: wanted.spec }));
  const progress = progresses(
    run.contract.features.map(({ id }, at) => [
      id,
      at === 0 ? { ...newProgress("complete"), attempts: 1 } : newProgress("not-started"),
    ]),
  );
  const state = JSON.parse(stateText({ ...run, progress, spent: { ...run.spent, iterations: 2 } }, emptyChronicle));
  const ours = ["version", "features", "phase", "cost"];
  const theirs = Object.fromEntries(Object.entries(state).filter(([key]) => !ours.includes(key)));
  expect(JSON.stringify(theirs)).toBe(JSON.stringify(wanted));
  const [imported] = importFeatures(".loop/state.json", example("state.json"), null).features;
  expect(imported?.criteria).toEqual(wanted.criteria);
});

test("criteria of a SHAPE.md that says how each has to be shown have its status", () => {
  const { criteriaStatus } = JSON.parse(example("criteria-status.json"));
  const shape = `criteria:\n${Object.keys(criteriaStatus)
    .map((name) => `- ${name}\n`)
    .join("")}
verification:\n${Object.entries<{ verification: string }>(criteriaStatus)
    .map(([name, { verification }]) => `- ${name}: ${verification}\n`)
    .join("")}`;
  const criteria = readShapeMd(shape).criteria.map(({ text, verification }) => `${text} (verified by ${verification})`);
  const run = begin(contractOf([feature("F1", { criteria })]));
  expect(JSON.stringify(JSON.parse(stateText(run, emptyChronicle)).criteriaStatus)).toBe(
    JSON.stringify(criteriaStatus),
  );
});

test("its status blocks, announcements and completion are written byte for byte, and read back", () => {
  const users = "/api/users refactored";
  const auth = "/api/auth refactored";
  const going = { [users]: true, [auth]: false, "tests pass": false };
  const met = { [users]: true, [auth]: true, "tests pass": true };
  const status = statusBlock({ exitSignal: false, criteria: going, stuckCount: 0, next: "Refactor /api/auth" });
  expect(`${status}\n`).toBe(example("status.txt"));
  expect(`${statusBlock({ exitSignal: true, criteria: met, stuckCount: 0, next: "none" })}\n`).toBe(
    example("done.txt"),
  );
  expect(findStatusBlock(example("done.txt"))?.value).toMatchObject({ exit_signal: true, criteria: met });
  const before = beforeIteration({ number: 1, most: 10, cost: "$0.50/$25", step: "Refactor /api/users" });
  const after = afterIteration({ step: "/api/users", done: 1, total: 4, next: "/api/auth" });
  expect(`${before}\n${after}\n`).toBe(example("announcements.txt"));
  const all = [users, auth, "/api/products refactored", "/api/orders refactored", "All tests pass"];
  expect(`${complete(all)}\n`).toBe(example("complete.txt"));
});

test("the forms of its announcements, byte for byte around the blanks", () => {
  const status = { exitSignal: false, criteria: { "tests pass": false, "lint clean": true }, stuckCount: 0 };
  expect(`${statusBlock({ ...status, next: "Fix failing tests" })}\n`).toBe(example("status-form.txt"));
  const [form = "", tool = "", colleague = ""] = example("starting.txt").split("\n");
  const start = { shape: "Tool", score: 9, workflow: "A", steps: 5, budget: "$25" } as const;
  expect(starting(start)).toBe(`${tool} | Budget: $25`);
  expect(starting({ ...start, shape: "Colleague", score: 6, workflow: "B", steps: 4 })).toBe(
    `${colleague} | Budget: $25`,
  );
  expect(starting({ ...start, workflow: null })).toBe("[LOOP] Starting | Shape: Tool (9/10) | Steps: 5 | Budget: $25");
  expect(starting({ ...start, score: null })).toBe(
    form.replace("X", "Tool").replace("[A/B/C]", "A").replace("N", "5").replace("$Y", "$25"),
  );
  const before = beforeIteration({ number: 2, most: 10, cost: "$0.50/$25", step: "Fix add()" });
  const after = afterIteration({ step: "Fix add()", done: 1, total: 4, next: "Fix sub()" });
  expect(`${before}\n${after}\n`).toBe(
    filled("iteration-forms.txt", [
      ["N/max", "2/10"],
      ["$X/$budget", "$0.50/$25"],
      ["[current step]", "Fix add()"],
      ["[step name]", "Fix add()"],
      ["N/total", "1/4"],
      ["[next step]", "Fix sub()"],
    ]),
  );
  expect(`${complete(["[criterion 1]", "[criterion 2]", "[criterion 3]"])}\n`).toBe(example("complete-form.txt"));
  expect(`${paused({ reason: "[reason]", done: 3, left: 1, resume: "/loop continue" })}\n`).toBe(
    filled("paused.txt", [
      ["N steps", "3 steps"],
      ["M remaining", "1 remaining"],
    ]),
  );
  const steps = ["Identify failing test", "Add instrumentation", "Fix root cause", "Verify fix"];
  expect(`${gateQuestion.G1(steps)}\n`).toBe(example("gates.txt"));
  expect(gateQuestion.G2("Fix sub()", false)).toBe("G2: Step Fix sub() not complete. Continue? [Y/n]");
});

test("the state is disclosed, and a learnable pattern named, in its words; its questions are commands", () => {
  const [disclosed = ""] = example("disclosure.txt").split("Delete after session? [Y/n]");
  expect(disclosure(null)).toBe(`${disclosed}To delete it after the session: loop cancel --clean`);
  expect(learnable("loop show r1")).toBe(`${example("learnable.txt").trimEnd()} loop show r1`);
});

const box: VerdictBox = {
  ...{ verdict: "SHIP", verified: ["execution output"], met: 3, criteria: 3, reversibility: "2B", score: null },
  ...{ alternative: "none was tried", risk: "what no test covers" },
};

test("the verdict box: its borders byte for byte, its lines but for the padding, and no percentage", () => {
  const wanted = filled("verdict.txt", [
    ["[execution output/observation/measurement]", "execution output"],
    ["N/N", "3/3"],
    ["~X%", "not measured"],
    ["2A/2B", "2B"],
    ["Npt", "7pt"],
    ["[alternative approach]", "none was tried"],
    ["[key assumption]", "what no test covers"],
  ]);
  const isBorder = (line: string): boolean => !line.startsWith("│");
  const narrow = `${verdictBox(box)}\n`.split("\n");
  expect(narrow.filter(isBorder)).toEqual(wanted.split("\n").filter(isBorder));
  const unpadded = (text: string): string[] =>
    text
      .split("\n")
      .filter((line) => !isBorder(line))
      .map((line) => line.replace(/ +│$/, " │"));
  expect(unpadded(verdictBox({ ...box, score: 7 }))).toEqual(unpadded(wanted));
});

test("the skill is offered for its phrases of persistence, and not for vague ones", () => {
  const skill = readFileSync(new URL("../../plugin/skills/loopwright/SKILL.md", import.meta.url), "utf8");
  const [, description = ""] = /^description: (.*)$/m.exec(skill) ?? [];
  const said = [
    "keep going",
    "don't stop",
    "continue until done",
    "until the tests pass",
    "what is loop",
    "how does loop work",
  ];
  expect(said.filter((phrase) => !description.includes(`"${phrase}"`))).toEqual([]);
  expect(description).not.toMatch(/make (?:it )?better/);
});
