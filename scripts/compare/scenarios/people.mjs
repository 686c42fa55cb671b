// People working in the same folder: edits, commits, other features, other settings, a second run.
import { atWork, builder, evaluator, feature, goOn, queue, right, sample, settings, two, waits } from "../sample.mjs";

const scenes = [
  builder("F001", [waits(), ...right("F001")]),
  ...["F002", "F003"].map((id) => builder(id, right(id))),
  evaluator,
];
const files = sample({ scenes, features: two, files: { "README.md": "# Sample\n" } });
const meanwhile = (...steps) => ({
  loop: ["run"],
  meanwhile: [...steps.map((step, at) => (at === 0 ? { after: atWork, ...step } : step)), goOn],
});
const rested = (...steps) => [goOn, { loop: ["run", "--iterations", "1"] }, ...steps];
const onward = { loop: ["continue", "--iterations", "9"] };
const three = [...two, feature("F003", { priority: 3 })];

export const people = {
  "edits-a-file-in-a-session": {
    files,
    steps: [meanwhile({ write: { "README.md": "# Sample, edited\n", "person.txt": "mine\n" } }), { loop: ["recover"] }],
  },
  "commits-in-a-session": {
    files,
    steps: [
      meanwhile(
        { write: { "person.txt": "mine\n" } },
        { git: ["add", "person.txt"] },
        { git: ["commit", "--quiet", "--message", "by a person"] },
      ),
      { loop: ["status"] },
      { loop: ["continue"] },
    ],
  },
  "edits-the-queue-in-a-session": {
    files,
    steps: [meanwhile({ write: { "docs/FEATURES.json": queue(three) } })],
  },
  "edits-loop-yaml-in-a-session": {
    files,
    steps: [meanwhile({ write: { "loop.yaml": settings("limits: { cost_usd: 1 }\n") } }), { loop: ["recover"] }],
  },
  "begins-a-second-run": { files, steps: [meanwhile({ loop: ["run"] }, { loop: ["status"] })] },
  "adds-a-feature-while-it-rests": {
    files,
    steps: rested({ write: { "docs/FEATURES.json": queue(three) } }, onward),
  },
  "changes-limits-while-it-rests": {
    files,
    steps: rested(
      { write: { "loop.yaml": settings("limits: { iterations: 5 }\nautonomy: L3\n") } },
      { loop: ["continue"] },
    ),
  },
  "breaks-loop-yaml-while-it-rests": {
    files,
    steps: rested(
      { write: { "loop.yaml": "limits: { iterations: 5\n" } },
      onward,
      {
        write: { "loop.yaml": settings() },
      },
      onward,
    ),
  },
  "commits-while-it-rests": {
    files,
    steps: rested(
      { write: { "person.txt": "mine\n" } },
      { git: ["add", "person.txt"] },
      { git: ["commit", "--quiet", "--message", "by a person"] },
      onward,
    ),
  },
  "edits-while-it-rests": { files, steps: rested({ write: { "README.md": "# Mine\n" } }, onward) },
  "changed-before-the-run": {
    files,
    steps: [
      { write: { "src/old.js": "export const old = () => 1; // mine\n", "notes.txt": "mine too\n" } },
      { git: ["add", "notes.txt"] },
      goOn,
      { loop: ["run"] },
      { git: ["stash", "push", "--quiet", "--include-untracked"] },
      { loop: ["run"] },
    ],
  },
  "on-another-branch": {
    files,
    steps: [
      goOn,
      { git: ["checkout", "--quiet", "-b", "topic"] },
      { loop: ["run", "--iterations", "1"] },
      { git: ["checkout", "--quiet", "-b", "elsewhere"] },
      onward,
    ],
  },
};
