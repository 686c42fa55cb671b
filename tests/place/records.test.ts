// The records of a run in a worktree that ends without landing, in a repository that keeps them: what it escalated is in
// the person's docs/, and the person's own edits stay.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const contract = (inbox: string): string => `# Loop Contract

## Goal
Every function returns its own name.

## Autonomy Level
L2

## Triage Inbox
${inbox}
`;
const reply = { verdict: "fail", summary: "no", root_cause: "It has no sign.", criteria: [] };
const refuses = { role: "evaluator", feature: "F001", steps: [{ do: "reply", reply }] };
/** What a person does in their folder while the agent works. */
const meanwhile = (command: string) => ({ do: "run", command: `cd "$HOME/../project" && ${command}` });

function begun(steps: object[] = [], limits = "rework: 0", second = 2): Project {
  const scenes = [
    builder("F001", 1, [...(steps as Record<string, unknown>[]), ...right("F001")]),
    builder("F002", 1, right("F002")),
    refuses,
    evaluator,
  ];
  const features = [feature("F001"), feature("F002", { priority: second })];
  const files = sampleFiles(scenes, features, { "docs/LOOP.md": contract("(empty)") });
  const yaml = `${files["loop.yaml"]}limits: { ${limits} }\n`;
  project = new Project({ ...files, "loop.yaml": yaml }, { place: "default" });
  return project;
}

const third = JSON.stringify(feature("F003", { priority: 3 }));
const statuses = (of: Project): string[] =>
  (JSON.parse(of.read("docs/FEATURES.json")) as { features: { status: string }[] }).features.map(
    ({ status }) => status,
  );

test("what it escalated is in docs/, what it completed once it has landed, and the next run tries neither again", {
  timeout: 240_000,
}, async () => {
  const of = begun();
  const { code, stdout, stderr } = await of.loop("run");
  expect(code, stderr).toBe(7);
  expect(stdout).toMatch(
    /^Its records were written to your folder, uncommitted: docs\/FEATURES\.json, docs\/LOOP\.md/m,
  );
  expect(statuses(of)).toEqual(["blocked", "not-started"]);
  expect(of.read("docs/LOOP.md")).toBe(contract(/^- F001: .*$/m.exec(of.read("docs/LOOP.md"))?.[0] ?? ""));
  expect(of.read("docs/LOOP.md")).toMatch(/^- F001: .*It has no sign\./m);
  expect(of.read("docs/loop-run-log.md")).toMatch(/FAIL — It has no sign\./);
  expect(of.read("docs/PROGRESS.md")).toContain("- **Outcome**: ESCALATED");
  expect(of.git("log", "--format=%s")).toBe("start");

  const landed = await of.loop("land");
  expect(landed.code, landed.stderr).toBe(0);
  expect(statuses(of)).toEqual(["blocked", "complete"]);
  expect(of.read("docs/LOOP.md")).toMatch(/^- F001: .*It has no sign\./m);
  expect(of.read("docs/loop-run-log.md").match(/^### Iteration \d+/gm)).toEqual(["### Iteration 1", "### Iteration 2"]);
  const again = await of.loop("run");
  expect(again.code, again.stderr).toBe(7);
  expect(of.events().filter(({ type }) => type === "session-ended")).toEqual([]);
});

test("what it escalated after its last commit stays in docs/ when it lands", { timeout: 240_000 }, async () => {
  const of = begun([], "rework: 0, iterations: 2", 0);
  of.write({
    "docs/FEATURES.json": of.read("docs/FEATURES.json").replace(/\n {4}\}\n {2}\]/, `\n    },\n${third}\n  ]`),
  });
  of.git("commit", "--quiet", "--all", "--message", "third");
  expect((await of.loop("run")).code).toBe(3);
  expect(statuses(of)).toEqual(["blocked", "not-started", "not-started"]);
  const landed = await of.loop("land");
  expect(landed.code, landed.stderr).toBe(0);
  expect(statuses(of)).toEqual(["blocked", "complete", "not-started"]);
  expect(of.read("docs/LOOP.md")).toMatch(/^- F001: .*It has no sign\./m);
  expect(of.read("docs/loop-run-log.md").match(/^### Iteration \d+/gm)).toEqual(["### Iteration 1", "### Iteration 2"]);
});

test("edits of the person's stay, and the run's statuses, items and entries are added to them", {
  timeout: 240_000,
}, async () => {
  const edits = [
    "sed -i 's/Every function/Each function/' docs/LOOP.md",
    "sed -i 's/function f002()/function, f002(),/' docs/FEATURES.json",
    "echo '# Mine' > docs/loop-run-log.md",
  ];
  const of = begun([meanwhile(edits.join(" && "))], "rework: 0, iterations: 1");
  const { code, stdout, stderr } = await of.loop("run");
  expect(code, stderr).toBe(3);
  expect(of.read("docs/LOOP.md")).toMatch(/Each function returns[\s\S]*- F001: .*It has no sign\./);
  expect(of.read("docs/FEATURES.json")).toContain("A function, f002(), that");
  expect(statuses(of)).toEqual(["blocked", "not-started"]);
  expect(of.read("docs/loop-run-log.md")).toMatch(/^# Mine\n\n[\s\S]*### Iteration 1 /);
  expect(stdout).not.toContain("left as you have it");
  // A second rest of the same run has its entries once.
  expect((await of.loop("continue", "--iterations", "2")).code).toBe(7);
  const log = of.read("docs/loop-run-log.md");
  expect(log.match(/^# Mine|^### Iteration \d+/gm)).toEqual(["# Mine", "### Iteration 1", "### Iteration 2"]);
});

test("a list that the person changed is left as it is, and named with the command that shows the items", {
  timeout: 240_000,
}, async () => {
  const of = begun([meanwhile("sed -i 's/^(empty)/- mine/' docs/LOOP.md")], "rework: 0, iterations: 1");
  const { code, stdout, stderr } = await of.loop("run");
  expect(code, stderr).toBe(3);
  expect(of.read("docs/LOOP.md")).toBe(contract("- mine"));
  expect(stdout).toContain(
    "Changed in your folder while the run worked, and left as you have it: docs/LOOP.md. What waits for you: loop inbox",
  );
  expect((await of.loop("inbox")).stdout).toContain("It has no sign.");
  expect(statuses(of)[0]).toBe("blocked");
  const cancelled = await of.loop("cancel");
  expect(cancelled.stdout).toContain("Its records were written to your folder, uncommitted: docs/FEATURES.json");
  expect(of.read("docs/LOOP.md")).toBe(contract("- mine"));
});
