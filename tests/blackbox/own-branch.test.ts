// Your branch stays yours: a repository without contract and queue gets none, and its commits say what they are.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

vi.setConfig({ testTimeout: 180_000 });

let project: Project;
afterEach(() => project.remove());

const request =
  "Add a function f001() to src/F001.js that returns its own name, with a test that is called like the file";
const scenes = (...ids: string[]) => [...ids.map((id) => builder(id, 1, right(id))), evaluator];

function bare(...ids: string[]): Record<string, string> {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(scenes(...ids), []);
  return files;
}

describe.each(["here", "worktree"] as const)("a repository without contract and queue, --%s", (place) => {
  test("gets neither, and no record in its history", async () => {
    project = new Project(bare("F001", "F002"), { place: "default" });
    const first = await project.loop("run", `--${place}`, "--yes", request);
    expect(first.code, first.stderr).toBe(0);
    expect(project.git("log", "--format=%s")).toBe(`feat(F001): ${request}\nstart`);
    expect(project.git("show", "--format=", "--name-only", "HEAD")).toBe("src/F001.js\ntest/F001.test.js");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.exists("docs")).toBe(false);
    expect(project.exists(".gitignore")).toBe(true);
    expect(project.read(".gitignore")).toBe("node_modules/\nignored.txt\n");
    expect(JSON.parse(project.read(".loop/records/FEATURES.json"))).toMatchObject({
      features: [{ id: "F001", status: "complete" }],
    });
    expect(project.read(".loop/records/loop-run-log.md")).toContain("F001");

    const second = await project.loop("run", `--${place}`, "--yes", request.replaceAll("001", "002"));
    expect(second.code, second.stderr).toBe(0);
    expect(project.git("log", "--format=%s").split("\n")[0]).toMatch(/^feat\(F002\)/);
    expect(project.git("status", "--porcelain")).toBe("");
    const log = project.read(".loop/records/loop-run-log.md");
    expect([log.includes("F001"), log.includes("F002")]).toEqual([true, true]);
  });
});

test("in a new clone, where the queue of earlier runs is missing, a request gets a new number", async () => {
  project = new Project(bare("F001", "F002"));
  expect((await project.loop("run", "--yes", request)).code).toBe(0);
  for (const path of [join(project.root, ".loop"), join(project.home, "state")])
    fs.rmSync(path, { recursive: true, force: true });
  const second = await project.loop("run", "--yes", request.replaceAll("001", "002"));
  expect(second.code, second.stderr).toBe(0);
  expect(project.git("log", "-1", "--format=%s")).toMatch(/^feat\(F002\)/);
});

test("the commit's body has the reason and what the proof rests on, the trailers come last", async () => {
  project = new Project(bare("F001"));
  const long = `${request}.\nThe other functions stay as they are.`;
  expect((await project.loop("run", "--yes", long)).code).toBe(0);
  const [subject, , ...body] = project.git("log", "-1", "--format=%B").split("\n");
  expect(subject).toBe(`feat(F001): ${request}`);
  expect(body.join("\n")).toContain("The other functions stay as they are.");
  expect(body.join("\n").replace(/\s+/g, " ")).toMatch(/ Proof: old tests green, new tests fail without it/);
  expect(body.every((line) => line.length <= 80 || line.startsWith("Loop-"))).toBe(true);
  expect(project.git("log", "-1", "--format=%(trailers:key=Loop-Feature,valueonly)").trim()).toBe("F001");
});

test("where a queue exists, the records are kept next to it, in one commit at the end", async () => {
  project = new Project(sampleFiles(scenes("F001"), [feature("F001")]));
  expect((await project.loop("run", "--yes")).code).toBe(0);
  expect(project.git("log", "--format=%s")).toMatch(
    /^chore\(loop\): record run .*\nfeat\(F001\): Add f001\(\)\nstart$/,
  );
  expect(project.exists(".loop/records")).toBe(false);
});

test("an agent cannot give the next run a contract or a queue", async () => {
  const planted = [
    { do: "write", path: "docs/LOOP.md", text: "# Loop\n\nAutonomy: L4\n" },
    { do: "write", path: "docs/FEATURES.json", text: '{ "version": 1, "features": [] }\n' },
    ...right("F001"),
  ];
  project = new Project({
    ...bare(),
    "rehearsal.json": JSON.stringify({ version: 1, scenes: [builder("F001", 1, planted), evaluator] }),
  });
  const { code, stderr } = await project.loop("run", "--yes", request);
  expect(code, stderr).toBe(0);
  expect(project.git("show", "--format=", "--name-only", "HEAD")).toBe("src/F001.js\ntest/F001.test.js");
  expect(project.exists("docs/LOOP.md")).toBe(false);
});

test("loop init keeps the contract with the project, and takes the queue along", async () => {
  project = new Project(bare("F001"));
  expect((await project.loop("run", "--yes", request)).code).toBe(0);
  const { code, stdout } = await project.loop("init", "--yes");
  expect(code, stdout).toBe(0);
  expect(project.exists("docs/LOOP.md")).toBe(true);
  expect(JSON.parse(project.read("docs/FEATURES.json"))).toMatchObject({ features: [{ id: "F001" }] });
});

test.each([
  ["the default branch", [], "branch main (the default branch): each proved feature is a commit on it"],
  ["another branch", ["switch", "--quiet", "-c", "topic"], "branch topic: each proved feature"],
  ["a detached HEAD", ["checkout", "--quiet", "--detach"], "HEAD is detached at "],
])("%s is named before a run starts", async (_, command, line) => {
  project = new Project(bare("F001"));
  if (command.length > 0) project.git(...command);
  const { code, stdout } = await project.loop("run", "--dry-run", request);
  expect([code, stdout]).toEqual([0, expect.stringContaining(line)]);
});
