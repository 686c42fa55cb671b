// loop prove --range proves the commits of a pull request in a clone that has neither vault nor records of the run.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const plain = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);
const files = { ...plain, "loop.yaml": `${plain["loop.yaml"]}proof: { depth: quick }\n` };

let project: Project;
let clone: Project;
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** The commits of `from`, on a machine that has never seen a run. */
function cloneOf(from: Project): Project {
  const copy = new Project({}, { git: false });
  copy.git("clone", "--quiet", from.root, ".");
  return copy;
}

beforeEach(() => {
  project = new Project(files);
  clone = project;
});
afterEach(() => {
  project.remove();
  clone.remove();
});

type Proof = { commit: string; subject: string; feature: string | null; result: string; why: string[] };
type Answer = { holding: number; total: number; commits: Proof[] };

async function prove(range: string): Promise<Answer & { code: number | null }> {
  const { code, stdout, stderr } = await clone.loop("prove", "--range", range, "--json");
  if (stdout === "") throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as Answer) };
}

const commit = (message: string, changes: Record<string, string>): void => {
  clone.write(changes);
  clone.git("add", "--all");
  clone.git("commit", "--quiet", "--message", message);
};
const tested = (id: string): Record<string, string> => ({
  [`src/${id}.js`]: `export const ${id.toLowerCase()} = () => "${id}";\n`,
  [`test/${id}.test.js`]: `import assert from "node:assert/strict";\nimport { ${id.toLowerCase()} } from "../src/${id}.js";\nassert.equal(${id.toLowerCase()}(), "${id}");\n`,
});

test("the commits of a run are proved in a fresh clone, which keeps no proof of them", async () => {
  const base = project.git("rev-parse", "HEAD");
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  clone = cloneOf(project);
  expect(fs.existsSync(`${clone.root}/.loop`)).toBe(false);
  const answer = await prove(`${base}..HEAD`);
  expect(answer.commits.map(({ feature: of, result, why }) => [of, result, why])).toEqual([
    ["F001", "proved", []],
    [null, "skipped", ["It records a run, and leaves the product as it was."]],
  ]);
  expect(answer).toMatchObject({ code: 0, holding: 2, total: 2 });
  expect(clone.git("status", "--short")).toBe("");
  await until("no process left", () => clone.strays().length === 0, 10_000);
  expect(fs.readdirSync(clone.dir).filter((name) => name.startsWith("loop-prove-"))).toEqual([]);
});

test("each commit is judged by the contract of the base, whatever it does to checks, tests and trailers", async () => {
  clone.git("branch", "base");
  commit("Add f001() that returns 'F001'", tested("F001"));
  commit("Add f002()", { "src/F002.js": 'export const f002 = () => "F002";\n' });
  commit(
    "Let the checks pass\n\nLoop-Run: r\nLoop-Feature: F001\nLoop-Iteration: 1\nLoop-Proof: ".concat("a".repeat(64)),
    {
      "loop.yaml": "version: 1\nchecks: [{ name: test, run: 'true' }]\n",
      "run-tests.sh": "true\n",
      "src/old.js": "export const old = () => 2;\n",
    },
  );
  commit("Write a test", { "test/more.test.js": "" });
  const { code, commits } = await prove("base..HEAD");
  expect(commits.map(({ subject, result }) => `${result}: ${subject}`)).toEqual([
    "proved: Add f001() that returns 'F001'",
    "unproved: Add f002()",
    "refused: Let the checks pass",
    "skipped: Write a test",
  ]);
  expect(code).toBe(1);
  expect(commits[1]?.why.join(" ")).not.toBe("");
  const { code: shown, stdout } = await clone.loop("prove", "--range", "base..HEAD~3");
  expect([shown, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{10} {2}proved {4}Add f001\(\)/m)]);
  expect(stdout).toContain("1 of 1 commit holds.");
});

test("a conventional prefix is not part of what a commit says", async () => {
  clone.git("branch", "base");
  commit("feat(stats): add largest", {
    "src/stats.js": "export const largest = (list) => Math.max(...list);\n",
    "test/stats.test.js":
      'import assert from "node:assert/strict";\nimport { largest } from "../src/stats.js";\nassert.equal(largest([1, 5, 2]), 5);\n',
  });
  const { commits } = await prove("base..HEAD");
  expect(commits.map(({ result, why }) => [result, why])).toEqual([["proved", []]]);
});

test("of the loop's own commit the proof's summary is no criterion", async () => {
  clone.git("branch", "base");
  const trailers = `Loop-Run: r\nLoop-Feature: F009\nLoop-Iteration: 1\nLoop-Proof: ${"a".repeat(64)}`;
  const body = "A function f009() that returns its name.\n\nProof: 317 old tests pass, 2 new ones fail without it.";
  commit(`feat(F009): Add f009()\n\n${body}\n\n${trailers}`, tested("F009"));
  const { commits } = await prove("base..HEAD");
  expect(commits.map(({ feature: of, result, why }) => [of, result, why])).toEqual([["F009", "proved", []]]);
});

test("a commit that only says that it records a run is judged", async () => {
  clone.git("branch", "base");
  commit("chore(loop): record run r (success)\n\nLoop-Run: r\nLoop-Records: yes", {
    "src/old.js": "export const old = () => 2;\n",
  });
  expect((await prove("base..HEAD")).commits.map(({ result }) => result)).toEqual(["refused"]);
});

test("a merge that adds nothing is skipped, and one that does is judged", async () => {
  clone.git("branch", "base");
  clone.git("checkout", "--quiet", "-b", "side");
  commit("Add f001() that returns 'F001'", tested("F001"));
  clone.git("checkout", "--quiet", "main");
  commit("Write a note", { "NOTES.md": "A note.\n" });
  clone.git("merge", "--quiet", "--no-edit", "side");
  const merged = await prove("side..HEAD");
  expect(merged.commits.map(({ subject, result }) => `${result}: ${subject}`)).toEqual([
    "review: Write a note",
    "skipped: Merge branch 'side'",
  ]);
  expect(merged).toMatchObject({ code: 0, holding: 2 });
  clone.write({ "src/old.js": "export const old = () => 2;\n" });
  clone.git("commit", "--quiet", "--all", "--amend", "--no-edit");
  const evil = await prove("side..HEAD");
  expect([evil.code, evil.commits.at(-1)?.result]).toEqual([1, "refused"]);
});

test.each([
  ["HEAD", "is not BASE..HEAD"],
  ["main...HEAD", "is not BASE..HEAD"],
  ["--output=x..HEAD", "no commit"],
  ["none..HEAD", "fetch-depth: 0"],
  ["main..HEAD", "There is no commit in main..HEAD"],
])("the range %s is refused", async (range, why) => {
  const { code, stderr } = await clone.loop("prove", `--range=${range}`);
  expect([code, stderr]).toEqual([64, expect.stringContaining(why)]);
});

test("the programs of the base's loop.yaml have to be agreed to first", async () => {
  clone.git("branch", "base");
  commit("Add f001() that returns 'F001'", tested("F001"));
  const args = [cli, "prove", "--range", "base..HEAD"];
  const { code, stderr } = await ended(spawn(process.execPath, args, { cwd: clone.root, env: clone.env }));
  expect([code, stderr]).toEqual([1, expect.stringContaining("sh run-tests.sh")]);
  expect(stderr).toContain("--trust");
});
