// Work that the loop cannot prove waits for a person's decision, and for no one else's.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, right, sampleFiles } from "../support/sample.ts";
import { anyTry, branches, two, untested, untestedFirst } from "../support/unproved.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

describe("a feature that cannot be proved", () => {
  test("is held after its attempts while others continue; accepted, it is committed in the person's name", {
    timeout: 180_000,
  }, async () => {
    project = untestedFirst();
    const of = project;
    const first = await of.loop("run");
    expect(first.code, first.stderr).toBe(7);
    expect(first.stdout).toContain("loop accept F001");
    expect(first.stdout).not.toContain("SHIP");
    expect(of.exists("src/F001.js")).toBe(false);
    expect(of.git("show", "loop/held/F001:src/F001.js")).toContain("F001");
    expect(of.git("log", "--format=%s", "main")).toMatch(/feat\(F002\)/);
    expect((await of.loop("inbox")).stdout).toMatch(/F001 \(unproved\)[\s\S]*No new test fails on the code as it was/);
    const sessions = of.events().filter(({ type }) => type === "session-reserved").length;
    const taken = await of.loop("accept", "F001");
    expect(taken.code, taken.stderr).toBe(0);
    expect(of.events().filter(({ type }) => type === "session-reserved")).toHaveLength(sessions);
    expect(of.read("src/F001.js")).toContain("F001");
    expect(of.git("log", "--format=%(trailers:key=Loop-Accepted-By)", "main")).toContain(
      "Person <person@example.invalid>",
    );
    expect(branches(of)).toBe("main");
    expect(taken.stdout).toContain("reviewed by Person <person@example.invalid>");
    expect((await of.loop("report")).stdout).toContain("- F001: reviewed by Person <person@example.invalid>");
    const again = await of.loop("accept", "F001");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("No work on F001 waits for a decision.")]);
  });
});

test("an agent cannot accept work in a person's place, even without its session variables", {
  timeout: 180_000,
}, async () => {
  const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
  const accept = `${process.execPath} ${cli} accept F001`;
  const tries = [
    { do: "run", command: `${accept} > "$HOME/plain.txt" 2>&1 || true` },
    { do: "run", command: `env -u LOOP_RUN -u LOOP_SESSION ${accept} > "$HOME/bare.txt" 2>&1 || true` },
  ];
  const scenes = [anyTry("F001", untested("F001")), builder("F002", 1, [...tries, ...right("F002")]), evaluator];
  project = new Project(sampleFiles(scenes, two));
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(7);
  for (const name of ["plain", "bare"])
    expect(fs.readFileSync(join(project.home, `${name}.txt`), "utf8")).toContain("the answer is a person's");
  expect(project.events().some(({ type }) => type === "accepted")).toBe(false);
});
