// Work that waits for a person, and what happens when they decide.
import {
  atWork,
  builder,
  evaluator,
  feature,
  goOn,
  nowPlayed,
  oldTest,
  once,
  one,
  reply,
  right,
  sample,
  settings,
  two,
  untested,
  waits,
  write,
} from "../sample.mjs";

const unproved = (more = []) =>
  sample({
    scenes: [
      ...more,
      builder("F001", right("F001"), once),
      builder("F001", untested("F001")),
      builder("F002", right("F002")),
      evaluator,
    ],
    features: two,
  });
const run = { loop: ["run"] };
const inbox = { loop: ["inbox"] };

const named = '{ name: test, run: "node --test", timeout_s: 60 }';
const nodeTest = (name, module, answer) => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "../src/${module}.js";
test("${name}", () => assert.equal(${name}(), ${answer}));
`;
/** The feature requires a new result of old(), and the old test still expects the first one. */
const changed = feature("F001", {
  name: "Raise the answer of old()",
  description: "old() returns 2.",
  acceptance_criteria: ["old() returns 2"],
});
const contradiction = () =>
  sample({
    scenes: [
      builder("F001", [reply({ status: "blocked", summary: "Not without the test." })], once),
      builder("F001", [
        write("src/old.js", "export const old = () => 2;\n"),
        write("test/old.test.js", nodeTest("old", "old", 2)),
        reply({ status: "done", summary: "done" }),
      ]),
      evaluator,
    ],
    features: [changed],
    yaml: settings("", named),
    files: { "test/old.test.js": nodeTest("old", "old", 1) },
  });
const asksFirst = (answer) =>
  sample({
    scenes: [
      builder("F001", answer, once),
      builder("F001", [
        reply({ status: "needs-permission", tests: ["test/old.test.js"], reason: "It asserts the old answer." }),
      ]),
      evaluator,
    ],
    features: [changed],
  });
const raised = [
  write("src/old.js", "export const old = () => 2;\n"),
  write("test/old.test.js", oldTest(2)),
  reply({ status: "done", summary: "done" }),
];

export const held = {
  "unproved-accepted": {
    files: unproved(),
    steps: [run, inbox, { loop: ["accept", "F001"] }, { loop: ["accept", "F001"] }],
  },
  "unproved-rejected-with-a-reason": {
    files: unproved(),
    steps: [
      run,
      nowPlayed,
      { loop: ["allow", "F001"] },
      { loop: ["reject", "F001", "--reason", "Write a test for it."] },
    ],
  },
  "unproved-rejected-without-one": {
    files: unproved(),
    steps: [run, { loop: ["reject", "F001", "--no-continue"] }, inbox, { loop: ["continue"] }],
  },
  "unproved-left-and-continued": { files: unproved(), steps: [run, nowPlayed, { loop: ["continue"] }] },
  "accepted-after-the-same-lines-changed": {
    files: unproved(),
    steps: [
      run,
      { write: { "src/F001.js": "export const f001 = () => 'by hand';\n", "ignored.txt": "" } },
      { git: ["add", "src"] },
      { git: ["commit", "--quiet", "--message", "by hand"] },
      { loop: ["accept", "F001"] },
    ],
  },
  "accepted-from-another-terminal": {
    files: unproved([builder("F002", [waits(), ...right("F002")])]),
    steps: [{ loop: ["run"], meanwhile: [{ after: atWork, loop: ["accept", "F001"] }, goOn] }],
  },
  "rejected-from-another-terminal": {
    files: unproved([builder("F002", [waits(), ...right("F002")])]),
    steps: [
      {
        loop: ["run"],
        meanwhile: [{ after: atWork, loop: ["reject", "F001", "--reason", "Write a test for it."] }, nowPlayed, goOn],
      },
    ],
  },
  "contradiction-allowed": { files: contradiction(), steps: [run, inbox, { loop: ["allow", "F001"] }] },
  "contradiction-rejected": {
    files: contradiction(),
    steps: [run, nowPlayed, { loop: ["reject", "F001", "--reason", "The old answer stays."] }, inbox],
  },
  "permission-given": { files: asksFirst(raised), steps: [run, inbox, nowPlayed, { loop: ["allow", "F001"] }] },
  "permission-refused": {
    files: asksFirst([reply({ status: "blocked", summary: "Not without the test." })]),
    steps: [run, nowPlayed, { loop: ["reject", "F001", "--reason", "The test is right."] }],
  },
  "nothing-to-decide": {
    files: sample({ scenes: [builder("F001", right("F001")), evaluator], features: one }),
    steps: [run, ...["accept", "allow", "reject"].map((word) => ({ loop: [word, "F001"] }))],
  },
};
