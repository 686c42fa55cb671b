// Bad input gets a clear error and the right exit code, and changes nothing.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { features, good, testRefused } from "../support/refused.ts";
import { feature } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

// One of each kind; the others are in bad-input-more.test.ts.
testRefused([
  {
    title: "an unknown key",
    files: { "loop.yaml": "version: 1\nlimts: { cost_usd: 3 }\n" },
    code: 1,
    says: /limts[\s\S]*limits/,
  },
  { title: "broken YAML", files: { "loop.yaml": "checks: [ {name: test\n" }, code: 1, says: /loop\.yaml has/ },
  {
    title: "features in a circle",
    files: {
      "docs/FEATURES.json": features(
        feature("F001", { dependencies: ["F002"] }),
        feature("F002", { dependencies: ["F001"] }),
      ),
    },
    code: 1,
    says: /F001.*F002|F002.*F001/,
  },
  {
    title: "an id that is a path",
    files: { "docs/FEATURES.json": features(feature("../../etc/x")) },
    code: 1,
    says: /plain name/,
  },
  {
    title: "no agent",
    files: { "loop.yaml": "checks: [{ name: test, run: sh run-tests.sh }]\n" },
    env: { PATH: "/usr/bin:/bin" },
    code: 1,
    says: /No agent/,
  },
  { title: "no check", files: { "loop.yaml": "agents: { maker: rehearsal }\n" }, code: 1, says: /No check/ },
  { title: "a limit over the ceiling", args: ["run", "--budget", "5000"], code: 1, says: /--yes-really/ },
  { title: "a budget that is no number", args: ["run", "--budget", "lots"], code: 64, says: /--budget lots/ },
  {
    title: "a contract that names no feature of ours",
    files: { "docs/LOOP.md": "# Ours\n## Scope\n- Include: F001, F002\n" },
    code: 1,
    says: /docs\/LOOP\.md has a problem\.\nline 3: F002/,
  },
  { title: "an unknown flag", args: ["run", "--bugdet", "3"], code: 64, says: /--bugdet[\s\S]*--budget/ },
  {
    title: "a request that is a missing file",
    args: ["run", "foo.json"],
    code: 64,
    says: /File not found: foo\.json[\s\S]*loop run --prd/,
  },
]);

test("a red baseline refuses the run before a cent is spent, and names the red check", {
  timeout: 60_000,
}, async () => {
  project = new Project({ ...good, "src/old.js": "export const old = () => 3;\n" });
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(1);
  expect(stdout).toContain("test (sh run-tests.sh) is red before any work");
  expect(project.events().map(({ type }) => type)).toEqual(["begun", "refused"]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("whoever asks for JSON gets the error as JSON, with its code", { timeout: 30_000 }, async () => {
  project = new Project({ ...good, "loop.yaml": "limts: {}\n" });
  const { code, stdout, stderr } = await project.loop("run", "--json");
  const error = {
    code: "bad-config",
    what: "loop.yaml has a problem.",
    why: expect.any(String),
    next: expect.any(String),
  };
  expect([code, JSON.parse(stdout)]).toEqual([1, { version: 1, exitCode: 1, error }]);
  expect(stderr).toBe("");
});

test("a request cannot be added to a run over a list of features: it says where to add one", async () => {
  project = new Project(good);
  expect((await project.loop("run", "--autonomy", "L1")).code).toBe(6);
  const { code, stderr } = await project.loop("continue", "--intent", "append", "Also add f002()");
  expect([code, stderr]).toEqual([64, expect.stringContaining("Add or change a feature in docs/FEATURES.json")]);
}, 60_000);

test("a folder without git is refused with a way out", { timeout: 30_000 }, async () => {
  project = new Project(good, { git: false });
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toMatch(/--no-git|git init/);
  expect(project.exists(".loop")).toBe(false);
});

test("a merge in progress is refused and left as it is", { timeout: 30_000 }, async () => {
  project = new Project(good);
  fs.writeFileSync(join(project.root, ".git/MERGE_HEAD"), `${project.git("rev-parse", "HEAD")}\n`);
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toMatch(/merge/i);
  expect(fs.existsSync(join(project.root, ".git/MERGE_HEAD"))).toBe(true);
});
