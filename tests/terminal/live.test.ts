// A person watches an agent at work in a real terminal: golden screens at 100 and 60 columns.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { masked, noTmux, Tmux } from "../support/tmux.ts";

vi.setConfig({ testTimeout: 120_000 });

let project: Project;
let terminal: Tmux;
afterEach(() => {
  terminal.close();
  project.remove();
});

/** Works until the file appears: the test looks at the screen in the meantime. */
const waitFor = (file: string): string => `while [ ! -e "$HOME/${file}" ]; do sleep 0.02; done`;
const go = (file: string): void => fs.writeFileSync(join(project.home, file), "");
const golden = (name: string): string => new URL(`./golden/${name}.txt`, import.meta.url).pathname;

/** The first feature is quick; the second is watched. */
const watched = (steps: object[]) =>
  sampleFiles(
    [
      builder("F001", 1, right("F001")),
      builder("F002", 1, [...steps, ...right("F002")] as Parameters<typeof builder>[2]),
      evaluator,
    ],
    [feature("F001"), feature("F002", { priority: 2 })],
  );

const why = noTmux();
describe.skipIf(why !== null)(`in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  const working = [
    { do: "print", text: "I look at the tests first.\nThen I write \u001b]0;owned\u0007 one." },
    { do: "write", path: "notes.txt", text: "x\n" },
    { do: "run", command: `${waitFor("one")}; rm notes.txt # npm test -- --reporter=verbose test/F002.test.js` },
  ];

  test.each([100, 60])("%i columns: tool, words, tokens, money and time, and v for more", async (columns) => {
    project = new Project(watched(working));
    terminal = new Tmux(project, columns, 30);
    terminal.loop("run", "--yes", "--trust");
    await terminal.shows("▸ run while");
    await expect(masked(terminal.screen(), "F002 Add")).toMatchFileSnapshot(golden(`live-${columns}`));
    terminal.key("v");
    await terminal.shows("✎ notes.txt");
    await expect(masked(terminal.screen(), "F002 Add")).toMatchFileSnapshot(golden(`live-${columns}-details`));
    terminal.key("v");
    await terminal.shows(/of \$25[^\n]*\n {2}▸ run while/);
    go("one");
    await terminal.shows("Next:");
    expect(terminal.history()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    expect(terminal.title()).not.toContain("owned");
  });

  test("the sum never shrinks: a session that has ended is counted once", async () => {
    project = new Project(watched([]));
    terminal = new Tmux(project, 100, 30);
    const log = join(project.dir, "written");
    terminal.record(log);
    terminal.loop("run", "--yes", "--trust");
    await terminal.shows("Next:");
    const sums = Array.from(fs.readFileSync(log, "utf8").matchAll(/\$(\d\.\d+) of \$25/g), ([, sum]) => Number(sum));
    expect(sums.length).toBeGreaterThan(10);
    expect(sums).toEqual(sums.toSorted((one, other) => one - other));
    expect(Math.max(...sums)).toBeCloseTo(0.04, 6);
  });

  test("a resized terminal is redrawn whole, with nothing left over", async () => {
    project = new Project(watched(working));
    terminal = new Tmux(project, 100, 30);
    terminal.loop("run", "--yes", "--trust");
    await terminal.shows("▸ run while");
    terminal.resize(50, 30);
    await terminal.shows(/do sleep 0.0…\n/);
    expect(terminal.screen().match(/F002 builder/g)).toHaveLength(1);
    terminal.resize(120, 8);
    await terminal.shows(/ {2}▸ run while [^\n]+--reporter=verbose/);
    expect(terminal.screen().match(/F002 builder/g)).toHaveLength(1);
    go("one");
    await terminal.shows("Next:");
    expect(terminal.history()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  test("a program of one's own shows the end of its output", async () => {
    const script = `echo "compiling \u001b[32mwords.c\u001b[0m"; echo "warning: \u001b[2J unused"; ${waitFor("one")}; echo '{"status":"done","summary":"x"}' > "$LOOP_REPLY_FILE"\n`;
    const loopYaml = `version: 1\nagents: { maker: { kind: command, command: [sh, agent.sh], cost_usd: 0 } }\nchecks: [{ name: test, run: sh run-tests.sh }]\n`;
    project = new Project({ ...watched([]), "agent.sh": script, "loop.yaml": loopYaml });
    terminal = new Tmux(project, 100, 30);
    terminal.loop("run", "--yes", "--trust");
    await terminal.shows(/^ {2}warning: ⟨U\+001B⟩\[2J unused$/m);
    terminal.key("v");
    await terminal.shows("| compiling words.c\n  | warning: ⟨U+001B⟩[2J unused");
    terminal.key("C-c");
    await terminal.shows("Pausing");
    await terminal.shows("Next:");
  });

  test("Ctrl-Z and fg leave the terminal as it was, and Ctrl-C twice ends at once", async () => {
    project = new Project(watched(working));
    terminal = new Tmux(project, 100, 30);
    terminal.loop("run", "--yes", "--trust");
    await terminal.shows("▸ run while");
    terminal.key("C-z");
    await terminal.shows("Stopped");
    terminal.line("echo t''yped; stty -a | grep -o -- ' icanon'");
    await terminal.shows(/^typed\n icanon$/m);
    terminal.line("fg");
    await terminal.shows(/fg\n[\s\S]*▸ run while/);
    terminal.key("v");
    await terminal.shows("v: less");
    terminal.key("C-c");
    await terminal.shows("Press Ctrl-C again");
    terminal.key("C-c");
    // Where the first has paused the run already, the second comes to the shell.
    await terminal.shows(/(?:Exited\.|Next:)[\s\S]*\$ ?$/);
    terminal.line("stty -a | grep -o -- ' icanon'");
    await terminal.shows(/ icanon$/m);
  });

  test("a run in the background goes on, and leaves the terminal to the shell", async () => {
    project = new Project(watched(working));
    terminal = new Tmux(project, 100, 30);
    terminal.loop("run", "--yes", "--trust", "&");
    await terminal.shows("F002 builder");
    go("one");
    await terminal.shows("Next:");
  });

  test("--plain redraws nothing, and has a line for each thing that the agent does", async () => {
    project = new Project(watched(working));
    terminal = new Tmux(project, 100, 40);
    terminal.loop("run", "--yes", "--trust", "--plain");
    await terminal.shows("builder   ▸ run while");
    expect(masked(terminal.screen(), "F002 Add")).toContain(
      "  builder   I look at the tests first. Then I write ⟨U+001B⟩]0;owned⟨U+0007⟩ one.\n  builder   ✎ notes.txt\n",
    );
    expect(terminal.screen()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    go("one");
    await terminal.shows("Next:");
  });

  test("the bell rings and the title says so when the run waits for a person; both can be switched off", async () => {
    const files = watched([]);
    const asking = (more: string) => ({ ...files, "loop.yaml": `${files["loop.yaml"]}gates: [G2]\n${more}` });
    for (const isOn of [true, false]) {
      project = new Project(asking(isOn ? "" : "notify: { bell: false, title: false }\n"));
      terminal = new Tmux(project, 100, 40);
      const log = join(project.dir, "written");
      terminal.record(log);
      terminal.loop("run", "--yes", "--trust");
      await terminal.shows("[l]ater");
      const written = fs.readFileSync(log, "utf8");
      const titles = [...written.matchAll(/\u001b\]2;([^\u0007]*)\u0007/g)].map(([, title]) => title);
      expect(titles.slice(0, 1)).toEqual(isOn ? ["loop: F001 builder"] : []);
      expect(titles.at(-1)).toEqual(isOn ? "loop: Waits for you: 1 of 2 features complete" : undefined);
      expect(written.replace(/\u001b\]2;[^\u0007]*\u0007/g, "").split("\u0007").length - 1).toBe(isOn ? 1 : 0);
      if (isOn) {
        terminal.close();
        project.remove();
      }
    }
  });
});
