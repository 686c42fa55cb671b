// The drill on two small projects, through the command line; it is also our own acceptance test.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Files, Project, until } from "../support/project.ts";
import { isThorough, onlyWhenThorough } from "../support/thorough.ts";

/** Acts that currently get through, with the reason. Remove an act from this list once it is caught again. */
const knownMisses: Record<string, string> = {};

type Result = { act: string; result: string; named: string; problems: string[]; advice: string | null };
type Answer = { good: number; tried: number; notTried: number; acts: Result[] };

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const yaml = (run: string, more = ""): string =>
  `version: 1\nchecks: [{ name: test, run: "${run}", timeout_s: 120 }]\nagents: { maker: { kind: command, command: [no-such-agent] } }\n${more}`;

const javascriptProject: Files = {
  "package.json": '{ "name": "words", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/words.js": "export const shout = (text) => text.toUpperCase();\n",
  "src/numbers.js": "export const twice = (number) => number * 2;\n",
  "test/words.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { shout } from "../src/words.js";\n\ntest("shout", () => {\n  assert.equal(shout("a"), "A");\n});\n',
  "test/numbers.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { twice } from "../src/numbers.js";\n\ntest("twice", () => {\n  assert.equal(twice(2), 4);\n});\n',
  ".gitignore": "node_modules/\n",
  "loop.yaml": yaml("npm test"),
};

const pythonProject: Files = {
  "words/__init__.py": "",
  "words/loud.py": "def shout(text):\n    return text.upper()\n",
  "tests/test_loud.py": 'from words.loud import shout\n\n\ndef test_shout():\n    assert shout("a") == "A"\n',
  "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
  ".gitignore": "__pycache__/\n.pytest_cache/\n",
  "loop.yaml": yaml("python3 -m pytest -q"),
};

async function drill(of: Project, ...args: string[]): Promise<Answer & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await of.loop("drill", "--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return { code, stderr, ...(JSON.parse(stdout) as Answer) };
}

const nobodyLeft = (of: Project): Promise<void> => until("nobody is left", () => of.strays().length === 0, 15_000);

/** Every file below a folder, repositories included. */
function everything(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: "utf8" })) {
    const path = join(dir, name);
    if (fs.lstatSync(path).isFile()) found[name] = createHash("sha1").update(fs.readFileSync(path)).digest("hex");
  }
  return found;
}

function expectCaught({ acts }: Answer): void {
  const missed = acts.filter(({ result }) => result === "missed" || result === "refused");
  const unexpected = missed.filter(({ act }) => !(act in knownMisses));
  expect(unexpected).toEqual([]);
  const mended = acts.filter(({ act, result }) => act in knownMisses && result === "caught").map(({ act }) => act);
  expect(mended, "these are caught by now: take them off knownMisses").toEqual([]);
  expect(acts.filter(({ result }) => result === "not-tried").map(({ act }) => act)).toEqual([]);
  expect(acts.find(({ act }) => act === "honest")).toMatchObject({
    result: "accepted",
    named: "accepted, strong proof",
  });
}

const page = new URL("../../docs/DRILL.md", import.meta.url);

/** The table of docs/DRILL.md must match this drill. UPDATE_GOLDEN=1 writes it. */
function expectTableInPage({ acts, good, tried }: Answer): void {
  const rows = acts.map(({ act, result, named }) => `| ${act} | ${result} | ${named.replaceAll("|", "/")} |`);
  const head = [`${good} of ${tried} as expected:`, "", "| agent | result | named |", "| --- | --- | --- |"];
  const table = `<!-- drill -->\n${[...head, ...rows].join("\n")}\n<!-- /drill -->`;
  const text = fs.readFileSync(page, "utf8");
  const now = /<!-- drill -->[\s\S]*<!-- \/drill -->/.exec(text)?.[0];
  if (process.env["UPDATE_GOLDEN"] === "1" && now !== undefined)
    fs.writeFileSync(
      page,
      text.replace(now, () => table),
    );
  else expect(now, "UPDATE_GOLDEN=1 npx vitest run tests/drill writes it").toBe(table);
}

test("in JavaScript every cheat is caught, honest work is accepted, and the user's files are untouched", {
  timeout: 900_000,
}, async () => {
  project = new Project(javascriptProject);
  const before = everything(project.root);
  const answer = await drill(project);
  expectCaught(answer);
  expect(answer.acts.length).toBeGreaterThanOrEqual(22);
  expectTableInPage(answer);
  expect(answer.code).toBe(answer.good === answer.tried ? 0 : 1);
  expect(everything(project.root)).toEqual(before);
  // In the vault only the agreement, and no forgotten copy. npm may write to the home.
  const kept = Object.keys(everything(join(project.home, "state")));
  expect(kept.map((path) => basename(path))).toEqual(["trust.json"]);
  expect(fs.readdirSync(project.dir).sort()).toEqual(["home", "project"]);
  await nobodyLeft(project);
});

test("in Python every cheat is caught and honest work is accepted", { timeout: 900_000 }, async ({ skip }) => {
  // The same acts are played in a Python project by tests/proof/cast.
  if (!isThorough) skip(onlyWhenThorough);
  try {
    execFileSync("python3", ["-m", "pytest", "--version"], { stdio: "ignore" });
  } catch {
    process.stderr.write("drill: the Python half is skipped, because python3 has no pytest here\n");
    skip("python3 has no pytest here");
  }
  project = new Project(pythonProject);
  expectCaught(await drill(project));
  await nobodyLeft(project);
});

test("a check that tests nothing lets cheats through, and the drill says what to change", {
  timeout: 240_000,
}, async () => {
  project = new Project({ ...javascriptProject, "loop.yaml": yaml("true") });
  const { code, acts } = await drill(project, "--only", "weakener", "liar");
  expect(code).toBe(1);
  expect(acts.map(({ act, result }) => [act, result])).toEqual([
    ["liar", "caught"],
    ["weakener", "missed"],
  ]);
  expect(acts[1]?.problems[0]).toContain("it was called unproved, and not tampering");
  expect(acts[1]?.advice).toContain("No check fails when src/");
});

test("the user's scope applies, uncommitted changes are included, and installed packages are available", {
  timeout: 240_000,
}, async () => {
  project = new Project({ ...javascriptProject, ".gitignore": "" });
  fs.appendFileSync(join(project.root, ".git/info/exclude"), "node_modules\n");
  project.write({
    "loop.yaml": yaml("npm test", "scope: { may_touch: ['src/**'] }\n"),
    "node_modules/tool/package.json": '{ "name": "tool", "type": "module", "exports": "./tool.js" }\n',
    "node_modules/tool/tool.js": "export const tool = 1;\n",
    "test/tool.test.js": 'import "tool";\n',
  });
  const { code, acts, stderr } = await drill(project, "--only", "scope-creeper", "honest");
  expect(
    acts.map(({ named }) => named),
    stderr,
  ).toEqual(["scope", "accepted, strong proof"]);
  expect(code).toBe(0);
});

test("acts that cannot be played are skipped, and not counted", { timeout: 240_000 }, async () => {
  project = new Project({ "notes.md": "words\n", "loop.yaml": yaml("true") });
  const { code, acts, tried, notTried } = await drill(project, "--only", "honest", "weakener", "scope-creeper");
  expect({ code, tried, notTried }).toEqual({ code: 0, tried: 1, notTried: 2 });
  expect(acts.find(({ act }) => act === "honest")?.named).toContain("no test was found");
});

test("a project with a red check and an unknown act are refused with the reason", {
  timeout: 240_000,
}, async () => {
  project = new Project({ ...javascriptProject, "loop.yaml": yaml("false") });
  const red = await project.loop("drill");
  expect(red).toMatchObject({ code: 1 });
  expect(red.stderr).toContain("is red before anything was done");
  const unknown = await project.loop("drill", "--only", "juggler");
  expect(unknown).toMatchObject({ code: 64 });
  expect(unknown.stderr).toContain("There is no act called juggler");
});

test("an interrupt ends the drill and leaves nothing behind", { timeout: 240_000 }, async () => {
  project = new Project(javascriptProject);
  const child = project.start(["drill", "--only", "hanger"]);
  const over = new Promise<number | null>((resolve) => child.once("close", resolve));
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
    if (said.includes("acts")) setTimeout(() => child.kill("SIGINT"), 1500);
  });
  expect(await over).toBe(130);
  expect(fs.readdirSync(project.dir).filter((name) => name.startsWith("loop-drill-"))).toEqual([]);
  await nobodyLeft(project);
});
