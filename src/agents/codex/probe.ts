// What this machine has of codex: the program, its version, and whether it is logged in. Uses no tokens.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import type { Probe } from "../agent.ts";
import { cliEnv } from "../cli/cli-env.ts";
import type { Machine } from "../cli/machine.ts";
import { ask, findProgram } from "../cli/probe-cli.ts";
import { personsFiles } from "../session/private-state.ts";
import type { CodexConfig } from "./config.ts";
import { codexHome, isBelowTemporary } from "./home.ts";
import { type OwnProvider, ownProvider } from "./own-provider.ts";
import { codexState } from "./state.ts";

const keys = ["OPENAI_API_KEY", "CODEX_API_KEY"];

export async function probeCodex(config: CodexConfig, machine: Machine): Promise<Probe> {
  const path = findProgram(config.path ?? "codex", machine.env);
  if (path === null) {
    const why = `${JSON.stringify(config.path ?? "codex")} is not an executable.`;
    return { found: false, why, next: "Install it: npm install -g @openai/codex" };
  }
  const key = config.provider === undefined ? keys : [config.provider.keyEnv];
  const env = cliEnv([...key, "CODEX_HOME", ...(config.env ?? [])], machine.env);
  // Not in the workspace: the repository's settings must not affect this.
  const door = machine.look?.(personsFiles(codexState, machine.env));
  const asking = { env, cwd: tmpdir(), timeoutMs: 6000, door };
  const [version, status] = await Promise.all([
    ask(path, ["--version"], asking),
    ask(path, ["login", "status"], asking),
  ]);
  if (version.output === null || version.code !== 0) {
    const why = version.output === null ? version.why : version.output.trim().slice(0, 300);
    return { found: false, why: `${path} does not say its version: ${why}`, next: "Run it by hand: codex --version" };
  }
  const number = /\d+\.\d+\.\d+\S*/.exec(version.output)?.[0] ?? version.output.trim().slice(0, 40);
  const set = key.find((name) => (env[name] ?? "") !== "");
  if (set !== undefined)
    return { found: true, version: number, path, login: "yes", loginFrom: `${set} is set`, ...noteOn(machine) };
  const own = config.provider === undefined ? ownProvider(machine.env) : null;
  if (own !== null) return { found: true, version: number, path, ...ownLogin(own, env, machine) };
  const login = config.provider !== undefined ? "no" : loginOf(status.code, status.output);
  const loginFrom = config.provider === undefined ? "says codex login status" : `${key.join(" and ")} is not set`;
  const isPlan = login === "yes" && /using chatgpt/i.test(status.output ?? "");
  const how = { ...(login === "unknown" ? {} : { loginFrom }), ...(isPlan ? { isSubscription: true as const } : {}) };
  if (login !== "yes" && door !== undefined && isInKeyring(machine.env))
    return { found: true, version: number, path, login: "no", ...inKeyring };
  return { found: true, version: number, path, login, ...how, ...noteOn(machine) };
}

const inKeyring = {
  loginFrom: "its login is in the keyring",
  note: "No program inside walls reaches the keyring.",
  next: 'Set cli_auth_credentials_store = "file" in codex\' config.toml and run codex login, or set CODEX_API_KEY.',
};

/** Codex looks there only if its settings say so. */
function isInKeyring(env: Machine["env"]): boolean {
  const settings = readIfExists(join(codexHome(env), "config.toml")) ?? "";
  return /^\s*cli_auth_credentials_store\s*=\s*["'](?:keyring|auto)["']/m.test(settings);
}

/** What codex does by itself is accepted; a key that it is not given is named. */
function ownLogin(
  { name, keyEnv }: OwnProvider,
  env: Readonly<Record<string, string>>,
  machine: Machine,
): Pick<Extract<Probe, { found: true }>, "login" | "loginFrom" | "note" | "next"> {
  const loginFrom = `its config.toml has the provider ${name}`;
  if (keyEnv === null || (env[keyEnv] ?? "") !== "") return { login: "yes", loginFrom, ...noteOn(machine) };
  const isSet = (machine.env[keyEnv] ?? "") !== "";
  return {
    login: "no",
    loginFrom,
    note: `It reads its key from ${keyEnv}, ${isSet ? "and agents get only the variables that are named." : "which is not set."}`,
    next: `${isSet ? "Name" : `Set ${keyEnv}, and name`} it in loop.yaml: env: [${keyEnv}]`,
  };
}

function loginOf(code: number | null, output: string | null): "yes" | "no" | "unknown" {
  if (output === null) return "unknown";
  if (/not logged in/i.test(output)) return "no";
  return code === 0 && /logged in/i.test(output) ? "yes" : "unknown";
}

function noteOn({ env }: Machine): { note?: string } {
  if (!isBelowTemporary(env)) return {};
  return { note: `${codexHome(env)} is a folder for temporary files, where codex' sandbox does not work well.` };
}
