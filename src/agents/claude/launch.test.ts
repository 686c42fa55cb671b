// The process of a session: fixed arguments, arguments by role, and the same result for the same request.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runId, sessionId } from "../../core/ids.ts";
import type { SessionRequest } from "../agent.ts";
import { claudeAgent, repositorySettings } from "./claude.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-claude-launch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  PATH: "/bin",
  HOME: "/home/x",
  ANTHROPIC_API_KEY: "key",
  GITHUB_TOKEN: "secret",
  CLAUDECODE: "1",
  GIVEN: "yes",
};
const machine = { env, isRoot: true, now: () => 0 };
const request: SessionRequest = {
  ...{
    run: runId("run"),
    session: sessionId("one"),
    role: "builder",
    feature: null,
    attempt: 1,
    prompt: "secret plan",
  },
  ...{ replySchema: { type: "object" }, cwd: folder, mayWrite: true, folder: "/vault/one", part: 1, nativeId: null },
  ...{ costUsdMax: 2.5, timeoutMs: 60_000, silenceMs: 600_000, handoverPercent: 100 },
};
const launch = (changes: Partial<SessionRequest> = {}, config = {}) =>
  claudeAgent(config, machine).launch({ ...request, ...changes });
const after = (args: readonly string[], flag: string): string | undefined => args[args.indexOf(flag) + 1];

test("the same request gives the same process, without the prompt in it", () => {
  expect(launch()).toEqual(launch());
  expect(launch().stdin).toBe("prompt");
  expect(JSON.stringify(launch())).not.toContain("secret plan");
});

test("starts a conversation with our id, resumes it with its own, and never starts two with one id", () => {
  const id = after(launch().args, "--session-id");
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(after(launch({ part: 2 }).args, "--session-id")).not.toBe(id);
  expect(after(launch({ part: 2, nativeId: "known" }).args, "--resume")).toBe("known");
  expect(launch({ nativeId: "known" }).args).not.toContain("--session-id");
});

test("passes on the schema, the cap and the model, if given", () => {
  const { args } = launch({}, { model: "m", effort: "high", args: ["--verbose"] });
  expect(after(args, "--json-schema")).toBe('{"type":"object"}');
  expect(after(args, "--max-budget-usd")).toBe("2.5000");
  expect(after(args, "--model")).toBe("m");
  expect(after(args, "--effort")).toBe("high");
  expect(args.at(-1)).toBe("--verbose");
  const bare = launch({ replySchema: null, costUsdMax: null }).args;
  for (const flag of ["--json-schema", "--max-budget-usd", "--model", "--effort"]) expect(bare).not.toContain(flag);
});

describe("tools and permissions", () => {
  test.each([
    { mayWrite: true, config: {}, has: ["Bash", "Edit", "Write", "Read"], lacks: ["CronCreate", "WebFetch", "Task"] },
    { mayWrite: true, config: { tools: ["Task", "Read"] }, has: ["Task", "Bash"], lacks: ["Skill"] },
    { mayWrite: false, config: { tools: ["NotebookEdit"] }, has: ["Bash"], lacks: ["NotebookEdit"] },
    {
      mayWrite: false,
      config: {},
      has: ["Bash", "Read", "Grep", "Glob"],
      lacks: ["Edit", "Write", "NotebookEdit", "Task"],
    },
    { mayWrite: false, config: { verifiersRun: false }, has: ["Read"], lacks: ["Bash", "Edit", "Write"] },
  ])("mayWrite $mayWrite, $config: $has and not $lacks", ({ mayWrite, config, has, lacks }) => {
    const { args } = launch({ mayWrite }, { permissions: "core", ...config });
    for (const flag of ["--tools", "--allowedTools"]) {
      const tools = after(args, flag)?.split(",") ?? [];
      expect(tools).toEqual(expect.arrayContaining(has));
      for (const tool of lacks) expect(tools).not.toContain(tool);
    }
  });

  test.each([
    { permissions: "inherit", args: [], sandbox: undefined },
    { permissions: "core", args: ["--permission-mode", "dontAsk"], sandbox: undefined },
    { permissions: "bypass", args: ["--dangerously-skip-permissions"], sandbox: "1" },
  ])("$permissions", ({ permissions, args, sandbox }) => {
    const made = launch({}, { permissions });
    expect(made.args).toEqual(expect.arrayContaining(args));
    expect(made.env["IS_SANDBOX"]).toBe(sandbox);
    if (permissions !== "bypass") expect(made.args).not.toContain("--dangerously-skip-permissions");
  });
});

test("the environment has what the agent needs, what a person named, and nothing else", () => {
  const made = launch({}, { env: ["GIVEN"] }).env;
  expect(made).toMatchObject({
    ...{ HOME: "/home/x", ANTHROPIC_API_KEY: "key", GIVEN: "yes", GIT_SSH_COMMAND: "/bin/false" },
    ...{
      GIT_TERMINAL_PROMPT: "0",
      GIT_COMMITTER_EMAIL: "agent@loopwright.invalid",
      GIT_COMMITTER_NAME: "Loopwright agent",
    },
    ...{ CLAUDE_CODE_MAX_RETRIES: "3", CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1", DISABLE_AUTOUPDATER: "1" },
    ...{ API_TIMEOUT_MS: "200000", CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: "60000" },
  });
  for (const name of ["GITHUB_TOKEN", "CLAUDECODE"]) expect(made).not.toHaveProperty(name);
});

test("a repository's own settings are loaded only while they match those that a person approved", () => {
  expect(repositorySettings(folder)).toBeNull();
  mkdirSync(join(folder, ".claude"));
  writeFileSync(join(folder, ".claude", "settings.json"), "{}");
  const trust = repositorySettings(folder) ?? "";
  expect(after(launch({}, { trust }).args, "--setting-sources")).toBe("user,project");
  expect(launch({}, { trust: "other" }).args).toContain("--strict-mcp-config");
  writeFileSync(join(folder, ".mcp.json"), "{}");
  expect(after(launch({}, { trust }).args, "--setting-sources")).toBe("user");
  expect(after(launch().args, "--setting-sources")).toBe("user");
});

describe("compaction", () => {
  const names = ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"] as const;
  const compaction = (compactPercent: number | undefined, handoverPercent: number, model?: string) => {
    const changes = { handoverPercent, ...(compactPercent === undefined ? {} : { compactPercent }) };
    const { env: made } = launch(changes, model === undefined ? {} : { model });
    return names.map((name) => made[name]);
  };

  test.each([
    // Three quarters of the window are 83.33 % of what claude counts as the window: 20,000 tokens less.
    { model: "claude-sonnet-4-5", percent: 75, is: "83.33" },
    { model: "claude-opus-5-5", percent: 75, is: "76.53" },
    { model: undefined, percent: 50, is: "55.56" },
    { model: "claude-sonnet-4-5", percent: 98, is: "100.00" },
  ])("at $percent % of the window of $model is $is % of claude's", ({ model, percent, is }) => {
    expect(compaction(percent, 99, model)).toEqual(["1000000", is]);
  });

  test.each([
    { compact: undefined, handover: 90 },
    { compact: 90, handover: 90 },
    { compact: 100, handover: 90 },
  ])("at $compact % with a handover at $handover % is not configured", ({ compact, handover }) => {
    expect(compaction(compact, handover)).toEqual([undefined, undefined]);
  });
});

describe("its system prompt", () => {
  test.each([
    { mayWrite: true, config: {}, short: false },
    { mayWrite: false, config: {}, short: true },
    { mayWrite: true, config: { prompt: "short" }, short: true },
    { mayWrite: false, config: { prompt: "full" }, short: false },
  ])("mayWrite $mayWrite, $config: short is $short", ({ mayWrite, config, short }) => {
    expect(launch({ mayWrite }, config).args.includes("--system-prompt")).toBe(short);
  });

  test("asks a verifier to judge, and a maker to change no more than needed", () => {
    const told = [launch({ mayWrite: false }), launch({}, { prompt: "short" })].map(({ args }) =>
      after(args, "--system-prompt"),
    );
    expect(told[0]).toContain("You judge, and change nothing.");
    expect(told[1]).toContain("no more than the task needs");
  });
});
