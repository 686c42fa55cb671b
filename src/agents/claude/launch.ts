// The claude process of a session.
import { createHash } from "node:crypto";
import type { Launch, SessionRequest } from "../agent.ts";
import { cliEnv } from "../cli/cli-env.ts";
import { guardFiles, guardHook } from "../cli/guard.ts";
import type { Machine } from "../cli/machine.ts";
import { shortPrompt } from "../cli/short-prompt.ts";
import { compactionEnv } from "./compaction.ts";
import type { ClaudeConfig } from "./config.ts";
import { permissionArgs, toolsFor } from "./tools.ts";
import { isTrusted } from "./trust.ts";

// What the agent needs to reach its model. Everything else is passed on only if a person names it.
const credentials = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CONFIG_DIR",
];

export function launchClaude(request: SessionRequest, config: ClaudeConfig, machine: Machine): Launch {
  const tools = toolsFor(request, config);
  const trusted = isTrusted(request.cwd, config.trust);
  return {
    file: config.path ?? "claude",
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose"],
      ...(request.nativeId === null ? ["--session-id", newId(request)] : ["--resume", request.nativeId]),
      ...(config.model === undefined ? [] : ["--model", config.model]),
      ...(config.effort === undefined ? [] : ["--effort", config.effort]),
      ...(hasSchema(request) ? ["--json-schema", JSON.stringify(request.replySchema)] : []),
      // With -p claude does not ask whether the repository is trusted: its hooks and servers would simply run.
      ...(trusted ? ["--setting-sources", "user,project"] : ["--setting-sources", "user", "--strict-mcp-config"]),
      ...["--settings", JSON.stringify({ hooks: { PreToolUse: [guardHook(request.folder, request.cwd)] } })],
      ...["--tools", tools.join(",")],
      ...(promptOf(request, config) === "short" ? ["--system-prompt", shortPrompt(request)] : []),
      ...permissionArgs(tools, config),
      ...(request.costUsdMax === null ? [] : ["--max-budget-usd", dollars(request.costUsdMax)]),
      ...(config.args ?? []),
    ],
    cwd: request.cwd,
    env: environment(request, config, machine),
    files: guardFiles(request.folder),
    stdin: "prompt",
    endSignal: "SIGTERM",
  };
}

export const hasSchema = ({ replySchema }: SessionRequest): boolean =>
  replySchema !== null && replySchema !== undefined;

/**
 * Its own prompt is about writing code, and accounts for half of a session's initial cost. Makers work better with it;
 * verifiers get all their instructions from us.
 */
const promptOf = ({ mayWrite }: SessionRequest, { prompt }: ClaudeConfig): "full" | "short" =>
  prompt ?? (mayWrite ? "full" : "short");

/**
 * The conversation's id is ours, so that it is known before the process starts. A part that was interrupted before its
 * conversation had a name gets a new id: an id can start only one conversation.
 */
function newId({ session, part }: SessionRequest): string {
  const hex = createHash("sha256").update(`${session}/${part}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

const dollars = (amount: number): string => Math.max(0.01, amount).toFixed(4);

function environment(request: SessionRequest, config: ClaudeConfig, machine: Machine): Record<string, string> {
  return {
    ...cliEnv([...credentials, ...(config.env ?? [])], machine.env),
    // Short timeouts: the loop retries. By default claude retries for three minutes, and a hang lasts over an hour.
    CLAUDE_CODE_MAX_RETRIES: "3",
    API_TIMEOUT_MS: String(between(10_000, request.silenceMs / 3, 300_000)),
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(between(10_000, request.silenceMs / 3, 60_000)),
    ...compactionEnv(request, config.model),
    // One process, one turn, one result: nothing stays running or wakes up later.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_CRON: "1",
    // Part of every request otherwise: how to commit and open pull requests, which sessions do not do, skills that it
    // has no tool for, and a memory that would carry over from earlier sessions.
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
    CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // As root it refuses to skip permissions unless it is marked as sandboxed.
    ...(config.permissions === "bypass" && machine.isRoot ? { IS_SANDBOX: "1" } : {}),
  };
}

const between = (min: number, value: number, max: number): number => Math.round(Math.min(max, Math.max(min, value)));
