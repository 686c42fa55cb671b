// Landing on a branch that has moved: merged and proved again, or not at all.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type Check, openProject } from "../../src/index.ts";
import { sentence, sentenceProject } from "../procedure/sentence.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  vi.unstubAllEnvs();
  project?.remove();
  project = null;
});

const scenes = () => [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
const two = () => [feature("F001"), feature("F002", { priority: 2 })];

/** A finished run that has not landed, because the folder has a file that is not committed. */
async function waiting(): Promise<Project> {
  const of = new Project(sampleFiles(scenes(), two()));
  project = of;
  of.write({ "unsaved.txt": "1\n" });
  const { code, stderr } = await of.loop("run", "--worktree");
  expect(code, stderr).toBe(0);
  return of;
}

/** The same, and the person committed meanwhile. */
async function finished(files: Record<string, string>): Promise<Project> {
  const of = await waiting();
  of.write(files);
  of.git("add", "--all");
  of.git("commit", "--quiet", "--message", "theirs");
  return of;
}

test("a branch that has moved is merged, and each feature is proved again on it", { timeout: 180_000 }, async () => {
  const of = await finished({ "src/other.js": "export const other = 1;\n" });
  const theirs = of.git("rev-parse", "main");
  expect((await of.loop("inbox")).stdout).toMatch(
    /^run \(landing\)\n {2}Its commits are on loop\/\S+, and have not landed on main yet\.\n.*unsaved\.txt.*\n {2}Next: loop land\n$/,
  );
  const { code, stdout, stderr } = await of.loop("land");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("Landed on main: merged, and proved again on the merged tree");
  expect(of.git("log", "-1", "--format=%P", "main").split(" ")[0]).toBe(theirs);
  expect(of.git("log", "-1", "--format=%B", "main")).toMatch(/F001: proved again.*\n+F002: proved again/);
  expect(of.git("log", "--first-parent", "--format=%s", "main").split("\n").slice(1)).toEqual(["theirs", "start"]);
  expect(of.git("status", "--porcelain")).toBe("");
  expect([of.read("src/other.js"), of.read("src/F002.js")].every((text) => text !== "")).toBe(true);
  expect(JSON.parse(of.read("docs/FEATURES.json")).features.map(({ status }: { status: string }) => status)).toEqual([
    "complete",
    "complete",
  ]);
  const proved = await of.loop("prove", "--all");
  expect(proved.code, proved.stdout + proved.stderr).toBe(0);
});

test("a merge is committed in the name of the run that lands, also if it follows up on another", {
  timeout: 240_000,
}, async () => {
  const of = sentenceProject();
  project = of;
  of.write({ "unsaved.txt": "1\n" });
  const run = await of.loop("run", "--worktree", "--yes", sentence);
  expect(run.code, run.stderr).toBe(0);
  of.write({ "src/other.js": "export const other = 1;\n" });
  of.git("add", "--all");
  of.git("commit", "--quiet", "--message", "theirs");
  const { code, stderr } = await of.loop("land");
  expect(code, stderr).toBe(0);
  const runs = of.runs().map((dir) => basename(dir));
  expect(runs).toHaveLength(2);
  const named = of.git("log", "-1", "--format=%(trailers:key=Loop-Run,valueonly)", "main");
  expect([named, of.git("log", "-1", "--format=%s", "main")]).toEqual([
    runs.sort().at(-1),
    expect.stringMatching(/^merge/),
  ]);
});

test("a program lands a run, and its inbox no longer asks for it", { timeout: 180_000 }, async () => {
  const of = await finished({ "src/other.js": "export const other = 1;\n" });
  for (const [name, value] of Object.entries(of.env)) vi.stubEnv(name, value);
  const here = await openProject(of.root, { trust: true });
  const landed = await here.land();
  expect(landed).toEqual({ how: "merged", onto: "main", commit: of.git("rev-parse", "main") });
  expect((await here.runs())[0]?.worktree).toMatchObject({ landed: landed.commit, isAhead: false });
  await expect(here.land()).resolves.toMatchObject({ how: "before" });
  expect(JSON.parse((await of.loop("inbox", "--json")).stdout)).toEqual({ version: 1, exitCode: 0, inbox: [] });
});

test("a program lands a run with its own check, which judges the merged tree", { timeout: 180_000 }, async () => {
  const of = new Project(sampleFiles(scenes(), two()));
  project = of;
  of.write({ "unsaved.txt": "1\n" });
  for (const [name, value] of Object.entries(of.env)) vi.stubEnv(name, value);
  const merged: boolean[] = [];
  const mine: Check = {
    run: ({ dir }) => {
      merged.push(existsSync(join(dir, "src/other.js")));
      return { passed: true, output: "" };
    },
  };
  const here = await openProject(of.root, { trust: true, checks: { mine } });
  const checks = [
    { name: "test", run: "sh run-tests.sh" },
    { name: "own", library: "mine" },
  ];
  const run = await here.begin({ settings: { place: "worktree", checks } });
  expect(await run.settled).toMatchObject({ success: true });
  expect(merged).not.toContain(true);
  of.write({ "src/other.js": "export const other = 1;\n" });
  of.git("add", "--all");
  of.git("commit", "--quiet", "--message", "theirs");
  expect(await run.land()).toMatchObject({ how: "merged", onto: "main" });
  expect(merged).toContain(true);
});

/** In the worktree of the run, without one of its files. */
function commitByHand(of: Project, ...paragraphs: string[]): void {
  const tree = of.git("worktree", "list", "--porcelain").match(/^worktree (.*)\n.*\nbranch refs\/heads\/loop\//m)?.[1];
  of.git("-C", tree ?? of.root, "rm", "--quiet", "src/F001.js");
  of.git("-C", tree ?? of.root, "commit", "--quiet", ...paragraphs.flatMap((text) => ["--message", text]));
}

test("a conflict is named, and nothing changes", { timeout: 180_000 }, async () => {
  const of = await finished({ "src/F001.js": "export const theirs = 1;\n" });
  const before = [of.git("rev-parse", "main"), of.git("status", "--porcelain"), of.read("src/F001.js")];
  const { code, stderr } = await of.loop("land");
  expect(code).toBe(1);
  expect(stderr).toContain("changed the same lines: src/F001.js");
  expect(stderr).toContain("Next: git merge loop/");
  expect([of.git("rev-parse", "main"), of.git("status", "--porcelain"), of.read("src/F001.js")]).toEqual(before);
  const branch = of.git("for-each-ref", "--format=%(refname:short)", "refs/heads/loop/*");
  const next = async () => (await of.loop("inbox")).stdout.match(/Next: (.*)/)?.[1];
  expect(await next()).toBe(`git merge ${branch}`);
  // Resolved by hand, it has landed: nothing asks for it any more.
  of.git("merge", "--quiet", "--strategy-option=theirs", branch);
  expect((await of.loop("inbox")).stdout).toBe("The inbox is empty.\n");
  expect((await of.loop("land")).stdout).toContain("main already has it");
});

test("after a detached HEAD, any branch of the person's that has the commits is where they landed", {
  timeout: 180_000,
}, async () => {
  const of = new Project(sampleFiles(scenes(), two()));
  project = of;
  of.git("checkout", "--quiet", "--detach");
  expect((await of.loop("run", "--worktree")).stdout).toMatch(/Next: git switch -c NAME loop\//);
  const branch = of.git("for-each-ref", "--format=%(refname:short)", "refs/heads/loop/*");
  of.git("switch", "--quiet", "-c", "mine", branch);
  const { stdout } = await of.loop("status");
  expect(stdout).toContain("landed on mine");
  expect(stdout).not.toContain("git switch -c");
});

test("a commit on the run's branch that no proof is about does not land", { timeout: 180_000 }, async () => {
  const of = await finished({ "src/other.js": "export const other = 1;\n" });
  const before = of.git("rev-parse", "main");
  commitByHand(of, "by hand");
  const { code, stderr } = await of.loop("land");
  expect([code, of.git("rev-parse", "main")], stderr).toEqual([1, before]);
  expect(stderr).toContain("No proof is about src/F001.js");
});

test("nor does it if the branch only has to move forward, whatever its trailers say", {
  timeout: 180_000,
}, async () => {
  const of = await waiting();
  const before = of.git("rev-parse", "main");
  const branch = of.git("for-each-ref", "--format=%(refname:short)", "refs/heads/loop/*");
  const proved = of.git("log", "-1", "--format=%(trailers)", "--grep=^Loop-Feature: F002", branch);
  expect(proved).toContain("Loop-Proof: ");
  const tip = of.git("rev-parse", branch);
  commitByHand(of, "by hand", proved);
  const { code, stderr } = await of.loop("land");
  expect([code, of.git("rev-parse", "main")], stderr).toEqual([1, before]);
  expect(stderr).toContain("Not all of the work is proved. No proof is about src/F001.js in commit ");
  expect(stderr).toContain(`To take it unproved: git merge ${branch}`);
  of.git("update-ref", `refs/heads/${branch}`, tip);
  const landed = await of.loop("land");
  expect([landed.code, of.git("rev-parse", "main")], landed.stderr).toEqual([0, tip]);
});

test("work that the person's new test refutes does not land", { timeout: 180_000 }, async () => {
  const of = await finished({
    "test/none.test.js":
      'import assert from "node:assert/strict";\nimport fs from "node:fs";\nassert.equal(fs.existsSync("src/F002.js"), false);\n',
  });
  const before = of.git("rev-parse", "main");
  const { code, stderr } = await of.loop("land");
  expect(code).toBe(1);
  expect(stderr).toContain("the work is not proved any more. F002:");
  expect([of.git("rev-parse", "main"), of.exists("src/F002.js")]).toEqual([before, false]);
});

test("an edited loop.yaml stays as the person has it: it is neither lost nor committed", {
  timeout: 180_000,
}, async () => {
  const of = new Project(sampleFiles(scenes(), two()));
  project = of;
  const edited = `${of.read("loop.yaml")}# mine\n`;
  of.write({ "loop.yaml": edited });
  const { code, stdout, stderr } = await of.loop("run", "--worktree");
  expect(code, stderr).toBe(0);
  expect(of.git("log", "--format=%s", "-1", "main")).not.toBe("start");
  expect(of.read("loop.yaml")).toBe(edited);
  expect(of.git("log", "--format=%s", "main", "--", "loop.yaml")).toBe("start");
  expect(of.git("status", "--porcelain").trim()).toBe("M loop.yaml");
  expect(stdout).toContain("Your uncommitted changes to loop.yaml were left as they are.");
});
