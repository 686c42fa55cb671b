// --format seed: a run in the words of the hope loop, and nowhere else.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";

let project: Project;
afterEach(() => project.remove());

test("announces each iteration, prints a status block after it, and ends with the completion and the verdict", {
  timeout: 180_000,
}, async () => {
  const scenes = [builder("F001", 1, lie), builder("F001", 2, right("F001")), evaluator];
  project = new Project(sampleFiles(scenes, [feature("F001")]));
  const { code, stdout, stderr } = await project.loop("run", "--format", "seed");
  expect(code).toBe(0);
  const said = stderr.slice(stderr.indexOf("[LOOP]")).replace(/Cost: \$\d+\.\d\d/g, "Cost: $X");
  expect(said).toBe(`[LOOP] Starting | Shape: Tool | Workflow: A | Steps: 1 | Budget: $25
Writing state to .loop/state.json. To delete it after the session: loop cancel --clean
[LOOP] Iteration 1/10 | Cost: $X/$25 | Step: Add f001()
[LOOP] ✗ Add f001() not complete | Progress: 0/1 | Next: Add f001()

---LOOP_STATUS---
EXIT_SIGNAL: false
CRITERIA: {"f001() returns 'F001'": false}
STUCK_COUNT: 1
NEXT: Add f001()
---END_STATUS---

[LOOP] Iteration 2/10 | Cost: $X/$25 | Step: Add f001()
[LOOP] ✓ Add f001() complete | Progress: 1/1 | Next: none

`);
  expect(stdout).toBe(`
---LOOP_STATUS---
EXIT_SIGNAL: true
CRITERIA: {"f001() returns 'F001'": true}
STUCK_COUNT: 0
NEXT: none
---END_STATUS---

<loop-complete>
All success criteria satisfied:
- f001() returns 'F001': ✓
</loop-complete>

╭─ 🟢 SHIP ─────────────────────────────────╮
│ Verified: execution output                │
│ Checklist: 1/1 criteria verified          │
│ Subjective: not measured · Type 2B        │
├───────────────────────────────────────────┤
│ ↳ Alt: 1 other attempt failed             │
│ ↳ Risk: F001: 2 attempts, 2 files changed │
╰───────────────────────────────────────────╯

State is in .loop/state.json. To delete it: loop cancel --clean
`);
});

test.each(["here", "default"] as const)(
  "at the end its state can be deleted, with its logs, at place: %s",
  {
    timeout: 180_000,
  },
  async (place) => {
    const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);
    project = new Project(files, { place });
    expect((await project.loop("run", "--format", "seed")).stdout).toContain("To delete it: loop cancel --clean\n");
    const kept = [".loop/state.json", ".loop/tasks"];
    expect(kept.map((path) => project.exists(path))).toEqual([true, true]);
    const before = project.git("rev-parse", "HEAD");
    expect((await project.loop("cancel", "--clean")).stdout).toMatch(
      /was already over: success\.\nRemoving, all of it a copy of what the vault keeps:\n {2}\.loop\/tasks\/\S+\n {2}\.loop\/state\.json\n$/,
    );
    expect(project.exists(".loop/state.json")).toBe(false);
    expect(project.git("rev-parse", "HEAD")).toBe(before);
  },
);

test("a run that pauses says why and how it goes on; without the flag none of it is printed", {
  timeout: 180_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  const plain = await project.loop("run", "--sessions", "1");
  expect(plain.stdout + plain.stderr).not.toMatch(/\[LOOP\]|LOOP_STATUS|loop-complete/);
  const paused = await project.loop("continue", "--sessions", "1", "--format", "seed");
  expect(paused.stdout).toMatch(
    /^\n---LOOP_STATUS---\nEXIT_SIGNAL: false\nCRITERIA: \{"f001\(\) returns 'F001'": false\}\nSTUCK_COUNT: \d\nNEXT: Add f001\(\)\n---END_STATUS---\n\n\[LOOP\] ⏸ Paused: The sessions cap is reached \(1 of 1\)\.\nProgress: 0 steps complete, 1 remaining\nResume: loop continue --sessions 2\n/,
  );
  // The document has the verdict after the completion, and none at a pause; what was announced is not announced again.
  expect(paused.stdout).not.toContain("RESEARCH");
  expect(paused.stderr).not.toContain("[LOOP] Starting");
  expect((await project.loop("continue", "--format", "csv")).code).toBe(64);
});
