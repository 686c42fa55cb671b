// Plans, gates, questions, changed requests, and the audit: everything about the whole.
import {
  asking,
  builder,
  evaluator,
  feature,
  makes,
  nowPlayed,
  once,
  one,
  reply,
  right,
  sample,
  session,
  settings,
  two,
  write,
} from "../sample.mjs";

const approve = { loop: ["approve"] };
const gated = (gates, scenes = []) =>
  sample({
    scenes: [...scenes, ...["F001", "F002"].map((id) => builder(id, right(id))), evaluator],
    features: two,
    yaml: settings(`gates: [${gates}]\n`),
  });

const wanted = "Give the library f001, f002 and f003 in src, each with a test in test, as old() has one.";
const planned = ["F001", "F002"].map((id, at) => ({
  id: `F${at + 1}`,
  name: `Add ${id.toLowerCase()}`,
  description: `src/${id}.js exports ${id.toLowerCase()}.`,
  acceptance_criteria: [`${id.toLowerCase()}() is "${id}"`],
  dependencies: at === 0 ? [] : ["F1"],
}));
const agreed = reply({ verdict: "pass", summary: "Nothing against it.", findings: [] });
const objection = { id: "1", severity: "blocking", summary: "f002 is missing.", evidence: ["the plan"] };
const against = reply({ verdict: "fail", summary: "Something is missing.", findings: [objection] });
const gap = {
  status: "needs-followup",
  summary: "Two functions of three.",
  gaps: [
    { id: "G1", severity: "blocking", summary: "f003() returns its own name", evidence: ["no src/F003.js"] },
    { id: "G2", severity: "minor", summary: "f001 has no comment", evidence: ["src/F001.js"] },
  ],
  revised_request: "Add f003() as well.",
};
const plan = session("planner", [reply({ status: "done", summary: "Two features.", features: planned })]);
const whole = ({ scenes = [], yaml = "" } = {}) =>
  sample({
    scenes: [
      ...scenes,
      plan,
      session("plan-verifier", [agreed]),
      ...["F001", "F002", "F003"].map((id) => builder(id, right(id))),
      evaluator,
      session("auditor", [reply({ status: "passed", summary: "All there.", gaps: [] })], { where: "src/F003.js" }),
      session("auditor", [reply(gap)]),
      session("audit-verifier", [agreed]),
    ],
    yaml: settings(`stages: [plan, implement, audit]\n${yaml}`),
  });

const question = (text) => ({ text, best_supposition: "Upper case." });
const asksBack = builder("F001", [reply({ status: "question", summary: "", question: question("Which case?") })]);
const drafted = (...scenes) => sample({ scenes: [...scenes, evaluator] });

export const gates = {
  "before-building-approved": {
    files: gated("G1"),
    steps: [{ loop: ["run"] }, { loop: ["continue"] }, { loop: ["approve", "--tree", "0000000000"] }, approve, approve],
  },
  "before-building-rejected": {
    files: gated("G1"),
    steps: [
      { loop: ["run"] },
      { loop: ["reject"] },
      { loop: ["reject", "--reason", "Not now."] },
      { loop: ["cancel"] },
    ],
  },
  "after-each-iteration-approved": { files: gated("G2"), steps: [{ loop: ["run"] }, approve, approve, approve] },
  "after-an-iteration-rejected": {
    files: gated("G2", [builder("F001", [...makes("F004"), ...right("F001")], once)]),
    steps: [{ loop: ["run"] }, nowPlayed, { loop: ["reject", "--reason", "More of it."] }, approve, approve],
  },
  "before-done-approved": { files: gated("G3"), steps: [{ loop: ["run"] }, approve] },
  "before-done-rejected": {
    files: gated("G3", [builder("F003", right("F003"))]),
    steps: [{ loop: ["run"] }, { loop: ["reject", "--reason", "Add f003() as well."] }, approve],
  },
  "planned-audited-followed-up": { files: whole(), steps: [{ loop: ["run", wanted, "--autonomy", "L3"] }] },
  "every-gate-of-a-plan": {
    files: whole({ yaml: "autonomy: L1\nfollow_up_depth: 0\n" }),
    steps: [{ loop: ["run", wanted] }, approve, approve, approve, approve, { loop: ["inbox"] }],
  },
  "plan-rejected": {
    files: whole({ yaml: "gates: [G1]\n" }),
    steps: [{ loop: ["run", wanted] }, { loop: ["reject", "--reason", "Two is too many."] }, { loop: ["cancel"] }],
  },
  "planner-and-verifier-disagree": {
    files: whole({ scenes: [session("plan-verifier", [against])] }),
    steps: [{ loop: ["run", wanted, "--autonomy", "L3"] }, approve],
  },
  "planner-asks": {
    files: whole({
      scenes: [session("planner", [reply({ status: "question", features: [], question: question("How loud?") })])],
    }),
    steps: [
      { loop: ["run", wanted, "--autonomy", "L3"] },
      { loop: ["inbox"] },
      { loop: ["answer", "As loud as you can", "--no-continue"] },
      // A planner works in a clean checkout of the base, so only another script distinguishes its second session.
      { write: { "rehearsal.json": whole()["rehearsal.json"] } },
      { git: ["commit", "--quiet", "--all", "--message", "another script"] },
      { loop: ["continue"] },
    ],
  },
  "question-answered": {
    files: sample({
      scenes: [builder("F001", right("F001"), once), asksBack, builder("F002", right("F002")), evaluator],
      features: two,
    }),
    steps: [{ loop: ["run"] }, { loop: ["inbox"] }, nowPlayed, { loop: ["answer", "F001", "Upper case"] }],
  },
  "question-answered-by-itself": {
    files: sample({
      scenes: [
        builder("F001", right("F001"), once),
        { ...asksBack, steps: [write("ignored.txt", ""), ...asksBack.steps] },
        evaluator,
      ],
      features: one,
      yaml: settings("full_auto_answers: true\n"),
    }),
    steps: [{ loop: ["run"] }],
  },
  "request-approved": {
    files: drafted(builder("F001", right("F001"))),
    steps: [{ loop: ["run", asking("F001")] }, approve],
  },
  "request-appended": {
    files: drafted(builder("F001", right("F001")), builder("F002", right("F002"))),
    steps: [
      { loop: ["run", asking("F001")] },
      { loop: ["continue", "more words"] },
      { loop: ["continue", "--intent", "append", "Also add f002() the same way", "--yes"] },
    ],
  },
  "request-replaced": {
    files: drafted(builder("F002", right("F002"))),
    steps: [{ loop: ["run", asking("F001")] }, { loop: ["continue", "--intent", "replace", asking("F002"), "--yes"] }],
  },
  "request-after-request": {
    files: drafted(builder("F001", right("F001")), builder("F002", right("F002"))),
    steps: [{ loop: ["run", asking("F001"), "--yes"] }, { loop: ["run", asking("F002"), "--yes"] }],
  },
  "design-before-building": {
    files: sample({
      scenes: [
        session("designer", [reply({ status: "done", summary: "As asked.", design: "# How\n\nOne function.\n" })]),
        builder("F001", right("F001")),
        evaluator,
      ],
      features: [feature("F001", { design_doc: "docs/designs/F001.md" })],
    }),
    steps: [{ loop: ["run"] }],
  },
};
