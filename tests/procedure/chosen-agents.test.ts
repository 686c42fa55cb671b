// --agent, --maker, --checker and --model: who works on a run, and with which model, for this run alone.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Served } from "../serve/served.ts";
import { type Ended, ended, Project, until } from "../support/project.ts";
import { sampleFiles } from "../support/sample.ts";

vi.setConfig({ testTimeout: 120_000 });

let project: Project;
afterEach(() => project.remove());

const request = "Add a function f001() that returns its own name, with a test in test/F001.test.js.";
const checks = "checks: [{ name: test, run: sh run-tests.sh }]\n";

/** Both agents are installed, and note what they are started with instead of working. */
function made(yaml = ""): void {
  project = new Project({ ...sampleFiles([], []), "loop.yaml": `${checks}${yaml}` });
  const bin = join(project.home, "bin");
  fs.mkdirSync(bin);
  const agent = (name: string, version: string, status: string): void =>
    fs.writeFileSync(
      join(bin, name),
      `#!/bin/sh\ncase "$1" in --version) echo "${version}";; auth|login) ${status};; *) echo "${name} $*" >> "${project.home}/started.log"; exit 1;; esac\n`,
      { mode: 0o755 },
    );
  agent("claude", "2.1.0 (Claude Code)", `echo '{"loggedIn": true, "authMethod": "claude.ai"}'`);
  agent("codex", "codex-cli 0.50.0", "echo 'Logged in using ChatGPT'");
}

const loop = (...args: string[]): Promise<Ended> =>
  ended(project.start(args, { PATH: `${join(project.home, "bin")}:${project.env["PATH"]}` }));
const agentsOf = ({ stdout }: Ended): string => /^ {2}agents +(.*)$/m.exec(stdout)?.[1] ?? "";
const started = (): string => fs.readFileSync(join(project.home, "started.log"), "utf8");

test.each([
  [["--model", "opus"], "claude (opus) makes, codex checks"],
  [["--model", "gpt-5.4"], "codex (gpt-5.4) makes, claude checks"],
  [["--maker", "codex"], "codex makes, claude checks (command line)"],
  [["--checker", "claude"], "codex makes, claude checks (command line)"],
  [["--maker", "claude", "--checker", "claude"], "claude makes, claude checks (command line)"],
  [["--agent", "codex", "--model", "gpt-5.4"], "codex (gpt-5.4) makes, codex (gpt-5.4) checks (command line)"],
  [["--agent", "codex", "--checker", "claude"], "codex makes, claude checks (command line)"],
])("where no file names an agent, %j is shown before anything is spent", async (flags, shown) => {
  made();
  expect(agentsOf(await loop(...flags, "--dry-run", request))).toBe(shown);
});

test.each(["loop run", "loop serve", "the library"])(
  "with two vendors, one checks the other in a run of %s",
  async (client) => {
    made();
    const env = { ...project.env, PATH: `${join(project.home, "bin")}:${process.env["PATH"]}` };
    if (client === "loop run") await loop("--yes", request);
    else if (client === "loop serve") {
      await loop("serve", "--add", project.root);
      const served = await Served.start(project, [], env);
      const { workspaces } = await served.get<{ workspaces: { id: string }[] }>("/workspaces");
      const begun = await served.post(`/workspaces/${workspaces[0]?.id}/runs`, { request, yes: true });
      await served.stop();
      expect(begun.status, begun.text).toBe(200);
      await until("no driver", () => project.strays().length === 0);
    } else {
      const library = new URL("../../dist/index.js", import.meta.url).href;
      const program = `import { openProject } from ${JSON.stringify(library)};
const opened = await openProject(process.cwd(), { trust: true });
const run = await opened.begin(${JSON.stringify({ request, yes: true })});
await run.cancel();
process.exit(0);`;
      execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: project.root, env });
    }
    const { agents } = JSON.parse(fs.readFileSync(join(project.runs()[0] ?? "", "plan.json"), "utf8"));
    expect([agents.maker.kind, agents.checker.kind]).toEqual(["claude", "codex"]);
  },
);

test("over loop.yaml, a name means the agent that is set up there, and the model is the maker's", async () => {
  made("agents: { maker: { kind: claude, model: haiku }, checker: { kind: codex, model: gpt-5.5 } }\n");
  const by = async (...flags: string[]): Promise<string> => agentsOf(await loop(...flags, "--dry-run", request));
  expect(await by("--model", "opus")).toBe("claude (opus) makes, codex (gpt-5.5) checks (loop.yaml)");
  expect(await by("--maker", "codex")).toBe("codex (gpt-5.5) makes, codex (gpt-5.5) checks (command line)");
  expect(await by("--checker", "claude")).toBe("claude (haiku) makes, claude (haiku) checks (loop.yaml)");
  const { stdout } = await loop("--model", "opus", "--dry-run", "--json", request);
  expect(JSON.parse(stdout)).toMatchObject({ models: { maker: "opus", checker: "gpt-5.5" } });
});

test.each([
  [["--maker", "cluade"], "Did you mean: --maker claude?"],
  [["--checker", "codx"], "Did you mean: --checker codex?"],
  [["--agent", "cluade"], "Did you mean: --agent claude?"],
  [["--model", "opsu"], "Did you mean: --model opus?"],
  [["--model", "gtp-5.4"], "Did you mean: --model gpt-5.4?"],
  [["--maker", "codex", "--model", "opus"], "To make it with claude: --maker claude --model opus"],
  [
    ["--maker", "codex", "--model", "claude-opus-4-1"],
    "To make it with claude: --maker claude --model claude-opus-4-1",
  ],
  [["--maker", "rehearsal", "--model", "opus"], "To make it with claude: --maker claude --model opus"],
])("%j is an error that says what was meant", async (flags, says) => {
  made();
  const { code, stderr } = await loop(...flags, request);
  expect([code, stderr]).toEqual([64, expect.stringContaining(says)]);
  expect(project.runs()).toEqual([]);
});

test("a model whose agent is not installed names the agent", async () => {
  made();
  fs.rmSync(join(project.home, "bin", "codex"));
  const { code, stderr } = await loop("--model", "gpt-5.4", "--dry-run", request);
  expect(code).toBe(1);
  expect(stderr).toContain("gpt-5.4 is a model of codex, which is not on PATH.");
  expect(stderr).toContain("--maker claude --model gpt-5.4");
});

test("the agent is started with the model, and a resumed run with another one", async () => {
  made();
  await loop("--maker", "claude", "--model", "opus", "--yes", request);
  expect(started()).toMatch(/^claude .*--model opus\b/);
  await loop("continue", "--model", "sonnet");
  expect(started()).toMatch(/^claude .*--model sonnet\b/m);
  const { stderr } = await loop("continue", "--maker", "codex");
  expect(stderr).toContain("agents.maker: claude (sonnet) → codex; applies now.");
});

test("an edit of env in loop.yaml leaves the agents that were found and chosen", async () => {
  made();
  await loop("--model", "opus", "--yes", "--iterations", "1", request);
  project.write({ "loop.yaml": `${checks}env: [FOO]\n` });
  const { stderr } = await loop("continue", "--iterations", "2", "--trust");
  expect(stderr).toContain("env: none → FOO; applies now.");
  expect(stderr).not.toContain("agents.");
  const kept = JSON.parse(fs.readFileSync(join(project.runs()[0] ?? "", "agents.json"), "utf8"));
  expect(kept).toMatchObject({ env: ["FOO"], agents: { maker: { model: "opus" }, checker: { kind: "codex" } } });
  expect(project.events().filter(({ about }) => about === "agents")).toEqual([]);
});
