// loop score through the command line: what it prints, what it reads, how it exits, and that it changes nothing.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { type Ended, ended, type Files, Project } from "../support/project.ts";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const tested: Files = { "package.json": '{ "scripts": { "test": "node --test" } }\n' };

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

function made(files: Files = tested): Project {
  project = new Project(files);
  return project;
}

function piped(of: Project, input: string | Buffer, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: of.root, env: of.env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // It may stop reading early.
  child.stdin.end(input);
  return ended(child);
}

type Answer = {
  exitCode: number;
  score: number;
  shape: string;
  missing: string[];
  dimensions: { name: string; score: number; evidence: { text: string; at?: number; file?: string }[] }[];
};

describe("loop score", () => {
  test("shows what it found, what that means and what to do next", async () => {
    const { code, stdout, stderr } = await made().loop("score", "Add", "dark", "mode");
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/outcome +2 +"Add dark mode"/);
    expect(stdout).toMatch(/success +1 +npm test \(package\.json\)/);
    expect(stdout).toMatch(/total +5 of 10/);
    expect(stdout).toMatch(/shape +colleague/);
    expect(stdout).toMatch(/workflow +build/);
    expect(stdout).toMatch(/reversibility +2B/);
    expect(stdout).toMatch(/constraints +What must not change[\s\S]*e\.g\. "/);
    expect(stdout).toMatch(/^Next: loop "Add dark mode"$/m);
  });

  test("a vague request exits with 5 and a question for each missing dimension", async () => {
    const { code, stdout } = await made().loop("score", "--bare", "make it better");
    expect(code).toBe(5);
    expect(stdout.match(/e\.g\. "/g)).toHaveLength(5);
    expect(stdout).toMatch(/^Next: say in the request what will be different/m);
  });

  test("a vague request stays vague, even with open features in the queue", async () => {
    const feature = { id: "F001", name: "A", acceptance_criteria: ["a() returns 1"] };
    const files = { ...tested, "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature] }) };
    const { code, stdout } = await made(files).loop("score", "go on");
    expect(code).toBe(5);
    expect(stdout).not.toContain("docs/FEATURES.json");
  });

  test("a type 1 request is announced as reviewed before anything is built", async () => {
    const { stdout } = await made().loop("score", "Drop the users table");
    expect(stdout).toMatch(/reversibility +1: hours to undo, if at all: looked at by an adversary/);
    expect(stdout).toContain('"Drop the users table"');
  });

  test("the JSON locates evidence in the request", async () => {
    const request = "Fix src/a.ts: it should return 404, no new dependencies";
    const { code, stdout } = await made().loop("score", "--json", request);
    const answer = JSON.parse(stdout) as Answer;
    expect(code).toBe(answer.exitCode);
    expect(answer.dimensions.map(({ name }) => name)).toEqual(["outcome", "scope", "constraints", "success", "done"]);
    const found = answer.dimensions.flatMap(({ evidence }) => evidence);
    expect(found.some(({ file }) => file === "package.json")).toBe(true);
    for (const { text, at } of found) if (at !== undefined) expect(request.slice(at, at + text.length)).toBe(text);
  });

  test("reads standard input and files, with the same result", async () => {
    const request = "Fix the crash in src/a.ts when the list is empty.\n\nIt should return 0.\n";
    const of = made({ ...tested, "request.md": request });
    const [words, input, file] = [
      await of.loop("score", "--json", request.trim()),
      await piped(of, request, "score", "--json", "-"),
      await of.loop("score", "--json", "--file", "request.md"),
    ];
    expect(words.code).toBe(0);
    expect(input.stdout).toBe(words.stdout);
    expect(file.stdout).toBe(words.stdout);
  });

  test.each([
    ["no request", ["score"], "", /empty/],
    ["blank input", ["score", "-"], " \n", /empty/],
    ["a file that is not there", ["score", "--file", "none.md"], "", /none\.md cannot be read/],
    ["a folder", ["score", "--file", "."], "", /cannot be read/],
    ["words and a file", ["score", "--file", "a.md", "Add a"], "", /twice/],
    ["bytes that are no text", ["score", "-"], Buffer.from([1, 0, 2]), /not text/],
    ["6 MB", ["score", "-"], "a".repeat(6 * 1024 * 1024), /larger than 5 MB/],
  ] as const)("%s is a usage error that says so", async (_title, args, input, says) => {
    const { code, stdout, stderr } = await piped(made(), input, ...args);
    expect(code).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^Next: /m);
  });

  test("a broken file in the workspace is reported and ignored", async () => {
    const of = made({ ...tested, "loop.yaml": "limts: 3\n" });
    const { code, stderr, stdout } = await of.loop("score", "Add dark mode");
    expect(code).toBe(0);
    expect(stderr).toMatch(/limts/);
    expect(stdout).toContain("npm test (package.json)");
  });

  test("control characters of a request never reach the terminal", async () => {
    const { stdout } = await piped(
      made(),
      "Add \u001b[31mred\u001b[0m \u0007 \u009b2J mode to `a\u001b]0;x\u0007b` now",
      "score",
      "-",
    );
    expect(stdout).toContain("Add");
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test("leaves no trace", async () => {
    const of = made();
    const before = of.git("status", "--porcelain", "--ignored");
    await of.loop("score", "Add dark mode");
    expect(of.git("status", "--porcelain", "--ignored")).toBe(before);
    expect(fs.existsSync(join(of.home, "state"))).toBe(false);
  });
});
