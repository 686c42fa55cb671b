// A hostile repository is opened by every command: nothing that it names runs, and nothing of it reaches the terminal
// raw.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { program } from "../../src/cli/program.ts";
import { type Ended, ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

vi.setConfig({ testTimeout: 120_000 });

const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eowned";
const sign = "ran";
const run = `touch "$HOME/${sign}"`;
const yaml = `version: 1
agents: { maker: { kind: command, command: [sh, -c, '${run}'] } }
checks: [{ name: test, run: '${run}' }]
setup: { run: '${run}' }
build: '${run}'
notify: { command: [sh, -c, '${run}'] }
env: [HOME]
`;

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
let project: Project;

beforeAll(() => {
  const files = sampleFiles([], [feature("F001", { name: evil, description: evil, acceptance_criteria: [evil] })], {
    "loop.yaml": yaml,
    "docs/LOOP.md": `# Loop Contract\n\n## Goal\n\n${evil}\n`,
    "package.json": JSON.stringify({ name: "x", scripts: { test: run, prepare: run } }),
    [`src/${evil.replace("/", "")}.js`]: "",
    ".loop/shape/SHAPE.md": `criteria:\n- ${evil}\n`,
  });
  project = new Project(files);
  project.git("config", "user.name", `Person ${evil}`);
  project.git("commit", "--quiet", "--allow-empty", "--message", `${evil}\n\nLoop-Run: r\nLoop-Feature: ${evil}`);
  project.git("switch", "--quiet", "-c", "br\u009banch\u202e");
  const hook = `#!/bin/sh\n${run}\n`;
  for (const name of [
    "pre-commit",
    "post-checkout",
    "post-commit",
    "reference-transaction",
    "post-index-change",
    "fsmonitor",
  ])
    fs.writeFileSync(join(project.root, ".git", "hooks", name), hook, { mode: 0o755 });
  for (const [key, value] of [
    ["core.fsmonitor", ".git/hooks/fsmonitor"],
    ["core.pager", run],
    ["core.editor", run],
    ["core.sshCommand", run],
    ["diff.external", run],
    ["filter.x.clean", run],
    ["filter.x.smudge", run],
    ["credential.helper", `!${run}`],
    ["gpg.program", run],
    ["commit.gpgSign", "true"],
    ["alias.status", `!${run}`],
    ["uploadpack.packObjectsHook", run],
  ] as const)
    execFileSync("git", ["config", key, value], { cwd: project.root, env: project.env });
  project.write({ ".git/info/attributes": "* filter=x diff=x\n" });
});
afterAll(() => project.remove());

/** Every command; those that need a word get one. */
const words: Readonly<Record<string, readonly string[]>> = {
  run: ["run", "Add a function f002() to src/F002.js with tests"],
  reject: ["reject", "--reason", "no"],
  accept: ["accept", "F001"],
  allow: ["allow", "F001"],
  answer: ["answer", "yes"],
  undo: ["undo", "F001", "--yes"],
  import: ["import", "docs/FEATURES.json", "--dry-run"],
  init: ["init", "--yes"],
  score: ["score", "Add a function f002() to src/F002.js with tests"],
  completion: ["completion", "bash"],
  schedule: ["schedule", "list"],
  hook: ["hook", "status"],
};
/** It stays, works on a sample of its own, or is a word about others. */
const notOpened = ["serve", "demo", "help", "init"];
const commands = program.commands.map((command) => command.name()).filter((name) => !notOpened.includes(name));
const calls = [[], ...commands.map((name) => [...(words[name] ?? [name])]), ["run", "--dry-run"], ["status", "--seal"]];

/** Without --trust, and without a terminal. */
const loop = (args: readonly string[]): Promise<Ended> =>
  ended(
    spawn(process.execPath, [cli, ...args], {
      cwd: project.root,
      env: project.env,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );

test.each(calls.map((args) => [args.join(" "), args] as const))("loop %s", async (_, args) => {
  for (const more of [[], ["--json"]]) {
    const { code, signal, stdout, stderr } = await loop([...args, ...more]);
    expect(signal).toBeNull();
    expect(code, stderr).not.toBe(70);
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(fs.existsSync(join(project.home, sign)), `${args.join(" ")} ran something`).toBe(false);
  }
});

test("the traps do work", () => {
  execFileSync("git", ["-c", "commit.gpgSign=false", "commit", "--quiet", "--allow-empty", "--message", "x"], {
    cwd: project.root,
    env: project.env,
    stdio: "ignore",
  });
  expect(fs.existsSync(join(project.home, sign))).toBe(true);
});
