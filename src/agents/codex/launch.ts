// The codex process of a session.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../formats/config/loop-schema.ts";
import { strictly } from "../../formats/reply/reply-schema.ts";
import type { Launch, SessionRequest } from "../agent.ts";
import { cliEnv } from "../cli/cli-env.ts";
import { guardFiles } from "../cli/guard.ts";
import type { Machine } from "../cli/machine.ts";
import { shortPrompt } from "../cli/short-prompt.ts";
import { replyFile } from "../session/session-folder.ts";
import { compactionArgs } from "./compaction.ts";
import type { CodexConfig } from "./config.ts";
import { isBelowTemporary, otherTemporary } from "./home.ts";
import { hookArgs } from "./hook.ts";
import { setting, toml } from "./toml.ts";

// What the agent needs to reach its model. Everything else is passed on only if a person names it.
const credentials = ["OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL", "CODEX_HOME"];

export function launchCodex(request: SessionRequest, config: CodexConfig, machine: Machine): Launch {
  const schema = join(request.folder, "reply-schema.json");
  return {
    file: config.path ?? "codex",
    args: [
      ...(request.nativeId === null ? ["exec"] : ["exec", "resume"]),
      ...["--json", "--skip-git-repo-check"],
      ...(config.model === undefined ? [] : ["--model", config.model]),
      ...(config.effort === undefined ? [] : setting("model_reasoning_effort", config.effort)),
      ...(hasSchema(request) ? ["--output-schema", schema] : []),
      ...["--output-last-message", replyFile(request.folder)],
      ...sandboxArgs(request, config),
      ...["-c", `projects=${untrusted(request.cwd)}`],
      ...hookArgs(request),
      ...compactionArgs(request, config.model),
      ...leanArgs,
      ...(config.prompt === "short" ? setting("model_instructions_file", promptPath(request)) : []),
      // Without this it waits for a network forever.
      ...["--disable", "unbounded_connection_retries"],
      ...(config.provider === undefined ? [] : providerArgs(config.provider, request)),
      ...(config.args ?? []),
      ...(request.nativeId === null ? [] : [request.nativeId]),
      "-",
    ],
    cwd: request.cwd,
    env: environment(config, machine),
    files: [
      ...guardFiles(request.folder),
      ...(config.prompt === "short" ? [{ path: promptPath(request), content: shortPrompt(request) }] : []),
      ...(hasSchema(request)
        ? [{ path: schema, content: JSON.stringify(strictly(request.replySchema as JsonSchema)) }]
        : []),
    ],
    stdin: "prompt",
    // It does not handle SIGTERM, and its tools would keep running.
    endSignal: "SIGINT",
  };
}

export const hasSchema = ({ replySchema }: SessionRequest): boolean =>
  replySchema !== null && replySchema !== undefined;

const promptPath = ({ folder }: SessionRequest): string => join(folder, "instructions.md");

/**
 * These add to every request and are of no use to a session: goals that it sets itself, agents that it starts, a list
 * of skills. As settings, because versions that do not know them ignore them.
 */
const leanArgs = ["goals", "multi_agent"]
  .flatMap((feature) => ["-c", `features.${feature}=false`])
  .concat(["-c", "skills.include_instructions=false"]);

/** A setting, not a flag: `exec resume` has no flag for it. A session that must not write is always read-only. */
function sandboxArgs(request: SessionRequest, config: CodexConfig): readonly string[] {
  if (config.confined === true) return ["--dangerously-bypass-approvals-and-sandbox"];
  const never = setting("approval_policy", "never");
  if (!request.mayWrite) return [...never, ...setting("sandbox_mode", "read-only")];
  switch (config.permissions ?? "core") {
    case "inherit":
      return never;
    case "core":
      return [...never, ...setting("sandbox_mode", "workspace-write")];
    case "bypass":
      return ["--dangerously-bypass-approvals-and-sandbox"];
  }
}

/**
 * Codex loads a repository's servers, hooks and settings only for trusted projects, but by default `codex exec` may
 * trust its folder, and even record that. One table: codex does not find a dotted key.
 */
function untrusted(cwd: string): string {
  const folders = [...new Set([cwd, realPath(cwd)])];
  return `{${folders.map((folder) => `${toml(folder)}={trust_level="untrusted"}`).join(",")}}`;
}

/** Codex only knows a folder by its real path. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Short timeouts, because the loop retries. The retries of the built-in provider cannot be set. */
function providerArgs(provider: NonNullable<CodexConfig["provider"]>, request: SessionRequest): readonly string[] {
  const idleMs = Math.round(Math.min(60_000, Math.max(5000, request.silenceMs / 3)));
  const table = [
    `name=${toml(provider.name)}`,
    `base_url=${toml(provider.baseUrl)}`,
    `env_key=${toml(provider.keyEnv)}`,
    'wire_api="responses"',
    "request_max_retries=2",
    "stream_max_retries=2",
    `stream_idle_timeout_ms=${idleMs}`,
  ];
  return [...setting("model_provider", "loopwright"), "-c", `model_providers.loopwright={${table.join(",")}}`];
}

function environment(config: CodexConfig, machine: Machine): Record<string, string> {
  const key = config.provider === undefined ? [] : [config.provider.keyEnv];
  const env = cliEnv([...credentials, ...key, ...(config.env ?? [])], machine.env);
  return isBelowTemporary(env) ? { ...env, TMPDIR: otherTemporary } : env;
}
