// A place to run a real CLI in: its own home, a workspace, a scripted model, and nothing of this machine's environment.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { type AcpConfig, acpAgent } from "../../src/agents/acp/acp.ts";
import type { Agent, SessionRequest } from "../../src/agents/agent.ts";
import { type ClaudeConfig, claudeAgent } from "../../src/agents/claude/claude.ts";
import type { Machine } from "../../src/agents/cli/machine.ts";
import { type CodexConfig, codexAgent } from "../../src/agents/codex/codex.ts";
import { runSession, type SessionOptions, type SessionResult } from "../../src/agents/session/session.ts";
import { readLaunch } from "../../src/agents/session/session-folder.ts";
import type { Usage } from "../../src/core/session.ts";
import { sweep } from "../../src/host/process/tree.ts";
import { aRequest, eventually, startRuntime } from "../../src/testing/agent-suite.ts";
import {
  type ModelServer,
  type Script,
  type Step,
  type StepUsage,
  startModelServer,
} from "../../src/testing/model/index.ts";
import { pathWithoutBubblewrap } from "../support/without-bubblewrap.ts";

/** Tests of a real CLI; they are skipped where it cannot be installed, and the title says why. */
export async function describeCli(name: string, body: (path: string) => void): Promise<void> {
  const { path, why } = await ensureCli(name);
  if (path === null) describe.skip(`${name} is not here: ${why}`, () => body(""));
  else describe(name, () => body(path));
}

export type Lab = {
  folder: string;
  home: string;
  workspace: string;
  server: ModelServer;
  machine: Machine;
  request(changes?: Partial<SessionRequest>): SessionRequest;
  /** Runs a session and checks that it leaves no process behind. */
  run(agent: Agent, request: SessionRequest, options?: Partial<SessionOptions>): Promise<SessionResult>;
  close(): Promise<void>;
};

const identity = {
  GIT_AUTHOR_NAME: "T",
  GIT_AUTHOR_EMAIL: "t@t.invalid",
  GIT_COMMITTER_NAME: "T",
  GIT_COMMITTER_EMAIL: "t@t.invalid",
};

export async function openLab(script: Script): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "loop-lab-"));
  const home = join(folder, "home");
  const workspace = join(folder, "workspace");
  for (const each of [home, workspace, join(home, ".codex")]) mkdirSync(each, { recursive: true });
  const path = pathWithoutBubblewrap();
  const git = { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...identity };
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: workspace, env: git });
  writeFileSync(join(workspace, "hello.txt"), "hello\n");
  execFileSync("git", ["add", "--all"], { cwd: workspace, env: git });
  execFileSync("git", ["commit", "--quiet", "--message=start"], { cwd: workspace, env: git });
  const server = await startModelServer({ script });
  const keys = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "dummy", LAB_KEY: "dummy" };
  const env = { PATH: path, HOME: home, LANG: "C.UTF-8", ...keys };
  const machine = { env, isRoot: process.getuid?.() === 0, now: () => Date.now(), zone: "UTC" };
  return {
    ...{ folder, home, workspace, server, machine },
    request: (changes = {}) => aRequest(folder, { cwd: workspace, replySchema: replySchema, ...changes }),
    run: async (agent, request, options = {}) => {
      const result = await runSession(agent, request, { signal: new AbortController().signal, ...options });
      expect(sweep(`LOOP_SESSION=${request.session}`)).toEqual([]);
      return result;
    },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const replySchema = {
  type: "object",
  properties: { status: { type: "string" }, summary: { type: "string" } },
  required: ["status", "summary"],
  additionalProperties: false,
};

export const claudeIn = (lab: Lab, path: string, config: ClaudeConfig = {}): Agent =>
  claudeAgent({ path, model: "claude-sonnet-4-5", permissions: "bypass", ...config }, lab.machine);

export function codexIn(lab: Lab, path: string, config: CodexConfig = {}): Agent {
  const provider = { name: "lab", baseUrl: `${lab.server.url}/v1`, keyEnv: "LAB_KEY" };
  return codexAgent({ path, model: "gpt-5.5", permissions: "bypass", provider, ...config }, lab.machine);
}

/** An agent that speaks ACP for one of the CLIs, and its model's moves. */
export type AcpKind = {
  name: string;
  native: string;
  api: "messages" | "responses";
  env(url: string, native: string): Record<string, string>;
  run(command: string): Step;
  write(folder: string, name: string): Step;
};

export const acpKinds: readonly [AcpKind, AcpKind] = [
  {
    name: "claude-agent-acp@0.49.0",
    native: "claude@2.1.325",
    api: "messages",
    env: (url, native) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "dummy",
      ANTHROPIC_MODEL: "claude-sonnet-4-5",
      CLAUDE_CODE_EXECUTABLE: native,
      CLAUDE_CODE_MAX_RETRIES: "2",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
    run: (command) => ({ tools: [{ name: "Bash", input: { command, description: "a command" } }] }),
    write: (folder, name) => ({
      tools: [{ name: "Write", input: { file_path: join(folder, name), content: "new\n" } }],
    }),
  },
  {
    name: "codex-acp@2.6.0",
    native: "codex@0.166.0",
    api: "responses",
    env: (url, native) => ({
      LAB_KEY: "dummy",
      CODEX_PATH: native,
      MODEL_PROVIDER: "lab",
      NO_BROWSER: "1",
      CODEX_CONFIG: JSON.stringify({
        model: "gpt-5.5",
        model_provider: "lab",
        model_providers: {
          lab: {
            name: "lab",
            base_url: `${url}/v1`,
            env_key: "LAB_KEY",
            wire_api: "responses",
            request_max_retries: 1,
            stream_max_retries: 1,
          },
        },
      }),
    }),
    run: (cmd) => ({ tools: [{ name: "exec_command", input: { cmd } }] }),
    write: (_folder, name) => ({
      tools: [{ name: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+new\n*** End Patch` }],
    }),
  },
];

export function acpIn(
  lab: Lab,
  kind: AcpKind,
  path: string,
  native: string,
  changes: { config?: Partial<AcpConfig>; env?: Readonly<Record<string, string | undefined>> } = {},
): Agent {
  const env = { ...kind.env(lab.server.url, native), ...changes.env };
  const { ANTHROPIC_BASE_URL: _, ANTHROPIC_API_KEY: __, LAB_KEY: ___, ...rest } = lab.machine.env;
  const machine = { ...lab.machine, env: { ...rest, ...env } };
  const config = { kind: "acp", command: [process.execPath, path], env: Object.keys(env) } as const;
  return acpAgent({ ...config, ...changes.config }, machine);
}

/** The usage that the server reported, as a session records it. OpenAI has no price for writing to the cache. */
export function tokens(used: StepUsage, api: "messages" | "responses"): Omit<Usage, "costUsd"> {
  const { input, output, cacheRead, cacheWrite } = used;
  if (api === "messages")
    return { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite };
  return { inputTokens: input + cacheWrite, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: 0 };
}

export const failure = (result: SessionResult): string => (result.how === "failed" ? result.failure.class : result.how);

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith(".git"));

/** Kills a runtime and its agent with -9 at the same time, once the agent's command has created the file `started`. */
export async function killMidway(lab: Lab, agent: Agent, request: SessionRequest): Promise<void> {
  const runtime = startRuntime(lab.folder, agent, request);
  await eventually(() => existsSync(join(lab.workspace, "started")), 20_000);
  const record = readLaunch(request.folder, 1);
  process.kill(runtime.pid, "SIGKILL");
  if (record?.process) process.kill(record.process.pid, "SIGKILL");
}
