// Runs without problems, and commands with nothing to show.
import {
  asking,
  builder,
  done,
  evaluator,
  feature,
  one,
  passes,
  reply,
  right,
  sample,
  session,
  settings,
  two,
  write,
} from "../sample.mjs";

const run = [{ loop: ["run"] }];
const documents = feature("F001", {
  name: "Describe old()",
  description: "README.md says what old() returns.",
  acceptance_criteria: ["README.md names old()"],
  kind: "docs",
});
const rearranged = feature("F001", {
  name: "Move the number",
  description: "old() takes its number from a constant.",
  acceptance_criteria: ["old() returns 1"],
  kind: "keep",
});
const looking = ["status", "list", "show", "report", "inbox", "memory", "recover"].map((word) => ({ loop: [word] }));
const answering = [["continue"], ["pause"], ["cancel"], ["approve"], ["accept", "F001"], ["answer", "yes"]];

export const plain = {
  done: { files: sample({ scenes: [builder("F001", right("F001")), evaluator], features: one }), steps: run },
  "several-features": {
    files: sample({
      scenes: [...["F001", "F002", "F003"].map((id) => builder(id, right(id))), evaluator],
      features: [
        feature("F001", { dependencies: ["F003"] }),
        feature("F002", { priority: 2 }),
        feature("F003", { priority: 3 }),
      ],
    }),
    steps: [...run, { loop: ["report"] }, { loop: ["run"] }],
  },
  request: {
    files: sample({ scenes: [builder("F001", right("F001")), evaluator] }),
    steps: [{ loop: ["run", asking("F001"), "--yes"] }],
  },
  "request-beside-a-queue": {
    files: sample({ scenes: [...["F001", "F002"].map((id) => builder(id, right(id))), evaluator], features: one }),
    steps: [{ loop: ["run", asking("F002"), "--yes"] }, { loop: ["run"] }],
  },
  "vague-request": {
    files: sample({ scenes: [evaluator] }),
    steps: [{ loop: ["run", "make it better"] }, { loop: ["score", "make it better"] }],
  },
  documents: {
    files: sample({
      scenes: [builder("F001", [write("README.md", "# Sample\n\nold() returns 1.\n"), done]), evaluator],
      features: [documents],
    }),
    steps: run,
  },
  rearranging: {
    files: sample({
      scenes: [
        builder("F001", [write("src/old.js", "const number = 1;\n\nexport const old = () => number;\n"), done]),
        evaluator,
      ],
      features: [rearranged],
    }),
    steps: run,
  },
  "folder-without-git": {
    files: sample({ scenes: [builder("F001", right("F001")), evaluator], features: one }),
    isGit: false,
    steps: [{ loop: ["run"] }, { loop: ["run", "--no-git"] }],
  },
  "dry-run": {
    files: sample({ scenes: [builder("F001", right("F001")), evaluator], features: two }),
    steps: [{ loop: ["run", "--dry-run"] }],
  },
  "nothing-yet": {
    files: sample({ scenes: [evaluator], features: one }),
    steps: [...looking, ...answering.map((loop) => ({ loop }))],
  },
  "with-tests-by-another": {
    files: sample({
      scenes: [
        builder("F001", right("F001")),
        session("tester", [
          write(
            "test/F001-more.test.js",
            'import assert from "node:assert/strict";\nimport { f001 } from "../src/F001.js";\nassert.notEqual(f001(), "");\n',
          ),
          done,
        ]),
        session("evaluator", [passes]),
        session("test-verifier", [passes]),
        session("examiner", [reply({ summary: "none", tests: [] })]),
      ],
      features: one,
      yaml: settings("stages: [implement, test]\nproof: { depth: deep }\n"),
    }),
    steps: run,
  },
};
