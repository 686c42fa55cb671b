// What people do with holds: start, view, release, install and remove; and what an agent may not do in their place.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { promptTimeoutS, stopTimeoutS, withinDefaultS } from "../../src/hook/time.ts";
import { Held, right } from "./held.ts";

let project: Held;
afterEach(() => project.remove());

const plugin = new URL("../../plugin/", import.meta.url).pathname;

describe("typed in the session", () => {
  test("a request that is too vague holds nothing, and says what it leaves open", async () => {
    project = new Held();
    expect(await project.type("/loopwright:loop make it better")).toMatchObject({
      decision: "block",
      reason: expect.stringMatching(
        /too vague to hold a session to[\s\S]*outcome: [\s\S]*Next: Say what will be different/,
      ),
    });
    expect(await project.type("/loopwright:loop-status")).toMatchObject({
      reason: expect.stringContaining("No session is held here."),
    });
  });

  test("/loopwright:loop holds it and tells the agent the terms; -status shows it; -release ends it", async () => {
    project = new Held();
    const begun = (await project.type("/loopwright:loop Make add() add.\n- negatives work")) as {
      hookSpecificOutput: { additionalContext: string };
    };
    expect(begun.hookSpecificOutput.additionalContext).toMatch(
      /EXIT_SIGNAL: true\nCRITERIA: \{"negatives work": true\}/,
    );
    expect((await project.type("/loopwright:loop-status")).reason).toMatch(/Make add\(\) add\.[\s\S]*0 of 10/);
    expect((await project.type("/loopwright:loop-release")).reason).toMatch(/Released.*Nothing was proved/);
    expect(await project.stop()).toEqual({});
    expect((await project.type("/loopwright:loop-status")).reason).toMatch(/The last one, released/);
    expect((await project.type("/loopwright:loop-continue")).systemMessage).toMatch(/holds this session again/);
    expect((await project.stop()).decision).toBe("block");
  });

  test("a session that cannot be held is refused with a reason, and costs no tokens", async () => {
    project = new Held({ "loop.yaml": "version: 1\n" });
    expect(await project.type("/loopwright:loop Make it good")).toMatchObject({
      decision: "block",
      reason: expect.stringMatching(/No check is configured[\s\S]*Next: /),
    });
    expect((await project.type("/loopwright:loop")).reason).toMatch(/Nothing was asked for/);
  });

  test("ignores an ordinary prompt", async () => {
    project = new Held();
    expect(await project.type("Please loop over the files")).toEqual({});
    expect(await project.type("/loop 5m check")).toEqual({});
  });

  test("a second session cannot be held in the same folder", async () => {
    project = new Held();
    await project.type("/loopwright:loop Make add() add.");
    expect((await project.type("/loopwright:loop Other", "s-2")).reason).toMatch(
      /held for session s-1[\s\S]*loop hook release/,
    );
  });

  test("a person's command forged from an agent's shell is ignored", async () => {
    project = new Held();
    await project.hold();
    const env = { CLAUDECODE: "1", AI_AGENT: "claude-code_2-1-325_agent" };
    expect(await project.type("/loopwright:loop-release", "s-1", env)).toEqual({});
    expect((await project.stop()).decision).toBe("block");
  });
});

describe("in a terminal", () => {
  test("a hold without a session goes to the first session seen in the folder, and to no other", async () => {
    project = new Held();
    await project.loop("hook", "install");
    const { code, stdout, stderr } = await project.loop("hook", "start", "Make", "add()", "add.");
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Request: Make add\(\) add\.\nThe session may end when/),
    });
    // A person reads sentences; the session's own words are for the session.
    expect(stdout).not.toMatch(/\[LOOP\]|LOOP_STATUS|Workflow/);
    expect(stderr).toMatch(/the next session of claude here/);
    expect(await project.stop({ session: "s-elsewhere", cwd: project.home })).toEqual({});
    await project.type("hello", "s-7");
    expect(await project.stop({ session: "s-8" })).toEqual({});
    expect((await project.stop({ session: "s-7" })).decision).toBe("block");
  });

  test("loop, loop status and loop cancel know that a session is held", async () => {
    project = new Held();
    await project.hold();
    for (const command of [[], ["status"]]) {
      const { stdout } = await project.loop(...command);
      expect(stdout).toMatch(
        /Session s-1 is held: Make add\(\) add\.\nIts state: loop hook status\. .*loop hook release/,
      );
    }
    const { stderr } = await project.loop("cancel");
    expect(stderr).toMatch(/Session s-1 is held[\s\S]*Next: loop hook release/);
    await project.loop("hook", "release");
    expect((await project.loop("status")).stdout).not.toContain("is held");
  });

  test("started from within a session, it holds that session", async () => {
    project = new Held();
    const child = project.start(["hook", "start", "Make add() add."], {
      CLAUDE_CODE_SESSION_ID: "s-1",
      CLAUDECODE: "1",
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect((await project.stop({ session: "s-2" })).decision).toBeUndefined();
    expect((await project.stop({ session: "s-1" })).decision).toBe("block");
  });

  test("an agent's shell cannot release a hold", async () => {
    project = new Held();
    await project.hold();
    const child = project.start(["hook", "release"], { CLAUDECODE: "1" });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
    expect((await project.hookStatus()).held).toHaveLength(1);
    expect((await project.loop("hook", "release")).stdout).toMatch(/Released/);
    expect((await project.loop("hook", "release")).stdout).toMatch(/No session is held here/);
  });

  test.each([
    { title: "no request", args: ["start", " "], says: /Nothing was asked for/, code: 64 },
    {
      title: "a session id that is a path",
      args: ["start", "Make add() add.", "--session", "../../x"],
      says: /not the id of a session/,
      code: 64,
    },
    {
      title: "too many iterations",
      args: ["start", "Make add() add.", "--iterations", "51"],
      says: /from 1 to 50/,
      code: 64,
    },
    { title: "a vague request", args: ["start", "make it better"], says: /too vague to hold a session to/, code: 5 },
    { title: "iterations that are no number", args: ["start", "x", "--iterations", "many"], says: /many/, code: 64 },
    { title: "nothing to continue", args: ["continue"], says: /No session was ever held here/, code: 1 },
    {
      title: "a broken loop.yaml",
      args: ["start", "x"],
      says: /loop\.yaml has a problem/,
      code: 1,
      yaml: "checks: {\n",
    },
  ])("$title is refused, and leaves nothing behind", async ({ args, says, code, yaml }) => {
    project = new Held();
    if (yaml !== undefined) project.write({ "loop.yaml": yaml });
    const ended = await project.loop("hook", ...args);
    expect(ended.stderr).toMatch(says);
    expect(ended.code).toBe(code);
    expect((await project.hookStatus()).held).toEqual([]);
    expect(await project.stop()).toEqual({});
  });
});

describe("loop hook install", () => {
  const settings = ".claude/settings.local.json";

  test("adds to existing settings, keeps a copy of the original, and remove takes out exactly what was added", async () => {
    project = new Held();
    const theirs =
      '{\n    "permissions": {"allow": ["Bash(ls)"]},\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}\n}\n';
    project.write({ [settings]: theirs });
    expect((await project.loop("hook", "install")).stdout).toMatch(/Added the hooks to/);
    const installed = project.read(settings);
    expect(JSON.parse(installed)).toMatchObject({ permissions: { allow: ["Bash(ls)"] } });
    expect(project.read(`${settings}.before-loopwright`)).toBe(theirs);
    expect((await project.loop("hook", "install")).stdout).toMatch(/there already/);
    expect(project.read(settings)).toBe(installed);
    expect((await project.loop("hook", "remove")).stdout).toMatch(/Took the hooks out/);
    expect(project.read(settings)).toBe(theirs);
    expect((await project.loop("hook", "remove")).stdout).toMatch(/no hooks of Loopwright/);
  });

  test("remove deletes a file that install created", async () => {
    project = new Held();
    await project.loop("hook", "install");
    expect(project.exists(settings)).toBe(true);
    await project.loop("hook", "remove");
    expect(project.exists(settings)).toBe(false);
  });

  test("invalid settings are refused, and not a byte changes", async () => {
    project = new Held();
    project.write({ [settings]: '{ "hooks": { "Stop": [ }' });
    for (const command of ["install", "remove"]) {
      const { code, stderr } = await project.loop("hook", command);
      expect(code).toBe(1);
      expect(stderr).toMatch(/was not changed[\s\S]*line 1[\s\S]*Next: Correct it/);
    }
    expect(project.read(settings)).toBe('{ "hooks": { "Stop": [ }');
    expect(fs.readdirSync(join(project.root, ".claude"))).toEqual(["settings.local.json"]);
  });

  test("--user follows a symlink to the real file; --project names no path of this machine", async () => {
    project = new Held();
    const real = join(project.home, "dotfiles.json");
    fs.writeFileSync(real, "{}\n", { mode: 0o600 });
    fs.mkdirSync(join(project.home, ".claude"));
    fs.symlinkSync(real, join(project.home, ".claude/settings.json"));
    await project.loop("hook", "install", "--user");
    expect(fs.readFileSync(real, "utf8")).toContain("hook stop");
    expect(fs.statSync(real).mode & 0o777).toBe(0o600);
    expect(fs.lstatSync(join(project.home, ".claude/settings.json")).isSymbolicLink()).toBe(true);
    await project.loop("hook", "install", "--project");
    expect(project.read(".claude/settings.json")).not.toContain(process.execPath);
    expect((await project.loop("hook", "install", "--project", "--user")).code).toBe(64);
  });

  test("the installed command answers when a shell runs it, and blocks no session when Loopwright is gone", async () => {
    project = new Held();
    await project.loop("hook", "install");
    const { hooks } = JSON.parse(project.read(settings)) as { hooks: { Stop: { hooks: { command: string }[] }[] } };
    const command = hooks.Stop[0]?.hooks[0]?.command ?? "";
    await project.hold();
    const input = JSON.stringify({ session_id: "s-1", last_assistant_message: "" });
    const shell = (line: string): string =>
      execFileSync("/bin/sh", ["-c", line], {
        input,
        env: project.env,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
      });
    expect(JSON.parse(shell(command))).toMatchObject({ decision: "block" });
    const gone = command.replace("main.js", "gone.js");
    // 2 would block the session forever; any other code lets it end.
    expect(() => shell(gone)).toThrow(expect.objectContaining({ status: 1 }));
  });
});

describe("the plugin", () => {
  const hooks = JSON.parse(fs.readFileSync(join(plugin, "hooks/hooks.json"), "utf8")).hooks as Record<
    string,
    [{ hooks: [{ command: string; timeout: number }] }]
  >;

  test("gives the hooks the timeouts that the code relies on", () => {
    expect(hooks["Stop"]?.[0].hooks[0]).toMatchObject({
      command: expect.stringContaining(`--within ${withinDefaultS}`),
      timeout: stopTimeoutS,
    });
    expect(hooks["UserPromptSubmit"]?.[0].hooks[0].timeout).toBe(promptTimeoutS);
    expect(withinDefaultS).toBeLessThan(stopTimeoutS);
  });

  test("without Loopwright it blocks no session, and its command says how to install it", () => {
    project = new Held({ "src/add.js": right });
    const copy = join(project.dir, "plugin");
    fs.cpSync(plugin, copy, { recursive: true });
    const run = (hook: string, input: string): string =>
      execFileSync("/bin/sh", [join(copy, "hooks/loop.sh"), hook], {
        input,
        env: { PATH: "/usr/bin:/bin" },
        encoding: "utf8",
      });
    expect(run("stop", '{"session_id":"s"}')).toBe("");
    expect(run("prompt", '{"prompt":"hello"}')).toBe("");
    expect(JSON.parse(run("prompt", '{"session_id":"s","prompt":"/loopwright:loop do it"}'))).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("npm install --global loopwright"),
    });
  });

  test("has the version of the package", () => {
    project = new Held();
    const versionIn = (file: string) => (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
    expect(versionIn(join(plugin, ".claude-plugin/plugin.json"))).toBe(versionIn(join(plugin, "../package.json")));
  });
});
