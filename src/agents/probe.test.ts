// Probing: CLIs that are found, missing, or do not answer. Uses our own programs in place of the CLIs.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { claudeAgent } from "./claude/claude.ts";
import { codexAgent } from "./codex/codex.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-probe-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function program(body: string): string {
  made += 1;
  const path = join(folder, `program-${made}`);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
const machine = (env: Record<string, string> = {}) => ({
  env: { PATH: "/usr/bin:/bin", HOME: "/home/x", ...env },
  isRoot: false,
  now: () => 0,
});

const claudeLike = (status: string) =>
  program(`case "$1" in --version) echo "2.1.325 (Claude Code)";; *) ${status};; esac`);
const codexLike = (status: string) => program(`case "$1" in --version) echo "codex-cli 0.166.0";; *) ${status};; esac`);

describe("claude", () => {
  test.each([
    { status: `echo '{"loggedIn": true}'`, env: {}, login: "yes", from: "says claude auth status" },
    {
      status: `echo '{"loggedIn": true, "authMethod": "claude.ai"}'`,
      env: {},
      login: "yes",
      from: "says claude auth status",
      more: { isSubscription: true },
    },
    {
      status: `echo '{"loggedIn": true, "authMethod": "oauth_token"}'`,
      env: {},
      login: "yes",
      from: "says claude auth status",
      more: { isSubscription: true },
    },
    { status: `echo '{"loggedIn": false}'; exit 1`, env: {}, login: "no", from: "says claude auth status" },
    { status: "echo 'unknown command' >&2; exit 1", env: {}, login: "unknown" },
    { status: "exit 1", env: { ANTHROPIC_API_KEY: "x" }, login: "yes", from: "ANTHROPIC_API_KEY is set" },
    { status: "echo '{ broken'", env: {}, login: "unknown" },
  ])("$status, $env: $login, $from", async ({ status, env, login, from, more = {} }) => {
    const path = claudeLike(status);
    const how = from === undefined ? {} : { loginFrom: from };
    const is = { found: true, version: "2.1.325", path, login, ...how, ...more };
    expect(await claudeAgent({ path }, machine(env)).probe()).toEqual(is);
  });

  test.each(["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"])(
    "with %s has no login, and needs none",
    async (name) => {
      const path = claudeLike(`echo '{"loggedIn": false}'; exit 1`);
      const shell = { [name]: "1", AWS_REGION: "eu-west-1", CLOUD_ML_REGION: "europe" };
      const passed = await claudeAgent({ path, env: [name] }, machine(shell)).probe();
      expect(passed).toMatchObject({ login: "yes", loginFrom: `${name} is set` });
      const kept = await claudeAgent({ path }, machine(shell)).probe();
      const region = name.endsWith("BEDROCK") ? "AWS_REGION" : "CLOUD_ML_REGION";
      expect(kept).toMatchObject({ login: "no", next: `Name them in loop.yaml: env: [${name}, ${region}]` });
      expect(await claudeAgent({ path }, machine({ [name]: "0" })).probe()).not.toHaveProperty("note");
    },
  );

  test("that cannot be run, or prints nothing, is not found, with advice on what to do", async () => {
    for (const path of ["/nowhere/claude", "no-such-claude", program("echo broken; exit 3"), folder]) {
      const probe = await claudeAgent({ path }, machine()).probe();
      expect(probe).toMatchObject({ found: false, why: expect.any(String), next: expect.stringContaining("claude") });
    }
  });

  test("that never answers times out", async () => {
    expect(await claudeAgent({ path: program("exec sleep 100") }, machine()).probe()).toMatchObject({ found: false });
  });
});

describe("codex", () => {
  test.each([
    {
      status: "echo 'Logged in using ChatGPT'",
      env: {},
      login: "yes",
      from: "says codex login status",
      more: { isSubscription: true },
    },
    { status: "echo 'Logged in using an API key'", env: {}, login: "yes", from: "says codex login status" },
    { status: "echo 'Not logged in' >&2; exit 1", env: {}, login: "no", from: "says codex login status" },
    { status: "exit 1", env: { CODEX_API_KEY: "x" }, login: "yes", from: "CODEX_API_KEY is set" },
    { status: "exit 2", env: {}, login: "unknown" },
  ])("$status, $env: $login, $from", async ({ status, env, login, from, more = {} }) => {
    const path = codexLike(status);
    const how = from === undefined ? {} : { loginFrom: from };
    const is = { found: true, version: "0.166.0", path, login, ...how, ...more };
    expect(await codexAgent({ path }, machine(env)).probe()).toEqual(is);
  });

  test("with a provider of its own needs no login, and its key is named if it is not passed on", async () => {
    const home = mkdtempSync(join(folder, "home-"));
    const path = codexLike("echo 'Not logged in' >&2; exit 1");
    const table = '[model_providers.mine]\nname = "Mine"\nbase_url = "http://127.0.0.1:1"\n';
    const told = async (text: string, env: Record<string, string>, names: string[] = []) => {
      writeFileSync(join(home, "config.toml"), text);
      return codexAgent({ path, env: names }, machine({ CODEX_HOME: home, TMPDIR: "/elsewhere", ...env })).probe();
    };
    const own = `model_provider = "mine"\n${table}`;
    expect(await told(own, {})).toMatchObject({ login: "yes", loginFrom: "its config.toml has the provider mine" });
    const keyed = `${own}env_key = "MINE_KEY"\n`;
    expect(await told(keyed, { MINE_KEY: "x" }, ["MINE_KEY"])).toMatchObject({ login: "yes" });
    expect(await told(keyed, { MINE_KEY: "x" })).toMatchObject({
      login: "no",
      next: "Name it in loop.yaml: env: [MINE_KEY]",
    });
    expect(await told(keyed, {})).toMatchObject({ login: "no", note: expect.stringContaining("which is not set") });
    expect(await told(table, {})).toMatchObject({ login: "no", loginFrom: "says codex login status" });
  });

  test("with its home below the temporary folder gets a warning", async () => {
    const probe = await codexAgent({ path: codexLike("exit 1") }, machine({ CODEX_HOME: "/tmp/codex" })).probe();
    expect(probe).toMatchObject({ found: true, note: expect.stringContaining("/tmp/codex") });
  });
});

test("a probe leaves no process behind, also where the program is a wrapper", async () => {
  const pids = join(folder, "pids");
  const path = program(`sleep 300 & echo $! >> ${pids}; echo "2.1.325"; wait`);
  await claudeAgent({ path }, machine()).probe();
  const started = readFileSync(pids, "utf8").trim().split("\n");
  await vi.waitFor(() => expect(started.filter(isRunning)).toEqual([]));
});

/** A process that ended and was not waited for is no longer running. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
