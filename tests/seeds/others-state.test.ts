// The state file of another loop in the folder: nothing of it is lost, and it is in nobody's way.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { example } from "./example.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

test.each(["committed", "ignored"])(
  "the state of another loop, %s, stays byte for byte, the run lands, and cleaning up after it leaves it",
  { timeout: 120_000 },
  async (how) => {
    const theirs = example("state.json");
    project = new Project(
      sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")], {
        ".loop/state.json": theirs,
        ...(how === "ignored" ? { ".gitignore": "/.loop/state.json\n" } : {}),
      }),
    );
    const { code, stdout, stderr } = await project.loop("run", "--worktree", "--autonomy", "L2", "--format", "seed");
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(".loop/state.json is another loop's");
    expect(stderr).toContain(".loop/state.json is another loop's: it stays, and this run writes none.\n[LOOP]");
    expect(stdout + stderr).not.toMatch(/Writing state to|State is in/);
    const cleaned = await project.loop("cancel", "--clean");
    expect(cleaned.stdout).toContain("Removing");
    expect(cleaned.stdout).not.toContain("state.json");
    expect(project.read(".loop/state.json")).toBe(theirs);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("log", "--name-only", "--format=", "-2")).not.toContain("state.json");
  },
);
