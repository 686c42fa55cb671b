// A repository that means harm: nothing that it names runs before a person has agreed, and nothing in it reaches the
// terminal as it is.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Ended, ended, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

// Every command is started once or more: that takes a while on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m";

let project: Project;
afterEach(() => project.remove());

/** As a person would start it: without saying anything about trust. */
const loop = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  ended(
    spawn(process.execPath, [cli, ...args], {
      cwd: project.root,
      env: { ...project.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );

/** Every program of it leaves a file here. */
const marks = (): string[] => fs.readdirSync(join(project.dir, "marks"));

const gitHooks = ["pre-commit", "post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"];

function hostile(): Project {
  project = new Project({ "README.md": "# Harmless\n" });
  const at = join(project.dir, "marks");
  fs.mkdirSync(at);
  const touch = (name: string): string => `touch ${at}/${name}`;
  project.write({
    "tool.sh": `#!/bin/sh\n${touch("tool")}\n`,
    "loop.yaml": `agents:
  maker: { kind: claude, path: ./tool.sh, args: [--danger], permissions: bypass, env: [SECRET] }
  checker: { kind: command, command: [sh, -c, "${touch("checker")}"] }
checks: [{ name: test, run: "${touch("check")}", before: "${touch("before")}" }]
setup: "${touch("setup")}"
build: "${touch("build")} # \\e]0;owned\\a\\e[2J"
env: [SECRET]
notify: { command: [sh, -c, "${touch("notify")}"] }
`,
    "package.json": `{ "scripts": { "test": "${touch("npm")}" } }\n`,
    ".gitattributes": "* filter=evil diff=evil\n",
    "docs/FEATURES.json": JSON.stringify({
      version: 1,
      features: [
        { ...feature("F001"), name: `Name ${evil}`, description: evil, acceptance_criteria: [`Criterion ${evil}`] },
      ],
    }),
    "docs/LOOP.md": `# Loop\n\n## Goal\n\nGoal ${evil}\n`,
    ".loop/shape/SHAPE.md": `# Shape\n\n- [ ] criterion ${evil}\n`,
    [`src/${evil.replaceAll("/", "")}.js`]: "export {};\n",
  });
  fs.chmodSync(join(project.root, "tool.sh"), 0o755);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", `A commit ${evil}`);
  for (const name of gitHooks)
    fs.writeFileSync(join(project.root, ".git", "hooks", name), `#!/bin/sh\n${touch(name)}\n`, { mode: 0o755 });
  for (const [key, value] of [
    ["core.fsmonitor", touch("fsmonitor")],
    ["core.pager", touch("pager")],
    ["core.sshCommand", touch("ssh")],
    ["diff.evil.command", touch("diff")],
    ["diff.external", touch("external")],
    ["filter.evil.clean", `${touch("clean")}; cat`],
    ["filter.evil.smudge", `${touch("smudge")}; cat`],
    ["gpg.program", touch("gpg")],
  ] as const)
    project.git("config", key, value);
  // An edit, so that git has something to look at.
  fs.appendFileSync(join(project.root, "README.md"), "More.\n");
  for (const name of marks()) fs.rmSync(join(at, name));
  return project;
}

/** Every command, with arguments that it takes. */
const commands: Readonly<Record<string, readonly (readonly string[])[]>> = {
  run: [[], ["Add a function a() to src/a.js that returns 1", "--yes"], ["--dry-run"], ["--overnight"]],
  continue: [[]],
  pause: [[]],
  cancel: [[], ["--clean"]],
  land: [[]],
  recover: [[], ["1"]],
  approve: [[]],
  reject: [["--reason", evil], ["F001"]],
  accept: [["F001"]],
  allow: [["F001"]],
  answer: [[evil]],
  status: [[], ["--json"], ["--seal"]],
  notify: [["--test"]],
  watch: [[]],
  logs: [[], ["--json"]],
  list: [[], ["--json"]],
  show: [[], [evil]],
  report: [[], ["--html"]],
  inbox: [[], ["--json"]],
  read: [[], [evil]],
  undo: [["F001", "--yes"], [evil]],
  skill: [["install", "--dry-run"]],
  memory: [[]],
  prove: [[], ["--all"], ["HEAD"]],
  check: [[], ["--json"]],
  doctor: [[], ["--json"]],
  drill: [["--only", "liar"]],
  score: [[`Add ${evil} to the list`], ["--json", `Add ${evil} to the list`]],
  init: [["--yes"]],
  import: [["docs/FEATURES.json", "--dry-run"], [evil]],
  export: [[], ["--format", "csv"], ["--format", "markdown"]],
  schedule: [["list"]],
  completion: [["bash"], ["zsh"], ["fish"]],
  hook: [["start", "Add a()"], ["status"], ["continue"], ["release"], ["install"], ["remove"]],
};
/** The demo is a project of our own; the server goes on until it is stopped. Both have their own tests. */
const elsewhere = ["demo", "help", "serve"];

const raw = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u;

test("every command is tried", async () => {
  project = new Project({ "a.txt": "" });
  const { stdout } = await loop(["--help"]);
  const named = Array.from(stdout.matchAll(/^ {2}([a-z]+)(?:, \S+)* {1,}(?:\[|\w)/gm), ([, name]) => name ?? "");
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in commands) && !elsewhere.includes(name))).toEqual([]);
});

describe("a hostile repository", () => {
  test("opened by every command runs nothing and prints nothing raw", async () => {
    hostile();
    for (const [command, variants] of Object.entries(commands)) {
      for (const args of variants) {
        const line = `${command} ${JSON.stringify(args)}`;
        const { stdout, stderr } = await loop([command, ...args], { SECRET: "do not tell" });
        expect(marks(), line).toEqual([]);
        expect(raw.exec((stdout + stderr).replaceAll("\r\n", "\n"))?.[0], line).toBeUndefined();
        expect(stdout + stderr, line).not.toContain("A bug in Loopwright");
        expect(stdout + stderr, line).not.toContain("do not tell");
      }
    }
    // The traps work: with an agreement they are sprung.
    await loop(["notify", "--test", "--trust"]);
    expect(marks()).toEqual(["notify"]);
  });

  test("is refused with what it names, and the flag to agree", async () => {
    hostile();
    const { code, stderr } = await loop(["run", "Add a function a() to src/a.js that returns 1", "--yes"]);
    expect(code).toBe(1);
    for (const key of ["maker.path", "maker.args", "maker.permissions", "maker.env", "checker.command"])
      expect(stderr).toContain(`agents.${key}`);
    for (const key of ["checks.test.run", "checks.test.before", "setup ", "build ", "env "])
      expect(stderr).toContain(`  ${key}`);
    expect(stderr).toContain("bypass");
    expect(stderr).toMatch(/Next: .*--trust/);
    expect(project.runs()).toEqual([]);
    const added = await loop(["serve", "--add", project.root]);
    expect(added.stderr).toContain(`${project.root} was not registered.`);
    const doctor = await loop(["doctor"]);
    expect(doctor.stdout).toMatch(/trust[\s\S]*agents\.maker\.path/);
  });

  test.skipIf(!hasScript())("at a terminal is shown, with nothing raw, and a no starts nothing", async () => {
    hostile();
    const { code, seen } = await typed(project, ["run"], [["Agree, until it changes?", "n\r"]], { agree: false });
    expect(code).toBe(1);
    expect(seen).toContain("agents.maker.path");
    expect(seen).not.toMatch(/\u001b\]|\u001b\[2J|\u0007|\u009b/);
    expect(marks()).toEqual([]);
  });
});

describe("agreement", () => {
  const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);

  test("holds until what is named changes, and not for other keys", async () => {
    project = new Project(files);
    expect((await loop(["run", "--dry-run"])).code).toBe(1);
    expect((await loop(["run", "--dry-run", "--trust"])).code).toBe(0);
    expect((await loop(["run", "--dry-run"])).code).toBe(0);
    const yaml = project.read("loop.yaml");
    project.write({ "loop.yaml": `${yaml}limits: { cost_usd: 3 }\n` });
    expect((await loop(["run", "--dry-run"])).code).toBe(0);
    project.write({ "loop.yaml": yaml.replace("sh run-tests.sh", "sh run-tests.sh; true") });
    const changed = await loop(["run", "--dry-run"]);
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining("sh run-tests.sh; true")]);
    project.write({ "loop.yaml": yaml });
    expect((await loop(["run", "--dry-run"])).code).toBe(0);
  });

  test.skipIf(!hasScript())("at a terminal is asked for once", async () => {
    project = new Project(files);
    const first = await typed(
      project,
      ["run"],
      [
        ["Agree, until it changes?", "y\r"],
        ["Start? [y]es", "n\r"],
      ],
      { agree: false },
    );
    expect(first.seen).toContain("agents.maker.script");
    const second = await typed(project, ["run"], [["Start? [y]es", "n\r"]], { agree: false });
    expect(second.seen).not.toContain("Agree");
  });

  test("is not needed where loop.yaml names no program", async () => {
    project = new Project({ ...files, "loop.yaml": "agents: { maker: rehearsal }\nlimits: { cost_usd: 3 }\n" });
    const { stderr } = await loop(["run", "--dry-run"]);
    expect(stderr).not.toContain("agreed");
  });

  test("is given by loop init, for the file that it writes", async () => {
    project = new Project({ "package.json": '{ "scripts": { "test": "true" } }\n' });
    expect((await loop(["init", "--yes", "--agent", "claude", "--check", "sh test.sh"])).code).toBe(0);
    expect(project.read("loop.yaml")).toContain("sh test.sh");
    expect((await loop(["run", "--dry-run", "Add a function a() to a.js that returns 1"])).stderr).not.toContain(
      "agreed",
    );
  });
});

describe.skipIf(process.geteuid?.() !== 0)("a repository of another user (skipped unless root can make one)", () => {
  const stranger = 12_345;

  test.each(["status", "doctor", "run", "score", "list"])("is refused by loop %s", async (command) => {
    project = new Project({ "loop.yaml": "agents: { maker: rehearsal }\n" });
    execFileSync("chown", ["-R", String(stranger), project.root]);
    const { code, stdout, stderr } = await loop([command]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("belongs to another user");
    expect(stderr).toContain("safe.directory");
  });

  test("is opened if the person's git configuration says that it is safe, but not if the repository's own does", async () => {
    project = new Project({ "a.txt": "" });
    project.git("config", "safe.directory", "*");
    execFileSync("chown", ["-R", String(stranger), project.root]);
    expect((await loop(["status"])).stderr).toContain("belongs to another user");
    fs.writeFileSync(join(project.home, ".gitconfig"), `[safe]\n\tdirectory = ${project.root}\n`);
    expect((await loop(["status"])).stderr).not.toContain("belongs to another user");
    fs.writeFileSync(join(project.home, ".gitconfig"), `[safe]\n\tdirectory = ${project.root}\n\tdirectory =\n`);
    expect((await loop(["status"])).stderr).toContain("belongs to another user");
  });

  test("is opened by root on behalf of its owner", async () => {
    project = new Project({ "a.txt": "" });
    execFileSync("chown", ["-R", String(stranger), project.root]);
    expect((await loop(["status"], { SUDO_UID: String(stranger) })).stderr).not.toContain("belongs to another user");
  });
});
