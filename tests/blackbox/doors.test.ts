// Loopholes that were once open, and honest work that was once refused: one test for each.
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

test("work of a session that died without a reply counts when the next session says that it is done", {
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

describe("a person at work during a session", () => {
  const slow = [
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 2500 },
  ];
  const asItWas = { ...builder("F001", 1, right("F001")), where: "ignored.txt" };

  test("who commits loses nothing, and the feature is built on that commit when the run resumes", {
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

  test("who adds a feature learns where it is kept, can restore it, and is not blamed", {
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

test("rewritten tests are shown as a diff, and loop allow commits them", {
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

test("a check that is still red because of another feature counts as evidence, and both features are proved", {
  timeout: 180_000,
}, async () => {
  const wanted = [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'const load = (name) => import("../src/" + name + ".js").catch(() => ({}));',
    'test("f001", async () => assert.equal((await load("F001")).f001?.(), "F001"));',
    'test("f002", async () => assert.equal((await load("F002")).f002?.(), "F002"));',
  ].join("\n");
  const code = (id: string) => right(id).filter(({ path }) => path !== `test/${id}.test.js`);
  const seen = {
    criterion: "C1",
    met: true,
    verification: "execution output",
    evidence: [{ command: "node --test wanted" }],
  };
  const cites = {
    role: "evaluator",
    steps: [{ do: "reply", reply: { verdict: "pass", summary: "", criteria: [seen] } }],
  };
  const scenes = [builder("F001", 1, code("F001")), builder("F002", 1, code("F002")), cites];
  project = new Project(
    sampleFiles(scenes, [feature("F001"), feature("F002", { priority: 2 })], {
      "wanted/all.test.js": wanted,
      "loop.yaml":
        'version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, run: sh run-tests.sh }, { name: wanted, run: "node --test wanted", must: turn-green }]\n',
    }),
  );
  const { code: exit, stdout } = await project.loop("run");
  expect(exit, stdout).toBe(0);
  expect(sessionsOf(project)).toBe(4);
  expect(stdout).toMatch(/F001 .*proved\n.*F002 .*proved/);
});

describe("success", () => {
  const complete = feature("F001", { status: "complete" });
  const scoped = "## Scope (in-scope feature IDs)\n- Include: [F001]\n\n## Autonomy Level\nL2\n";

  test.each([
    {
      of: "a list that is complete",
      features: [complete],
      files: {},
      says: /Every feature in docs\/FEATURES\.json is/,
    },
    {
      of: "a list whose scope is complete",
      features: [complete, feature("F002")],
      files: { "docs/LOOP.md": scoped },
      says: /in scope \(docs\/LOOP\.md\) is complete: 1 of 1\.[\s\S]*1 open feature is out of scope: F002/,
    },
  ])("takes no run for $of, which says that nothing was checked", { timeout: 60_000 }, async ({ says, ...of }) => {
    project = new Project(sampleFiles([evaluator], of.features, of.files));
    const { code, stdout, stderr } = await project.loop("run");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(says);
    expect(stdout.replace(/\s+/g, " ")).toContain("No run began, and nothing was checked.");
    expect(stdout).not.toMatch(/SHIP|every feature is proved/);
    expect(project.exists("docs/PROGRESS.md")).toBe(false);
    expect(JSON.parse((await project.loop("list", "--json")).stdout).runs).toEqual([]);
  });

  test.each([
    { of: "a list that is blocked", features: [feature("F001", { status: "blocked" })] },
    { of: "an empty list", features: [] },
  ])("is not claimed for $of", { timeout: 60_000 }, async ({ features }) => {
    project = new Project(sampleFiles([evaluator], features));
    const { code, stdout, stderr } = await project.loop("run");
    expect(code).not.toBe(0);
    expect(stderr).not.toContain("is complete");
    expect(stdout).not.toMatch(/SHIP|every feature is proved/);
    expect(sessionsOf(project)).toBe(0);
  });

  test("is not claimed for nothing: a run with only false claims ends with what is missing", {
    timeout: 120_000,
  }, async () => {
    project = new Project(sampleFiles([{ role: "builder", steps: [done] }, evaluator], one));
    const { code, stdout } = await project.loop("run");
    expect(code).toBe(4);
    expect(stdout).not.toMatch(/SHIP|every feature is proved/);
    const report = (await project.loop("report")).stdout;
    expect(report).not.toMatch(/SHIP|every feature is proved/);
  });
});

test("with the files of loop init not yet committed, the base's tests are known by name", {
  timeout: 120_000,
}, async () => {
  const named = (module: string, name: string, is: string): string =>
    `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${module}.js";\ntest("${name}", () => assert.equal(${name}(), ${is}));\n`;
  const test1 = { do: "write", path: "test/F001.test.js", text: named("F001", "f001", '"F001"') };
  const steps = right("F001").map((step) => (step["path"] === test1.path ? test1 : step));
  const { "loop.yaml": yaml = "", ...others } = sampleFiles([builder("F001", 1, steps), evaluator], one);
  project = new Project({ ...others, "test/old.test.js": named("old", "old", "1") });
  const made = await project.loop("init", "--yes", "--check", "sh run-tests.sh");
  expect(made.code, made.stdout + made.stderr).toBe(0);
  project.write({ "loop.yaml": yaml });
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(0);
  expect(stderr).toMatch(/old tests, new code\): green, 1 test passed/);
  expect(stdout + stderr).not.toMatch(/not known|somebody else/);
});

describe("npm ci in a clean checkout", () => {
  // With nothing to install, it removes node_modules, the person's included if it could reach them.
  const lock =
    '{ "name": "sample", "lockfileVersion": 3, "requires": true, "packages": { "": { "name": "sample" } } }\n';
  const yaml = (more: string, check: string): string =>
    `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\n${more}checks: [{ name: test, timeout_s: 60, ${check} }]\n`;

  test.each([
    // Setup runs when a lockfile changes.
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
