// The arguments that JavaScript runners get. Those that are installed were also tried for real.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { askForNames } from "./ask.ts";
import type { RunnerKind } from "./runner.ts";
import { nodeShim, shim } from "./shims.ts";

const scratch = mkdtempSync(join(tmpdir(), "arguments-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Packages with the names and commands of the runners, which print their arguments. */
const packages: readonly (readonly [name: string, bin: string])[] = [
  ["vitest", "vitest.mjs"],
  ["jest", "bin/jest.js"],
  ["mocha", "bin/mocha.js"],
  ["@playwright/test", "cli.js"],
  ["ava", "cli.mjs"],
  ["other", "cli.js"],
];
const modules = join(scratch, "node_modules");
mkdirSync(join(modules, ".bin"), { recursive: true });
for (const [name, bin] of packages) {
  const dir = join(modules, name);
  mkdirSync(join(dir, "bin"), { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name, bin: { x: `./${bin}` } }));
  const print =
    "console.log(JSON.stringify([process.argv.slice(2), Object.keys(process.env).filter((n) => /LOOP|NODE_OPT|PLAYWR/.test(n)).sort()]))";
  // What a test in the runner's own process would see, once the runner has read its arguments.
  const later = `setTimeout(() => console.log("later " + process.argv.slice(2).join(" ")), 20)`;
  writeFileSync(join(dir, bin), `#!/usr/bin/env node\n${print}\n${later}\n`, { mode: 0o755 });
  symlinkSync(join(dir, bin), join(modules, ".bin", name === "@playwright/test" ? "playwright" : name));
}

function told(
  kind: RunnerKind,
  command: string,
  only?: string[],
): { args: string[]; env: string[]; exit: number | null; later?: string } {
  const use = { kind, programs: [kind], selects: true };
  const asking = askForNames({ uses: [use], cwd: scratch, out: scratch, ...(only === undefined ? {} : { only }) });
  const env = { PATH: `${join(modules, ".bin")}:${process.env["PATH"]}`, ...asking.env };
  const { stdout, status } = spawnSync("sh", ["-c", command], { cwd: scratch, env, encoding: "utf8" });
  const [args = [], names = []] =
    stdout === "" ? [] : (JSON.parse(stdout.split("\n").find((line) => line.startsWith("[")) ?? "[]") as string[][]);
  const folders = [scratch, encodeURIComponent(`${scratch}/`), scratch.replace(/[.]/g, "\\$&")];
  const plain = (arg: string): string =>
    folders
      .reduce((text, folder) => text.replace(folder, ""), arg.replace(/(^|=)[^=]*\/assets\//, "$1assets/"))
      .replace(new RegExp(`/?${asking.mark}.*`), "REPORT")
      .replace(/^\//, "");
  const later = /^later (.*)$/m.exec(stdout)?.[1];
  return { args: args.map(plain), env: names, exit: status, ...(later === undefined ? {} : { later }) };
}

const vitest = ["--reporter=default", "--reporter=assets/vitest-reporter.mjs", "--run"];
const jest = ["--watchAll=false", "--json", "--outputFile=REPORT"];
const mocha = ["--reporter", "assets/mocha-reporter.cjs", "--reporter-option", "to=REPORT"];
test("a test in Jest's own process sees the command's arguments, not ours", () => {
  expect(told("jest", "jest --ci unit").later).toBe("--ci unit");
});

test.each<[RunnerKind, string, string[] | undefined, string[]]>([
  ["vitest", "vitest", undefined, ["run", ...vitest]],
  ["vitest", "vitest watch --coverage a", undefined, ["run", "--coverage", "a", ...vitest]],
  ["vitest", "vitest run --reporter=junit", undefined, ["run", "--reporter=junit", ...vitest.slice(1)]],
  [
    "vitest",
    "vitest --config x.ts --coverage a",
    ["t/a.js"],
    ["run", "--config", "x.ts", "--coverage", "t/a.js", ...vitest],
  ],
  ["vitest", "vitest bench", undefined, ["bench"]],
  ["vitest", "vitest --version", undefined, ["--version"]],
  ["jest", "jest --watch --ci unit", undefined, ["--ci", "unit", ...jest]],
  ["jest", "jest --ci unit -c x.json", ["a.js"], ["--ci", "-c", "x.json", "--runTestsByPath", "a.js", ...jest]],
  ["jest", "jest --listTests", undefined, ["--listTests"]],
  ["jest", "jest --json --outputFile=mine.json", undefined, ["--json", "--outputFile=mine.json"]],
  ["mocha", "mocha -R dot --reporter-option=a=b -r x test/a.js", undefined, ["-r", "x", "test/a.js", ...mocha]],
  ["mocha", "mocha --watch --exit test/a.js", ["test/[b].js"], ["--exit", "test/\\[b\\].js", ...mocha]],
  ["playwright", "playwright test --reporter line", undefined, ["test", "--reporter=line,json"]],
  ["playwright", "playwright test --ui a", ["a.spec.ts"], ["test", "a\\.spec\\.ts$", "--reporter=list,json"]],
  ["playwright", "playwright install", undefined, ["install"]],
  ["ava", "ava --watch -- a", undefined, ["--tap", "--", "a"]],
  ["jest", "other --watch", undefined, ["--watch"]],
])("%s: %s with %j", (kind, command, only, args) => {
  const ran = told(kind, command, only);
  expect(ran.args).toEqual(args);
  const asked = ran.args.length !== command.split(" ").length - 1 || ran.args.some((arg) => arg.includes("REPORT"));
  // A runner that was asked hides the asking from what it starts; other programs pass it on.
  if (asked) expect(ran.env.filter((name) => !name.startsWith("PLAYWRIGHT"))).toEqual([]);
});

test("a runner in a package without a selected file does not run", () => {
  mkdirSync(join(scratch, "sub"), { recursive: true });
  expect(told("jest", "cd sub && jest", ["a.test.js"])).toEqual({ args: [], env: [], exit: 0 });
});

test.each<[string, RunnerKind[], boolean]>([
  ["one runner", ["jest"], true],
  ["two of a kind", ["jest", "jest"], true],
  ["two different ones", ["jest", "playwright"], false],
  ["one that cannot", ["cargo"], false],
  ["none that is known", [], false],
])("files are selected for %s: %#", (_, kinds, selects) => {
  const uses = kinds.map((kind) => ({ kind, programs: [], selects: true }));
  expect(askForNames({ uses, cwd: "/w", out: "/o", only: ["a"] }).selects).toBe(selects);
  expect(askForNames({ uses, cwd: "/w", out: "/o" }).selects).toBe(false);
});

test("keeps variables that the room sets, and makes no selection that is too long", () => {
  const uses = [{ kind: "pytest", programs: ["pytest"], selects: true }] as const;
  const many = Array.from({ length: 5000 }, (_, at) => `tests/test_${at}_of_many.py`);
  const { env, selects, shims } = askForNames({ uses, cwd: "/w", out: "/o", only: many, env: { PYTHONPATH: "/mine" } });
  expect(env["PYTHONPATH"]).toMatch(/assets\/python:\/mine$/);
  expect(env["NODE_OPTIONS"]).toBeUndefined();
  expect(selects).toBe(false);
  expect(shims.map(({ name }) => name)).toEqual(["pytest"]);
});

test("each asking has its own mark", () => {
  const order = { uses: [], cwd: "/w", out: "/o" };
  expect(askForNames(order).mark).not.toBe(askForNames(order).mark);
});

test("a shim runs the real program: the one moved aside for it, or the next on PATH", () => {
  const [one, two, three] = ["one", "two", "three"].map((name) => join(scratch, name)) as [string, string, string];
  for (const dir of [one, two, three]) mkdirSync(dir, { recursive: true });
  const { script } = shim("tool", "the-mark", "");
  for (const dir of [one, two]) writeFileSync(join(dir, "tool"), script, { mode: 0o755 });
  const run = () =>
    spawnSync(join(one, "tool"), ["a b", "*"], {
      encoding: "utf8",
      env: { PATH: `${one}:${two}:${three}:/usr/bin:/bin` },
    });
  expect(run()).toMatchObject({ status: 127, stderr: "tool: not found\n" });
  writeFileSync(join(three, "tool"), '#!/bin/sh\necho "three $# $1 $2"', { mode: 0o755 });
  expect(run().stdout).toBe("three 2 a b *\n");
  writeFileSync(join(two, "tool.loop-real"), '#!/bin/sh\necho "two $# $1 $2"', { mode: 0o755 });
  expect(run().stdout).toBe("two 2 a b *\n");
});

test("the shim of node adds missing options once, and keeps those that a script sets", () => {
  const bin = join(scratch, "bin");
  mkdirSync(join(bin, "real"), { recursive: true });
  const { script } = nodeShim("the-mark", "{}", { hook: '--require="/h h"', reporters: ["--both --ours", "--ours"] });
  writeFileSync(join(bin, "node"), script, { mode: 0o755 });
  writeFileSync(join(bin, "real", "node"), '#!/bin/sh\necho "$NODE_OPTIONS | $*"', { mode: 0o755 });
  const options = (given: string, ...args: string[]): string =>
    spawnSync("node", args, {
      encoding: "utf8",
      env: { PATH: `${bin}:${join(bin, "real")}:/usr/bin:/bin`, NODE_OPTIONS: given },
    })
      .stdout.trim()
      .replace(/ +/g, " ");
  const ours = '--require="/h h" --both --ours';
  expect(options("")).toBe(`${ours} |`);
  expect(options(`--x ${ours}`, "--test")).toBe(`--x ${ours} | --test`);
  expect(options(ours, "--test", "--test-reporter=dot")).toBe(
    '--require="/h h" --ours | --test-reporter-destination=stdout --test --test-reporter=dot',
  );
  expect(options(ours, "--test", "--test-reporter", "dot", "--test-reporter-destination", "x")).toBe(
    '--require="/h h" --ours | --test --test-reporter dot --test-reporter-destination x',
  );
});
