// What a person meets, screen by screen, in a real terminal: the first minute in different folders, a gate, a limit, a
// cap, Ctrl-C, and the morning after. Golden screens: a change of wording shows in the diff, and is read aloud.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { version } from "../../src/version.ts";
import { type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles, usage } from "../support/sample.ts";
import { noTmux, Tmux } from "../support/tmux.ts";

vi.setConfig({ testTimeout: 240_000 });

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
let project: Project;
let terminal: Tmux;
afterEach(() => {
  terminal.close();
  project.remove();
});

/** A terminal in which `loop` is the built command line, and both agents are installed and logged in. */
async function open(of: Project, columns = 100): Promise<void> {
  project = of;
  const bin = join(of.dir, "bin");
  const programs = {
    loop: `exec ${process.execPath} ${cli} "$@"`,
    claude: `case "$*" in *--version*) echo "2.1.0 (Claude Code)";; *) echo '{"loggedIn": true, "authMethod": "claude.ai"}';; esac`,
    codex: `case "$*" in *--version*) echo "codex-cli 0.50.0";; *) echo "Logged in using ChatGPT";; esac`,
  };
  fs.mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    fs.writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  terminal = new Tmux(of, columns, 60, { PATH: `${bin}:${of.env["PATH"]}` });
  await terminal.shows(/^\$$/);
}

/** The screen since the last command, without what differs between runs and machines. */
function seen(): string {
  const screen = terminal.screen();
  return `${screen
    .slice(Math.max(0, screen.lastIndexOf("$ loop")))
    .replaceAll(project.dir, "DIR")
    // How far the path goes depends on the machine, and so does where its line is broken.
    .replace(/^ {2}\w+ +DIR[^\n]*(?:\n {12}\S[^\n]*)*/gm, (row) => row.replace(/\n +/g, " "))
    .replaceAll(version, "VERSION")
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋")
    .replace(/\d{4}-\d\d-\d\d(?:T|\s+)\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, "TIME")
    .replace(/\b\d{8}-\d{6}[\w.-]*/g, "RUN")
    .replace(/\bq\d{14}-[0-9a-f]{8}\b/g, "QUARANTINE")
    .replace(/\b(?:\d+ h )?(?:\d+ min )?\d+(?:\.\d+)? (?:ms|s|min)\b/g, "N s")
    .replace(/N s +/g, "N s ")
    .replace(/─+/g, "─")
    .replace(/ +│/g, " │")
    .replace(/\b[0-9a-f]{10,40}\b/g, "HASH")}\n`;
}

/** The screen is still being drawn when the first of it is there: what counts is what it comes to. */
async function shows(name: string, same: readonly (readonly [RegExp, string])[] = []): Promise<void> {
  const golden = fileURLToPath(new URL(`./golden/walk-${name}.txt`, import.meta.url));
  const expected = fs.existsSync(golden) ? fs.readFileSync(golden, "utf8") : null;
  const shown = (): string => same.reduce((text, [one, other]) => text.replace(one, other), seen());
  await until("the golden screen", () => shown() === expected, 5_000).catch(() => {});
  await expect(shown()).toMatchFileSnapshot(golden);
}

const waitFor = (file: string) => ({ do: "run", command: `while [ ! -e "$HOME/${file}" ]; do sleep 0.02; done` });
const go = (file: string): void => fs.writeFileSync(join(project.home, file), "");

const why = noTmux();
describe.skipIf(why !== null)(`in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  const js: Files = {
    "package.json": '{ "name": "todo", "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/list.js": "export const list = (items) => items.join(String.fromCharCode(10));\n",
    "test/list.test.js": "import test from 'node:test';\ntest('lists', () => {});\n",
  };
  const folders: Readonly<Record<string, { readonly files: Files; readonly git?: false; readonly dirty?: Files }>> = {
    javascript: { files: js },
    python: {
      files: {
        "pyproject.toml": '[project]\nname = "todo"\nversion = "1.0"\n',
        "todo/__init__.py": "",
        "todo/list.py": "def list_items(items):\n    return items\n",
        "tests/test_list.py": "import unittest\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n",
      },
    },
    go: {
      files: {
        "go.mod": "module example.com/todo\n\ngo 1.22\n",
        "list.go": "package todo\n\nfunc List(items []string) []string { return items }\n",
        "list_test.go": 'package todo\n\nimport "testing"\n\nfunc TestList(t *testing.T) {}\n',
      },
    },
    monorepo: {
      files: {
        "package.json":
          '{ "name": "all", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
        "packages/list/package.json": '{ "name": "list", "scripts": { "test": "node --test" } }\n',
        "packages/list/list.js": "exports.list = (items) => items;\n",
        "packages/cli/package.json": '{ "name": "cli", "scripts": { "test": "node --test" } }\n',
        "packages/cli/cli.js": "console.log(1);\n",
      },
    },
    "without-tests": { files: { "list.sh": "echo one\n", "README.md": "# A list\n" } },
    "without-git": { files: js, git: false },
    empty: { files: {}, git: false },
    dirty: { files: js, dirty: { "src/list.js": "export const list = () => 0;\n", "notes.txt": "mine\n" } },
  };

  test.each(Object.keys(folders))("the first minute: %s", async (name) => {
    const { files, git, dirty = {} } = folders[name] ?? { files: {} };
    await open(new Project(files, { place: "default", ...(git === false ? { git } : {}) }));
    project.write(dirty);
    terminal.line("loop");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows(`${name}-1-loop`);
    terminal.line("clear; loop 'Add a --json flag to the list command'");
    await terminal.shows(/Start\?|Next:[\s\S]*\n\$$|› *$/);
    await shows(`${name}-2-request`);
    // Without git, a check where none was found, and then what is proposed.
    for (let asked = 1; !/Start\?|\n\$$/.test(terminal.screen()); asked++) {
      const [question = ""] = terminal.screen().split("›").slice(-2);
      terminal.line(question.includes("Which command") ? "true" : question.includes("Work without git") ? "y" : "");
      await terminal.shows(new RegExp(`Start\\?|(?:\\n›[\\s\\S]*){${asked + 1}}|\\n\\$$`));
    }
    await shows(`${name}-3-start`);
    terminal.key("C-c");
    await terminal.shows(/\n\$$/);
    expect(project.runs()).toEqual([]);
  });

  test("at 60 columns, answers and errors are broken between words", async () => {
    const files = sampleFiles([builder("F001", 1, lie), evaluator], [feature("F001")]);
    await open(new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { rework: 0 }\n` }), 60);
    expect((await project.loop("run", "--yes")).code).toBe(7);
    terminal.line("loop statsu; loop inbox; loop list; loop status");
    await terminal.shows(/next +loop[\s\S]*\n\$$/);
    await shows("narrow");
  });

  test("a gate, with a wrong key, and an answer from a second terminal", async () => {
    const files = sampleFiles(
      [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator],
      [feature("F001"), feature("F002", { priority: 2 })],
    );
    await open(new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}gates: [G2]\n` }));
    terminal.line("loop run --yes --trust");
    await terminal.shows("[l]ater");
    terminal.line("maybe");
    await terminal.shows("Type y, a, n or l.");
    await shows("gate");
    expect((await project.loop("approve")).stdout).toContain("Approved.");
    await terminal.shows("Approved from elsewhere.");
    await terminal.shows(/Go on\?[\s\S]*F002 is proved|Go on\?[\s\S]*Go on\?/);
    terminal.line("y");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows("gate-passed");
  });

  test("a usage limit is said, with its end, and Ctrl-C leaves the run paused", async () => {
    const limited = {
      role: "builder",
      steps: [{ do: "limited", retry_after_s: 7200, times: 1 }, ...right("F001")],
      usage,
    };
    await open(new Project(sampleFiles([limited, evaluator], [feature("F001")])));
    terminal.line("loop run --yes --trust");
    await terminal.shows("wait ");
    await shows("limit");
    terminal.key("C-c");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows("limit-paused");
  });

  test("a cap ends the run with the command that raises it", async () => {
    const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
    await open(new Project(sampleFiles(scenes, [feature("F001"), feature("F002", { priority: 2 })])));
    terminal.line("loop run --yes --trust --iterations 1");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows("cap");
  });

  test("Ctrl-C once pauses, twice ends at once, and the next run offers to resume", async () => {
    const scenes = [builder("F001", 1, [waitFor("one"), ...right("F001")]), evaluator];
    await open(new Project(sampleFiles(scenes, [feature("F001")]), { place: "default" }));
    terminal.line("loop run --yes --trust");
    await terminal.shows("▸ run while");
    terminal.key("C-c");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows("ctrl-c-once");
    terminal.line("clear; loop continue");
    await terminal.shows("▸ run while");
    terminal.key("C-c");
    terminal.key("C-c");
    await terminal.shows(/\n\$$/);
    terminal.line("clear; loop 'Add g() to src, which returns 1, with a test'");
    await terminal.shows("[n]either");
    // The second key may come when the run has just saved its state: then it is paused instead of interrupted.
    await shows("ctrl-c-twice", [
      [
        /The run was interrupted, and rests where it was\.\s+0\s+of\s+1 done/,
        "The process that drove the run is gone. Its work is\n  kept. 0 of 1 done",
      ],
    ]);
    go("one");
    terminal.line("y");
    await terminal.shows(/Next:[\s\S]*\n\$$/);
    await shows("resumed");
  });

  test("the morning after: what is done, refused and held, and a key for the old beside the new", async () => {
    const code = 'export const f002 = () => "F002";\n';
    const untested = [
      { do: "write", path: "src/F002.js", text: code },
      { do: "reply", reply: { status: "done", summary: "" } },
    ];
    const scenes = [
      builder("F001", 1, lie),
      builder("F001", 2, right("F001")),
      builder("F002", 1, untested),
      builder("F002", 2, untested),
      evaluator,
    ];
    const files = sampleFiles(scenes, [feature("F001"), feature("F002", { priority: 2 })]);
    await open(new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { rework: 1 }\n` }));
    expect((await project.loop("run", "--yes")).code).toBe(7);
    terminal.line("loop");
    await terminal.shows("[l]ater");
    await shows("morning");
    terminal.line("d");
    await terminal.shows(/\+export const f002[\s\S]*\[l\]ater/);
    terminal.line("a");
    await terminal.shows(/Accepted: F002[\s\S]*\n\$$/);
    await shows("morning-accepted");
    expect(project.events().at(-1)).toMatchObject({ type: "accepted", feature: "F002" });
  });
});
