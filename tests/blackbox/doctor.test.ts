// loop doctor: whole in every repository, and it runs nothing that the repository names.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Ended, ended, type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const cart: Files = {
  "package.json": '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n',
  "test/a.test.js": "",
};

/** With a program called claude on PATH that answers like the real one. */
function withClaude(of: Project, ...args: string[]): Promise<Ended> {
  const bin = join(of.dir, "bin");
  fs.mkdirSync(bin, { recursive: true });
  const text = `#!/bin/sh\ncase "$1" in --version) echo "2.1.325 (Claude Code)";; *) echo '{"loggedIn": true}';; esac\n`;
  fs.writeFileSync(join(bin, "claude"), text, { mode: 0o755 });
  return ended(of.start(args, { PATH: `${bin}:${of.env["PATH"]}` }));
}
const subjects = (stdout: string): string[] =>
  Array.from(stdout.matchAll(/^[✓✗·] (\S+(?: here)?)/gmu), ([, what]) => what ?? "");

describe("without a request, all of it is shown", () => {
  test("in a fresh repository", { timeout: 60_000 }, async () => {
    project = new Project(cart);
    const { code, stdout } = await withClaude(project, "doctor");
    expect(code, stdout).toBe(0);
    expect(subjects(stdout)).toEqual(
      "loop platform git workspace loop.yaml features maker checker walls notify check vault".split(" "),
    );
    expect(stdout).toMatch(/maker +claude 2\.1\.325 \(.*bin\/claude\), logged in \(says claude auth status\)/);
    expect(stdout).toContain("tested with 2.1.197 to 2.1.325\n");
    expect(stdout).toMatch(/check +test: npm test \(stay-green, detected\)\n +not run: loop check runs it/);
    expect(stdout).toMatch(/workspace +.* is clean, on the branch main/);
    expect(project.runs()).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  test("after a finished run, with the size of the vault", { timeout: 120_000 }, async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
    expect((await project.loop("run")).code).toBe(0);
    const { code, stdout } = await project.loop("doctor");
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/vault +\S+, 1 run, [\d.]+ [kM]B/);
    expect(stdout).toMatch(/run +\S+ is over: The contract is met/);
    expect(stdout).toContain('none open: loop "what should be done"');
    expect(stdout).toMatch(/✓ journal +\d+ lines, whole\n/);

    const [dir = ""] = project.runs();
    const journal = join(dir, "events.jsonl");
    const lines = fs.readFileSync(journal, "utf8").split("\n");
    fs.writeFileSync(journal, ["{}", ...lines.slice(1)].join("\n"));
    fs.rmSync(join(dir, "snapshot.json"), { force: true });
    const damaged = await project.loop("doctor");
    expect(damaged.code, damaged.stdout).toBe(1);
    expect(damaged.stdout).toMatch(/✗ (?:run|journal) +.*line 1\b/);
    expect(damaged.stdout).not.toContain("says why");
  });

  test("with two broken files, each named once", { timeout: 60_000 }, async () => {
    project = new Project({ ...cart, "loop.yaml": "agnets: {}\n", "docs/FEATURES.json": "{" });
    const { code, stdout } = await withClaude(project, "doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ loop\.yaml +.*did you mean agents/);
    expect(stdout).toMatch(/✗ features/);
    expect(subjects(stdout)).toEqual(expect.arrayContaining(["git", "maker", "check", "vault"]));
  });

  test("without an agent and without a check, and with what to do", { timeout: 60_000 }, async () => {
    project = new Project({ "a.txt": "" });
    const { code, stdout } = await project.loop("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ agents .*neither claude nor codex is on PATH[\s\S]*Next: Install claude or codex/);
    expect(stdout).toMatch(/✗ check +No check is configured and none was detected/);
    expect(subjects(stdout)).toEqual(expect.arrayContaining(["walls", "notify", "vault"]));
  });

  test("with the two agents that a run would use", { timeout: 60_000 }, async () => {
    project = new Project(cart);
    const bin = join(project.dir, "bin");
    fs.mkdirSync(bin);
    const codex = `#!/bin/sh\ncase "$1" in --version) echo "codex-cli 0.166.0";; *) echo "Logged in using ChatGPT";; esac\n`;
    fs.writeFileSync(join(bin, "codex"), codex, { mode: 0o755 });
    const { stdout } = await withClaude(project, "doctor");
    expect(stdout).toMatch(
      /✓ maker +claude[\s\S]*✓ checker +codex 0\.166\.0[^\n]*\n +a subscription: sums of money are/,
    );
  });
});

test.each([
  { run: "npm run verify", says: "package.json has no script verify." },
  { run: "sh check.sh", says: "check.sh does not exist." },
  { run: "./tool --all", says: "./tool does not exist." },
  { run: "CI=1 no-such-program-here --x", says: "no-such-program-here is not on PATH." },
])("a check that cannot work is noticed without running it: $run", { timeout: 60_000 }, async ({ run, says }) => {
  project = new Project({ ...cart, "loop.yaml": `checks: [{ name: test, run: ${run} }]\n` });
  const { code, stdout } = await withClaude(project, "doctor");
  expect([code, stdout]).toEqual([1, expect.stringContaining(says)]);
});

test("a program that the repository names is not run", { timeout: 60_000 }, async () => {
  project = new Project({
    ...cart,
    "loop.yaml":
      "agents: { maker: { kind: claude, path: ./tool.sh, env: [HOME] } }\nchecks: [{ name: t, run: ./tool.sh }]\n",
    "tool.sh": '#!/bin/sh\ntouch "$HOME/ran"\necho 2.1.325\n',
  });
  fs.chmodSync(join(project.root, "tool.sh"), 0o755);
  const { stdout } = await project.loop("doctor");
  expect(stdout).toContain("loop.yaml names its program, ./tool.sh, so it was not run");
  expect(fs.existsSync(join(project.home, "ran"))).toBe(false);
  expect(project.strays()).toEqual([]);
});
