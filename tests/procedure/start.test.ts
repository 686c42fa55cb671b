// Before anything is spent: what is open is asked for with a proposal, one screen says what would happen, and a key
// starts it.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ended, type Files, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

vi.setConfig({ testTimeout: 180_000 });

const request = "Add a function f001() to src/F001.js that returns 'F001'.";
const asked = "Start? [y]es";
const open = "What must not change";

let project: Project;
afterEach(() => project.remove());

function made(extra: Files = {}): Project {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [], extra));
  fs.rmSync(join(project.root, "docs"), { recursive: true });
  project.git("commit", "-qam", "no queue");
  return project;
}

describe.skipIf(!hasScript())("at a terminal (skipped without script of util-linux)", () => {
  test("Enter accepts the proposal, the screen says what would happen, and y builds it without another question", async () => {
    const { code, seen } = await typed(
      made(),
      ["run", request],
      [
        [open, "\r"],
        [asked, "y\r"],
      ],
    );
    expect(code, seen).toBe(0);
    expect(seen).toContain("[no new dependencies, and nothing unrelated changes]");
    expect(seen).toMatch(/build +1 +Add a function f001\(\)/);
    expect(seen).toContain("Constraints: no new dependencies, and nothing unrelated changes");
    expect(seen).toMatch(/agents +rehearsal makes, rehearsal checks/);
    expect(seen).toMatch(/check +sh run-tests\.sh/);
    expect(seen).toMatch(/proof +standard; how long it takes was not measured yet/);
    expect(seen).toMatch(/where +\S+, branch main/);
    expect(seen).toMatch(/caps +\$25\.00, 10 iterations, 60 min/);
    expect(seen).not.toContain("G1 ·");
    expect(project.prompts("builder")[0]).toContain(
      `${request}\n\nConstraints: no new dependencies, and nothing unrelated changes`,
    );
  });

  test("the unknown price of a command agent is asked for once, by the setting's name", async () => {
    made({
      "loop.yaml":
        "agents: { maker: { kind: command, command: [sh, run-tests.sh] } }\nchecks: [{ name: test, run: sh run-tests.sh }]\n",
    });
    const price = "(agents.maker.cost_usd)?";
    const n = [asked, "n\r"] as const;
    const first = await typed(
      project,
      ["run", request],
      [[open, "\r"], [price, "a lot\r"], ["Type a sum", ""], [price, "0.25\r"], n],
    );
    expect(first.seen).toContain("What does one session of sh run-tests.sh cost, in USD");
    const second = await typed(project, ["run", request], [[open, "\r"], n]);
    expect(second.seen).not.toContain("What does one session");
    const { stdout } = await project.loop("run", "--dry-run", request);
    expect(stdout).toContain(
      "a session of sh run-tests.sh counts as $0.250, as you said. To change it, set agents.maker.cost_usd",
    );
    expect(stdout).not.toContain("is not known");
  });

  test("n begins nothing", async () => {
    const { code, seen } = await typed(
      made(),
      ["run", request],
      [
        [open, "No new files.\r"],
        [asked, "n\r"],
      ],
    );
    expect([code, project.runs()], seen).toEqual([0, []]);
    expect(seen).toContain("Constraints: No new files.");
    expect(seen).toContain("Nothing was started.");
  });

  test("y to a proposal accepts it", async () => {
    const { seen } = await typed(
      made(),
      ["run", request],
      [
        [open, "y\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toContain("Constraints: no new dependencies, and nothing unrelated changes");
  });

  test("uncommitted changes that the run would not see are named", async () => {
    project = new Project(sampleFiles([], []), { place: "default" });
    project.write({ "src/old.js": "export const old = () => 3;\n", "notes.txt": "mine\n" });
    const { seen } = await typed(
      project,
      ["run", request],
      [
        [open, "\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toMatch(/yours +notes\.txt, src\/old\.js: uncommitted, so the run does not see them/);
  });

  test("where there is no repository, that is asked first: y works without git, anything else starts nothing", async () => {
    project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], []), { git: false });
    fs.rmSync(join(project.root, "docs"), { recursive: true });
    const no = await typed(project, ["run", request], [["Work without git?", "n\r"]]);
    expect([no.code, project.runs()], no.seen).toEqual([0, []]);
    const { code, seen } = await typed(
      project,
      ["run", request],
      [
        ["Work without git?", "y\r"],
        [open, "\r"],
        [asked, "y\r"],
      ],
    );
    expect(code, seen).toBe(0);
    expect(project.read("src/F001.js")).toContain("F001");
  });

  test("--yes asks nothing about open features, and leaves them", async () => {
    project = new Project(sampleFiles([builder("F002", 1, right("F002")), evaluator], [feature("F001")]));
    const { code, seen } = await typed(project, ["run", "--yes", request.replaceAll("001", "002")], []);
    expect(code, seen).toBe(0);
    expect(seen).not.toContain("besides your request");
    expect(project.git("log", "--format=%s")).not.toContain("F001");
  });

  test("what was typed before the screen was shown does not start it", async () => {
    const { code, seen } = await typed(
      made(),
      ["run", request],
      [
        [open, "\ry\ry\ry"],
        [asked, "n\r"],
      ],
    );
    expect([code, project.runs()], seen).toEqual([0, []]);
  });

  test("e changes the request, and asks again", async () => {
    const { seen } = await typed(
      made(),
      ["run", request],
      [
        [open, "\r"],
        [asked, "e\r"],
        ["The request:", " Print it, too.\r"],
        [open, "\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toMatch(/build +1 +Add a function f001\(\) to src\/F001.js that returns 'F001'\. Print it/);
  });

  test("a asks nothing more, at any level of autonomy", async () => {
    const { code, seen } = await typed(
      made(),
      ["run", request, "--autonomy", "L1"],
      [
        [open, "\r"],
        [asked, "a\r"],
      ],
    );
    expect(code, seen).toBe(0);
    expect(seen).toContain("you, after each iteration and before it is called done");
    expect(seen).not.toMatch(/G[123] ·/);
  });

  test("a vague request is asked what will be different; the answer makes it start, silence refuses it", async () => {
    const refused = await typed(made(), ["run", "make it better"], [["What will be different", "\r"]]);
    expect([refused.code, project.runs()], refused.seen).toEqual([5, []]);
    const { seen } = await typed(
      project,
      ["run", "make it better"],
      [
        ["What will be different", "f001() in src/F001.js returns 'F001'.\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toContain("Outcome: f001() in src/F001.js returns 'F001'.");
  });

  test("without a check the command is asked for, with a proposal", async () => {
    project = new Project({
      "package.json": '{ "name": "bare" }\n',
      "loop.yaml": "agents: { maker: { kind: rehearsal, script: rehearsal.json } }\n",
      "rehearsal.json": '{ "version": 1, "scenes": [] }\n',
    });
    const { seen } = await typed(
      project,
      ["run", request],
      [
        ["Which command runs the tests? [node --test]", "\r"],
        [open, "\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toMatch(/check +node --test/);
  });

  test("--overnight is said there: hours, iterations, and no questions", async () => {
    const { seen } = await typed(
      made(),
      ["run", request, "--overnight"],
      [
        [open, "\r"],
        [asked, "n\r"],
      ],
    );
    expect(seen).toMatch(/8 hours of work, 50 iterations, no questions; you\s+are told by bell, title/);
    expect(seen).toMatch(/caps +\$25\.00, 50 iterations, 8 h/);
    expect(seen).toMatch(/asks +nothing more/);
  });

  test("the time of a proof is the one that loop check measured, and later that of the last proof", async () => {
    made();
    expect((await project.loop("check")).code).toBe(0);
    const n = [
      [open, "\r"],
      [asked, "n\r"],
    ] as const;
    const { seen } = await typed(project, ["run", request], n);
    expect(seen).toMatch(/proof +about .+ for each feature \(standard, measured by loop check\)/);
    expect((await project.loop("run", request, "--yes")).code).toBe(0);
    fs.writeFileSync(
      join(project.root, "loop.yaml"),
      project.read("loop.yaml").replace("sh run-tests.sh", "sh ./run-tests.sh"),
    );
    project.git("commit", "-qam", "another command");
    const later = await typed(project, ["run", request], n);
    expect(later.seen).toMatch(/proof +the last one here took .+ \(standard\)/);
  });
});

test("two agents of different vendors that are logged in make and check; with one of them logged out, the other does both", async () => {
  made({ "loop.yaml": "checks: [{ name: test, run: sh run-tests.sh }]\n" });
  const bin = join(project.home, "bin");
  fs.mkdirSync(bin);
  const agent = (name: string, version: string, status: string): void =>
    fs.writeFileSync(
      join(bin, name),
      `#!/bin/sh\ncase "$*" in *--version*) echo "${version}";; *) ${status};; esac\n`,
      { mode: 0o755 },
    );
  agent("claude", "2.1.0 (Claude Code)", `echo '{"loggedIn": true, "authMethod": "claude.ai"}'`);
  agent("codex", "codex-cli 0.50.0", "echo 'Logged in using ChatGPT'");
  const env = { PATH: `${bin}:${project.env["PATH"]}` };
  const both = await ended(project.start(["run", request, "--dry-run"], env));
  expect(both.stdout).toMatch(/agents +claude makes, codex checks/);
  agent("codex", "codex-cli 0.50.0", "echo 'Not logged in' >&2; exit 1");
  const one = await ended(project.start(["run", request, "--dry-run"], env));
  expect(one.stdout).toMatch(/agents +claude makes, claude checks/);
});

test("a check on the command line is one word, and the request can come after it", async () => {
  made();
  const { code, stdout } = await project.loop("run", "--dry-run", "--check", "true", "--check", "npm test", request);
  expect(code).toBe(0);
  expect(stdout).toMatch(/build +1 +Add a function f001\(\)[\s\S]*check +true[\s\S]*check +npm test/);
});

test("without a terminal, a folder without git is refused before anything else is said", async () => {
  project = new Project(sampleFiles([], []), { git: false });
  const { code, stderr } = await project.loop("run", request);
  expect([code, stderr.split("\n")[0]]).toEqual([1, "The workspace was not opened."]);
  expect(stderr).toContain("git init");
});

test("the setting for the price of a command agent is named before anything is spent", async () => {
  const yaml = (more: string): string =>
    `agents: { maker: { kind: command, command: [sh, run-tests.sh]${more} } }\nchecks: [{ name: test, run: sh run-tests.sh }]\n`;
  made({ "loop.yaml": yaml("") });
  const { stdout } = await project.loop("run", "--dry-run", request);
  expect(stdout).toMatch(/note +the price of a command agent is not known: .* Set agents\.maker\.cost_usd\n/);
  project.write({ "loop.yaml": yaml(", cost_usd: 0") });
  expect((await project.loop("run", "--dry-run", request)).stdout).not.toContain("cost_usd");
});
