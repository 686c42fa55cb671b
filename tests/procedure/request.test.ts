// What happens to a request before anything is built: refused as vague, shown, and approved.
import { basename } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lastLine, type Project } from "../support/project.ts";
import { builder, evaluator, right } from "../support/sample.ts";
import { clear, drafting } from "./drafting.ts";

vi.setConfig({ testTimeout: 240_000 });

let project: Project;
afterEach(() => project.remove());

const json = (text: string) => lastLine(text) as Record<string, unknown>;

describe("a request", () => {
  test("that is too vague exits with 5 and a question for each missing dimension, and leaves no trace", async () => {
    project = drafting();
    const { code, stderr } = await project.loop("run", "make it better");
    expect(code).toBe(5);
    expect(stderr).toMatch(/too vague[\s\S]*outcome: .*e\.g\. "[\s\S]*Next: .*loop score/);
    expect(project.exists(".loop")).toBe(false);
    expect(project.runs()).toEqual([]);
  });

  test("that leaves something open is shown before it is built, and --yes skips that review", async () => {
    project = drafting(builder("F001", 1, right("F001")));
    const asked = await project.loop("run", clear);
    expect(asked.code, asked.stderr).toBe(6);
    expect(asked.stdout).toContain("Next: loop approve");
    expect(project.events().some(({ type }) => type === "session-reserved")).toBe(false);
    await project.loop("cancel");
    project.git("checkout", "--quiet", ".");
    project.git("clean", "-fdq");
    const unseen = await project.loop("run", clear, "--yes");
    expect(unseen.code, unseen.stderr).toBe(0);
  });

  test("that leaves something open is asked about once more, before it is called done", async () => {
    project = drafting(builder("F001", 1, right("F001")));
    expect((await project.loop("run", clear)).code).toBe(6);
    const built = await project.loop("approve", "--json");
    expect(built.code, built.stderr).toBe(6);
    expect(json(built.stdout)["outcome"]).toMatchObject({ gate: { name: "G3" } });
    expect((await project.loop("approve")).code).toBe(0);
  });

  test("rejected at the end is followed up once: a cancelled follow-up does not begin again", async () => {
    project = drafting(
      { ...builder("F001", 1, right("F001")), attempt: undefined },
      builder("F002", 1, right("F002")),
      evaluator,
    );
    await project.loop("run", clear);
    expect((await project.loop("approve")).stdout).toContain("Is it done?");
    const rejected = await project.loop("reject", "--reason", "F002() as well");
    expect([rejected.code, project.runs().length], rejected.stdout).toEqual([6, 2]);
    expect((await project.loop("cancel")).code).toBe(0);
    const again = await project.loop("continue");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is over. The run was cancelled.")]);
    const [first] = project
      .runs()
      .map((dir) => basename(dir))
      .sort();
    const named = await project.loop("continue", "--run", first ?? "");
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining("Its follow-up was begun already: run ")]);
    expect(project.runs()).toHaveLength(2);
  });

  test("approved for always is built and done without another question", async () => {
    project = drafting(builder("F001", 1, right("F001")));
    expect((await project.loop("run", clear)).code).toBe(6);
    const done = await project.loop("approve", "--always");
    expect(done.code, done.stderr).toBe(0);
  });

  test("is classified, and the builder gets the kind of work and its rule", async () => {
    project = drafting(builder("F001", 1, right("F001")));
    await project.loop("run", clear, "--yes");
    expect(project.prompts("builder")[0]).toMatch(/work of the kind "build"\. .*library/i);
  });
});
