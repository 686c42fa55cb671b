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

---LOOP_STATUS---
EXIT_SIGNAL: false
CRITERIA: {"f001() returns 'F001'": true}
STUCK_COUNT: 0
NEXT: none
---END_STATUS---

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
│ ↳ Alt: 1 other attempt did not count      │
│ ↳ Risk: F001: 2 attempts, 2 files changed │
╰───────────────────────────────────────────╯
`);
});

test("a run that pauses says why and how it goes on; without the flag none of it is printed", {
  timeout: 180_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  const plain = await project.loop("run", "--sessions", "1");
  expect(plain.stdout + plain.stderr).not.toMatch(/\[LOOP\]|LOOP_STATUS|loop-complete/);
  const paused = await project.loop("continue", "--sessions", "1", "--format", "seed");
  expect(paused.stdout).toMatch(
    /^\n\[LOOP\] ⏸ Paused: The sessions cap is reached \(1 of 1\)\.\nProgress: 0 steps complete, 1 remaining\nResume: loop continue --sessions 2\n/,
  );
  expect(paused.stdout).toContain("🔴 RESEARCH");
  expect((await project.loop("continue", "--format", "csv")).code).toBe(64);
});
