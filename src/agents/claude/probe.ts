// What this machine has of claude: the program, its version, and whether it is logged in. Uses no tokens.
import { tmpdir } from "node:os";
import type { Probe } from "../agent.ts";
import { cliEnv } from "../cli/cli-env.ts";
import type { Machine } from "../cli/machine.ts";
import { ask, findProgram } from "../cli/probe-cli.ts";
import { personsFiles } from "../session/private-state.ts";
import { cloudIn, cloudNotPassed } from "./cloud.ts";
import type { ClaudeConfig } from "./config.ts";
import { helperNotSeen } from "./key-helper.ts";
import { claudeState } from "./state.ts";

const keys = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

export async function probeClaude(config: ClaudeConfig, machine: Machine): Promise<Probe> {
  const path = findProgram(config.path ?? "claude", machine.env);
  if (path === null) {
    const why = `${JSON.stringify(config.path ?? "claude")} is not an executable.`;
    return { found: false, why, next: "Install it: npm install -g @anthropic-ai/claude-code" };
  }
  const names = [...keys, "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR", ...(config.env ?? [])];
  const env = {
    ...cliEnv(names, machine.env),
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  // Not in the workspace: the repository's settings must not affect this.
  const door = machine.look?.(personsFiles(claudeState, machine.env));
  const how = { env, cwd: tmpdir(), timeoutMs: 6000, door };
  const login = { ...how, enough: (output: string) => saidLogin(output) !== null };
  const [version, status] = await Promise.all([ask(path, ["--version"], how), ask(path, ["auth", "status"], login)]);
  if (version.output === null || version.code !== 0) {
    const why = version.output === null ? version.why : version.output.trim().slice(0, 300);
    return { found: false, why: `${path} does not say its version: ${why}`, next: "Run it by hand: claude --version" };
  }
  const number = /\d+\.\d+\.\d+\S*/.exec(version.output)?.[0] ?? version.output.trim().slice(0, 40);
  const cloud = cloudIn(env);
  if (cloud !== null) return { found: true, version: number, path, login: "yes", loginFrom: `${cloud} is set` };
  const is = loginOf(status.output, env);
  const hasKey = keyIn(env) !== undefined;
  // claude auth status does not start it.
  const unseen = is.login === "yes" && !hasKey ? await helperNotSeen(machine.env, how) : null;
  if (unseen !== null) return { found: true, version: number, path, login: "no", loginFrom: "apiKeyHelper", ...unseen };
  const unpassed = is.login === "yes" ? null : cloudNotPassed(machine.env, env);
  return { found: true, version: number, path, ...is, ...unpassed };
}

const keyIn = (env: Readonly<Record<string, string>>): string | undefined =>
  keys.find((name) => (env[name] ?? "") !== "");

/** Versions without a status command count as logged in if they have a key. */
function loginOf(
  status: string | null,
  env: Readonly<Record<string, string>>,
): Pick<Extract<Probe, { found: true }>, "login" | "loginFrom" | "isSubscription"> {
  const said = saidLogin(status ?? "");
  const isPlan = said === true && /"authMethod"\s*:\s*"(?:claude\.ai|oauth_token)"/.test(status ?? "");
  if (said !== null)
    return {
      login: said ? "yes" : "no",
      loginFrom: "says claude auth status",
      ...(isPlan ? { isSubscription: true } : {}),
    };
  const key = keyIn(env);
  return key === undefined ? { login: "unknown" } : { login: "yes", loginFrom: `${key} is set` };
}

function saidLogin(output: string): boolean | null {
  const found = /"loggedIn"\s*:\s*(true|false)\b/.exec(output)?.[1];
  return found === undefined ? null : found === "true";
}
