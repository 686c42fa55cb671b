// Ways around the loop that were open once, and honest work that was hit when they were: one test for each.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const one = [feature("F001")];
const done = { do: "reply", reply: { status: "done", summary: "done" } };
const statuses = (of: Project): string[] =>
  (JSON.parse(of.read("docs/FEATURES.json")).features as { id: string; status: string }[]).map(
    ({ id, status }) => `${id} ${status}`,
  );
const sessionsOf = (of: Project): number => of.events().filter(({ type }) => type === "session-reserved").length;

test("the work of a session that died without a reply counts when the next one says that it is done", {
  timeout: 120_000,
}, async () => {
  const dies = [...right("F001").slice(0, -1), { do: "crash" }];
  const finds = { role: "builder", feature: "F001", where: "src/F001.js", steps: [done] };
  project = new Project(sampleFiles([finds, builder("F001", 1, dies), evaluator], one));
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(0);
  expect([sessionsOf(project), project.events().filter(({ type }) => type === "rolled-back")]).toEqual([3, []]);
  expect(project.git("show", "HEAD~1:src/F001.js", "HEAD:src/F001.js")).toContain("F001");
});

describe("a person at work in the middle of a session", () => {
  const slow = [
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 2500 },
  ];
  const asItWas = { ...builder("F001", 1, right("F001")), where: "ignored.txt" };

  test("who commits loses nothing, and neither does the feature: it is built on the commit when the run goes on", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([asItWas, builder("F001", 1, [...slow, ...right("F001")]), evaluator], one));
    const of = project;
    const end = ended(of.start(["run"]));
    await until("the session at work", () => of.exists("src/half.js"));
    of.write({ "person.js": "export const mine = 1;\n", "ignored.txt": "" });
    of.git("add", "person.js");
    of.git("commit", "--quiet", "--message", "by a person");
    expect((await end).code).toBe(1);
    expect(of.git("status", "--porcelain", "--", "src", "test", "person.js")).toBe("");
    const on = await of.loop("continue");
    expect(on.code, on.stdout).toBe(0);
    expect(of.git("show", "HEAD:person.js", "HEAD:src/F001.js")).toMatch(/mine[\s\S]*F001/);
    expect(of.git("ls-files", "src/half.js")).toBe("");
    expect(on.stdout + on.stderr).not.toContain("nothing had changed");
  });

  test("who adds a feature is told where it is kept, can bring it back, and nobody is blamed", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([builder("F001", 1, [...slow, ...right("F001")]), evaluator], one));
    const of = project;
    const end = ended(of.start(["run"]));
    await until("the session at work", () => of.exists("src/half.js"));
    const queue = JSON.parse(of.read("docs/FEATURES.json"));
    const more = { ...queue, features: [...queue.features, feature("F002", { status: "blocked" })] };
    of.write({ "docs/FEATURES.json": `${JSON.stringify(more, null, 2)}\n` });
    const { code, stderr } = await end;
    expect(code, stderr).toBe(0);
    expect(statuses(of)).toEqual(["F001 complete"]);
    expect(stderr).toContain("docs/FEATURES.json was changed while the loop was at work; the loop put it back.");
    expect(stderr).not.toMatch(/the agent (?:edited|changed|overstepped)/);
    const id = /loop recover (s[0-9a-f]{12})/.exec(of.read("docs/loop-run-log.md"))?.[1] ?? "";
    expect((await of.loop("recover")).stdout).toContain(id);
    const back = await of.loop("recover", id, "--to", join(of.dir, "back"));
    expect(back.code, back.stderr).toBe(0);
    expect(fs.readFileSync(join(of.dir, "back", "docs/FEATURES.json"), "utf8")).toContain("F002");
  });
});

const question: Files = {
  "loop.yaml": `${sampleFiles([], [])["loop.yaml"]?.replace("allow: never\n", "")}`,
};
const rewrites = [
  ...right("F001").slice(0, -1),
  { do: "write", path: "src/old.js", text: "export const old = () => 2;\n" },
  {
    do: "write",
    path: "test/old.test.js",
    text: 'import assert from "node:assert/strict";\nimport { old } from "../src/old.js";\nassert.equal(old(), 2);\n',
  },
  done,
];

test("tests that a change rewrote are shown as they were and as they would be, and a yes commits them", {
  timeout: 180_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, rewrites), evaluator], one, question));
  const of = project;
  const asked = await of.loop("run");
  expect(asked.code, asked.stderr).toBe(7);
  expect(sessionsOf(of)).toBe(1);
  const inbox = (await of.loop("inbox")).stdout;
  expect(inbox).toMatch(/F001 \(contradiction\)/);
  expect(inbox).toMatch(/-assert\.equal\(old\(\), 1\);\n +\+assert\.equal\(old\(\), 2\);/);
  const allowed = await of.loop("allow", "F001");
  expect(allowed.code, allowed.stderr).toBe(0);
  expect(of.git("show", "HEAD~1:test/old.test.js", "HEAD:test/old.test.js")).toContain("old(), 2");
  expect(sessionsOf(of)).toBe(1);
});

describe("npm ci in a clean checkout", () => {
  // With nothing to install, it removes node_modules: whatever it can reach of the person's would be gone.
  const lock =
    '{ "name": "sample", "lockfileVersion": 3, "requires": true, "packages": { "": { "name": "sample" } } }\n';
  const yaml = (more: string, check: string): string =>
    `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\n${more}checks: [{ name: test, timeout_s: 60, ${check} }]\n`;

  test.each([
    // Setup is what installs when a lockfile changes.
    { where: "setup", loop: yaml("setup: npm ci --offline\n", "run: sh run-tests.sh"), locks: true },
    { where: "before a check", loop: yaml("", "run: sh run-tests.sh, before: npm ci --offline") },
    { where: "a check", loop: yaml("", 'run: "npm ci --offline && sh run-tests.sh"') },
    { where: "build", loop: yaml("build: npm ci --offline\n", "run: sh run-tests.sh") },
  ])("as $where leaves the person's node_modules alone", { timeout: 120_000 }, async ({ loop, locks }) => {
    const locked = { do: "write", path: "package-lock.json", text: lock.replace('"requires": true, ', "") };
    const steps = locks === true ? [locked, ...right("F001")] : right("F001");
    const files = sampleFiles([builder("F001", 1, steps), evaluator], one, {
      "loop.yaml": loop,
      "package-lock.json": lock,
    });
    project = new Project(files);
    const kept = { "node_modules/mine/package.json": '{ "name": "mine" }\n', "node_modules/mine/index.js": "1;\n" };
    project.write(kept);
    const { code, stdout, stderr } = await project.loop("run");
    expect(code, stdout + stderr).toBe(0);
    expect(Object.keys(kept).map((path) => project?.read(path))).toEqual(Object.values(kept));
  });
});
