// loop check on repositories that are green in the folder and red in a clean checkout: the addition it names is enough.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { ended, type Files, Project } from "../support/project.ts";
import { hasScript, typed } from "../support/terminal.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const timeout = 180_000;
const testOf = (body: string): string =>
  `import assert from "node:assert";\nimport * as fs from "node:fs";\nimport test from "node:test";\ntest("it works", async () => {\n  ${body}\n});\n`;

/** Tracked files, and files that only the folder has. */
function repository(tracked: Files, ignored: Files = {}): Project {
  const gitignore = [...Object.keys(ignored).map((path) => `/${path.split("/")[0]}`), "node_modules"].join("\n");
  const made = new Project({ ".gitignore": `${gitignore}\n`, ...tracked });
  made.write(ignored);
  return made;
}

/** Every file in the folder, with its size, time and mode. */
const snapshot = (of: Project): string =>
  execFileSync("find", [".", "-path", "./.git", "-prune", "-o", "-printf", "%p %s %T@ %m\\n"], {
    cwd: of.root,
    encoding: "utf8",
  });

type Answer = {
  exitCode: number;
  fit: boolean;
  checks: {
    looks: string;
    tests: number | null;
    log: string | null;
    diagnosis: { is: string; trials: number } | null;
  }[];
  add: { build?: string; room?: Record<string, string[]> } | null;
  proofMs: Record<string, number> | null;
};

async function json(of: Project, args: string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await ended(of.start(["check", "--json", ...args], env));
  return { code, stderr, stdout, answer: JSON.parse(stdout) as Answer };
}

const readsEnv = testOf('assert.match(fs.readFileSync(".env", "utf8"), /GREETING=hello/);');

test("a check that is green in a clean checkout is fit to start", { timeout }, async () => {
  project = repository({ "test/a.test.js": testOf("assert.ok(1);") });
  const before = snapshot(project);
  const { code, answer } = await json(project);
  expect(code).toBe(0);
  expect(answer).toMatchObject({ fit: true, add: null, checks: [{ looks: "named", tests: 1, diagnosis: null }] });
  expect(answer.proofMs?.["quick"]).toBeGreaterThan(0);
  expect(snapshot(project)).toBe(before);
});

test("a clone without its packages is told how to install them", { timeout }, async () => {
  const manifest = { scripts: { test: "some-runner" }, devDependencies: { "some-runner": "1.0.0" } };
  project = repository({ "package.json": JSON.stringify(manifest), "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" });
  const { code, stdout } = await project.loop("check");
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, " ")).toContain("package.json names packages, and none is installed: pnpm install");
  expect(stdout).toContain("Next: pnpm install, then: loop check");
});

test("an ignored .env is named, written on request, and enough", { timeout }, async () => {
  project = repository({ "test/a.test.js": readsEnv }, { ".env": "GREETING=hello\nTOKEN=swordfish\n" });
  const before = snapshot(project);
  const found = await project.loop("check");
  expect(found.code, found.stderr).toBe(1);
  expect(found.stdout).toContain("  room:\n    files: [.env]\n");
  expect(found.stdout).toContain(".env may hold secrets");
  expect(found.stdout).toContain("Next: loop check --write");
  expect(found.stdout + found.stderr).not.toContain("swordfish");
  expect(snapshot(project)).toBe(before);

  const wrote = await project.loop("check", "--write");
  expect(wrote.code, wrote.stderr).toBe(0);
  expect(project.read("loop.yaml")).toContain("room:\n  files: [.env]\n");
  expect(await json(project)).toMatchObject({ code: 0, answer: { fit: true, add: null } });
});

describe("the smallest addition is found where", () => {
  test("the tests read a generated folder that nothing makes", { timeout }, async () => {
    const tracked = { "test/a.test.js": testOf('assert.ok((await import("../generated/client.js")).ok);') };
    project = repository(tracked, { "generated/client.js": "export const ok = true;\n", "notes/x.txt": "x\n" });
    expect(await json(project)).toMatchObject({ code: 1, answer: { add: { room: { files: ["generated"] } } } });
  });

  test("a script generates the folder: it adds the script, not a copy of the folder", { timeout }, async () => {
    const script = `require("node:fs").mkdirSync("generated", { recursive: true }); require("node:fs").writeFileSync("generated/client.mjs", "export const ok = true;")`;
    const tracked = {
      "package.json": JSON.stringify({ scripts: { generate: "node generate.js", lint: "exit 1" } }),
      "generate.js": script,
      "test/a.test.mjs": testOf('assert.ok((await import("../generated/client.mjs")).ok);'),
    };
    project = repository(tracked, { "generated/client.mjs": "export const ok = true;\n" });
    expect(await json(project)).toMatchObject({ code: 1, answer: { add: { build: "npm run generate" } } });
  });

  test("the shell has a variable, and its value is never shown", { timeout }, async () => {
    project = repository({ "test/a.test.js": testOf("assert.ok(process.env.API_ADDRESS);") });
    const { code, stdout, stderr, answer } = await json(project, [], { API_ADDRESS: "swordfish", OTHER: "tuna" });
    expect(code).toBe(1);
    expect(answer.add).toEqual({ room: { env: ["API_ADDRESS"] } });
    expect(stdout + stderr).not.toMatch(/swordfish|tuna/);
  });

  test("a file and a variable are needed together", { timeout }, async () => {
    project = repository(
      { "test/a.test.js": testOf('assert.ok(fs.existsSync("local.json") && process.env.API_ADDRESS);') },
      { "local.json": "{}\n", "a.txt": "a\n", "b.txt": "b\n" },
    );
    const { answer } = await json(project, [], { API_ADDRESS: "x", OTHER: "y" });
    expect(answer.add).toEqual({ room: { files: ["local.json"], env: ["API_ADDRESS"] } });
  });

  test("the home has a file", { timeout }, async () => {
    const read = 'assert.ok(fs.existsSync(process.env.HOME + "/.toolrc"));';
    project = repository({ "test/a.test.js": testOf(read) });
    execFileSync("sh", ["-c", `echo x > "${project.home}/.toolrc"`]);
    expect((await json(project)).answer.add).toEqual({ room: { home: [".toolrc"] } });
  });
});

test("red in the folder as well: it says so, names the log, and adds nothing", { timeout }, async () => {
  project = repository({ "test/a.test.js": testOf("assert.equal(1, 2);") }, { ".env": "A=1\n" });
  const { code, answer } = await json(project, ["--write"]);
  expect(code).toBe(1);
  expect(answer).toMatchObject({ fit: false, add: null, checks: [{ looks: "red", diagnosis: { is: "red" } }] });
  expect(execFileSync("cat", [answer.checks[0]?.log ?? ""], { encoding: "utf8" })).toContain("it works");
  expect(project.exists("loop.yaml")).toBe(false);
});

test("red only because the runner is asked for test names: it says that this is the cause", { timeout }, async () => {
  const run = 'test -z "$LOOP_NAMES" && node --test';
  project = repository({
    "loop.yaml": JSON.stringify({ checks: [{ name: "test", run }] }),
    "test/a.test.js": testOf("assert.ok(1);"),
  });
  const { code, answer } = await json(project);
  expect(code).toBe(1);
  expect(answer).toMatchObject({ add: null, checks: [{ looks: "red", diagnosis: { is: "asked" } }] });
});

test("a check that runs no test is reported, and a run may start with it", { timeout }, async () => {
  project = repository({ "loop.yaml": 'checks: [{ name: test, run: "node --test" }]\n', "a.js": "" });
  const { code, stdout } = await project.loop("check");
  expect(code).toBe(0);
  expect(stdout.replace(/\s+/g, " ")).toContain("it runs no test: it proves nothing until it has some");
});

test("other reasons that keep a run from starting are listed, with the command that helps", { timeout }, async () => {
  project = repository({ "test/a.test.js": testOf("assert.ok(1);") });
  project.write({ ".venv/pyvenv.cfg": "home = /usr/bin\n", ".venv/lib/x.py": "" });
  const before = await project.loop("check");
  expect(before.code).toBe(1);
  expect(before.stdout).toContain(".venv/ holds installed packages");
  expect(before.stdout).toContain("Next: echo /.venv/ >> .git/info/exclude");
  project.write({ ".git/info/exclude": "/.venv/\n" });
  expect((await project.loop("check")).code).toBe(0);
});

test("comments in an existing loop.yaml stay", { timeout }, async () => {
  const yaml = '# ours\nchecks:\n  - { name: test, run: "node --test" } # fast\n';
  project = repository({ "loop.yaml": yaml, "test/a.test.js": readsEnv }, { ".env": "GREETING=hello\n" });
  expect((await project.loop("check", "--write")).code).toBe(0);
  expect(project.read("loop.yaml")).toBe(`${yaml}room:\n  files: [.env]\n`);
});

test("no check at all is an error that says how to configure one", { timeout }, async () => {
  project = repository({ "README.md": "nothing\n" });
  const { code, stderr } = await project.loop("check");
  expect(code).toBe(1);
  expect(stderr).toContain("No check is configured and none was detected.");
});

test.runIf(hasScript())("at a terminal it asks, and writes after a yes", { timeout }, async () => {
  project = repository({ "test/a.test.js": readsEnv }, { ".env": "GREETING=hello\n" });
  const { code, seen } = await typed(project, ["check"], [["Add this to loop.yaml?", "y\r"]]);
  expect(seen).toContain("Added to loop.yaml");
  expect(code).toBe(0);
  expect(project.read("loop.yaml")).toContain("files: [.env]");
});

test("a run refused for a red baseline says that the checkout is clean, and suggests loop check", {
  timeout,
}, async () => {
  project = repository(
    {
      "test/a.test.js": readsEnv,
      "loop.yaml": "agents: { maker: { kind: rehearsal, script: act.json } }\n",
      "act.json": '{ "version": 1, "scenes": [{ "role": "builder", "steps": [{ "do": "crash" }] }] }\n',
    },
    { ".env": "GREETING=hello\n" },
  );
  const { stdout, stderr } = await project.loop("run", "Add src/hello.js that prints hello, with a test", "--yes");
  expect(stdout + stderr).toContain("is red before any work, in a clean checkout");
  expect(stdout + stderr).toContain("The whole output: ");
  expect(stdout + stderr).toContain("loop check");
});

test(
  "test files that no check runs are named",
  async () => {
    project = repository({
      "package.json": '{ "name": "x", "type": "module", "scripts": { "test": "node --test test/*.test.js" } }\n',
      "test/a.test.js": testOf(""),
      "test/helper.js": "export const one = 1;\n",
      "integration/api.test.js": testOf(""),
    });
    const { stdout } = await ended(project.start(["check"]));
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "No check runs these test files, so a change that breaks only them goes unnoticed: integration/api.test.js.",
    );
  },
  timeout,
);
