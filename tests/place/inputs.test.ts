// What a worktree gets from the person's folder: dependencies, named files, and the loop's inputs, committed or not.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const looks = {
  do: "run",
  command: '{ ls node_modules/dep; ls -a; readlink node_modules/.bin/dep; } > "$HOME/seen.txt"',
};
const scenes = (...first: object[]) => [
  builder("F001", 1, [...(first as Record<string, unknown>[]), ...right("F001")]),
  builder("F002", 1, right("F002")),
  evaluator,
];
const two = [feature("F001"), feature("F002", { priority: 2 })];

test("it has the dependencies and the files that rooms get, and no other ignored file", {
  timeout: 120_000,
}, async () => {
  const files = sampleFiles(scenes(looks), two, { ".gitignore": "node_modules/\n.env*\n" });
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}room: { files: [.env.test] }\n` });
  project.write({ "node_modules/dep/index.js": "module.exports = 1;\n", ".env.test": "A=1\n", ".env": "SECRET=1\n" });
  fs.mkdirSync(join(project.root, "node_modules/.bin"));
  fs.symlinkSync(join(project.root, "node_modules/dep/index.js"), join(project.root, "node_modules/.bin/dep"));
  const { code, stderr } = await project.loop("run", "--worktree");
  expect(code, stderr).toBe(0);
  const seen = fs.readFileSync(join(project.home, "seen.txt"), "utf8").split("\n");
  expect(seen).toContain("index.js");
  expect(seen).toContain(".env.test");
  expect(seen).not.toContain(".env");
  // An absolute link into the folder leads into the worktree instead.
  expect(seen.find((line) => line.endsWith("dep/index.js"))).toMatch(/state\/loopwright\/worktrees\//);
  expect(project.read(".env")).toBe("SECRET=1\n");
});

test("inputs that are not committed are taken as they are, and do not keep it from landing", {
  timeout: 120_000,
}, async () => {
  const { "loop.yaml": yaml = "", "docs/FEATURES.json": queue = "", ...files } = sampleFiles(scenes(), two);
  project = new Project(files);
  project.write({ "loop.yaml": yaml, "docs/FEATURES.json": queue });
  const { code, stdout, stderr } = await project.loop("run", "--worktree");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("Landed on main, at");
  expect(project.git("status", "--porcelain")).toBe("?? loop.yaml");
  expect(project.read("loop.yaml")).toBe(yaml);
  expect(project.read("docs/FEATURES.json")).toContain('"complete"');
});

test("a limit that the person raises in their folder applies when the run is continued", {
  timeout: 120_000,
}, async () => {
  const files = sampleFiles(scenes(), two);
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { iterations: 1 }\n` });
  const capped = await project.loop("run", "--worktree");
  expect(capped.code, capped.stderr).toBe(3);
  expect(capped.stdout).toContain("have not landed on main yet");
  project.write({ "loop.yaml": `${files["loop.yaml"]}limits: { iterations: 5 }\n` });
  const { code, stdout, stderr } = await project.loop("continue");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("limits.iterations");
  expect(stdout).toContain("Landed on main, at");
  expect(project.git("status", "--porcelain")).toBe(" M loop.yaml");
});

test("a run that rests lands what it has, and goes on", { timeout: 120_000 }, async () => {
  const files = sampleFiles(scenes(), two);
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { iterations: 1 }\n` });
  expect((await project.loop("run", "--worktree")).code).toBe(3);
  const landed = await project.loop("land");
  expect(landed.code, landed.stderr).toBe(0);
  expect([project.exists("src/F001.js"), project.exists("src/F002.js")]).toEqual([true, false]);
  const { code, stdout, stderr } = await project.loop("continue", "--iterations", "5");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("Landed on main, at");
  expect(project.exists("src/F002.js")).toBe(true);
  expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
});
