// What a newcomer runs into on the first day: typos, a request typed twice, one test that may change, the inbox.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const write = (path: string, text: string) => ({ do: "write", path, text });
const done = { do: "reply", reply: { status: "done", summary: "done" } };
const request = "Add a function discount(total, percent) to src/cart.js with tests";

describe("nothing is spent", () => {
  test.each([["stauts"], ["reprot"], ["contniue"]])("on a typo: loop %s", { timeout: 60_000 }, async (word) => {
    project = new Project(sampleFiles([evaluator], [feature("F001", { status: "blocked" })]));
    const { code, stderr } = await project.loop(word);
    expect(code).toBe(64);
    expect(stderr).toMatch(/Did you mean: loop (?:status|report|continue)\?/);
    expect(project.runs()).toEqual([]);
  });

  test("on a vague request, even with open features", { timeout: 60_000 }, async () => {
    project = new Project(sampleFiles([evaluator], [feature("F001")]));
    expect((await project.loop("run", "fix it")).code).toBe(5);
    expect(project.runs()).toEqual([]);
  });

  test("on a request typed again: it is asked about again, and stays one feature", { timeout: 60_000 }, async () => {
    project = new Project(sampleFiles([evaluator], []));
    expect((await project.loop("run", request)).code).toBe(6);
    expect((await project.loop("run", request)).code).toBe(6);
    const { features } = JSON.parse(project.read("docs/FEATURES.json")) as { features: { name: string }[] };
    expect(features).toHaveLength(1);
    expect(project.events().some(({ type }) => type === "session-reserved")).toBe(false);
  });
});

const cart = {
  "package.json": '{ "name": "sample", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/old.js": "export const label = (name) => name.trim();\nexport const old = () => 1;\n",
  "test/old.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { label, old } from "../src/old.js";
test("label trims", () => assert.equal(label(" a "), "a"));
test("old is one", () => assert.equal(old(), 1));
`,
};

test("a change to the one test that may change does not count against the verdict", { timeout: 120_000 }, async () => {
  const louder = [
    write("src/old.js", "export const label = (name) => name.trim().toUpperCase();\nexport const old = () => 1;\n"),
    write("test/old.test.js", cart["test/old.test.js"].replace('label(" a "), "a"', 'label(" a "), "A"')),
    done,
  ];
  const verdict = structuredClone(evaluator);
  for (const step of verdict.steps as { reply?: { criteria: { evidence: object[] }[] } }[])
    for (const criterion of step.reply?.criteria ?? []) criterion.evidence = [{ command: "npm test" }];
  const loud = feature("F001", {
    name: "Make label() shout",
    description: "label() trims its argument and makes it upper case.",
    acceptance_criteria: ["label(' a ') returns 'A'"],
    may_change: ["test/old.test.js > label trims"],
  });
  project = new Project(sampleFiles([builder("F001", 1, louder), verdict], [loud], cart));
  const { code, stdout, stderr } = await project.loop("run", "--check", "npm test");
  expect(code, stdout + stderr).toBe(0);
  expect(project.git("log", "--format=%s", "main")).toContain("F001");
});

describe("after a run", () => {
  const untested = [write("src/F001.js", 'export const f001 = () => "F001";\n'), done];
  const anyTry = { role: "builder", feature: "F001", steps: untested, usage: { cost_usd: 0.01 } };

  test("nothing is uncommitted, and none of the loop's own files are listed as set aside", {
    timeout: 120_000,
  }, async () => {
    const two = [feature("F001"), feature("F002", { priority: 2 })];
    project = new Project(sampleFiles([anyTry, builder("F002", 1, right("F002")), evaluator], two));
    expect((await project.loop("run")).code).toBe(7);
    expect(project.git("status", "--porcelain", "--untracked-files=no")).toBe("");
    expect((await project.loop("recover")).stdout).not.toMatch(/docs\/(?:PROGRESS|loop-)/);
  });

  test("held work is in the inbox, also after another run, with a command to view it", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([anyTry, builder("F002", 1, right("F002")), evaluator], [feature("F001")]));
    expect((await project.loop("run")).code).toBe(7);
    const asked = ["run", "Add a function f002() to src/F002.js that returns 'F002'.", "--yes"];
    expect((await project.loop(...asked)).code).toBe(0);
    const { stdout } = await project.loop("inbox");
    expect(stdout).toMatch(/F001 \(unproved, of run .*\)[\s\S]*git diff HEAD\.\.\.loop\/held\/F001/);
  });

  test("a gate is in the inbox", { timeout: 60_000 }, async () => {
    project = new Project(sampleFiles([evaluator], []));
    expect((await project.loop("run", request)).code).toBe(6);
    expect((await project.loop("inbox")).stdout).toMatch(/^G1 \(gate\)[\s\S]*Next: loop approve/);
  });

  test("a builder whose work was rejected is shown that work, without the loop's records", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([anyTry, evaluator], [feature("F001")]));
    expect((await project.loop("run")).code).toBe(7);
    await project.loop("reject", "F001", "--reason", "Write a test for it.");
    const told = project.prompts("builder").find((text) => text.includes("Earlier work on this feature")) ?? "";
    expect(told).toContain("src/F001.js");
    expect(told).not.toContain("docs/PROGRESS.md");
  });
});

describe("says what is so", () => {
  test("an inbox before any run is empty, and no mistake", async () => {
    project = new Project({ "a.txt": "a" });
    expect(await project.loop("inbox")).toMatchObject({ code: 0, stdout: "The inbox is empty.\n", stderr: "" });
  });

  test("a question waits for an answer: nothing is blocked, and nothing was rolled back", {
    timeout: 60_000,
  }, async () => {
    const asks = { do: "reply", reply: { status: "question", summary: "", question: { text: "Which?" } } };
    project = new Project(sampleFiles([builder("F001", 1, [asks]), evaluator], [feature("F001")]));
    const { code, stdout } = await project.loop("run");
    expect(code).toBe(6);
    expect(stdout).toMatch(/\? F001 .* waits for your answer\n/);
    expect(stdout).not.toMatch(/blocked|rolled back/);
  });

  test("after a breaker, what waits in the inbox comes first", { timeout: 60_000 }, async () => {
    const lies = [1, 2, 3].map((attempt) => builder("F001", attempt, [done]));
    const files = sampleFiles(
      [...lies, builder("F002", 1, [done]), evaluator],
      [feature("F001"), feature("F002", { priority: 2 })],
    );
    project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { rework: 1 }\n` });
    const { code, stdout } = await project.loop("run");
    expect(code).toBe(4);
    const waits = JSON.parse((await project.loop("inbox", "--json")).stdout) as { inbox: unknown[] };
    expect(waits.inbox).not.toEqual([]);
    expect(stdout).toMatch(/\nNext: loop inbox\n$/);
  });

  test("a report of work that has not landed says so, and how it lands", { timeout: 60_000 }, async () => {
    const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);
    project = new Project(files, { place: "default" });
    project.write({ "src/old.js": "export const old = () => 1; // mine\n" });
    expect((await project.loop("run")).code).toBe(0);
    const { stdout } = await project.loop("report");
    expect(stdout).toContain("have not landed on main yet.");
    expect(stdout).toMatch(/## Next\n\n```sh\nloop land\n```\n$/);
  });

  test("a vault of a newer release is left alone, and the release to install is named", async () => {
    project = new Project(sampleFiles([evaluator], [feature("F001")]));
    await project.loop("status", "--seal");
    expect((await project.loop("run")).code).not.toBe(64);
    const [run = ""] = project.runs();
    const note = join(run, "..", "..", "workspace.json");
    fs.writeFileSync(
      note,
      JSON.stringify({ ...JSON.parse(fs.readFileSync(note, "utf8")), version: 2, release: "0.7.1" }),
    );
    for (const args of [["status"], ["run"], ["continue"], []]) {
      const { code, stderr } = await project.loop(...args);
      expect([args, code, stderr]).toEqual([
        args,
        1,
        expect.stringContaining("Next: npm install --global loopwright@0.7.1\n"),
      ]);
    }
  });
});
