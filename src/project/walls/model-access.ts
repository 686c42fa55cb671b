// How an agent inside walls reaches its model: the gateway's two ends, and when it can serve an agent at all.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codexState } from "../../agents/codex/state.ts";
import { longestAnswer } from "../../agents/longest-answers.ts";
import { costOf, costOfRequest, highestPrice, priceOf } from "../../agents/prices.ts";
import type { AgentSettings, Network } from "../../formats/config/settings.ts";
import type { GatewayOptions, Upstream } from "../../gateway/options.ts";
import { readIfExists } from "../../host/disk.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Inside, where nothing else listens yet. */
const port = "47113";
const url = `http://127.0.0.1:${port}`;
export const socketInside = "/run/loop-model.sock";
const bridge = fileURLToPath(new URL("../../gateway/bridge.mjs", import.meta.url));

const bridgeCommand = [process.execPath, bridge, port, socketInside];

/**
 * Starts an agent with its bridge. Ours is listening after some 50 ms; claude and codex take much longer to their first
 * request, and repeat one that finds no listener, so they need not wait for it. Other programs may ask at once, and only
 * once. Claude speaks to the socket itself, by a variable that is not documented: the bridge starts when the session is
 * under way, for a version that does not know the variable, and for programs that it starts.
 */
export const bridgePrefix = (kind: AgentSettings["kind"]): readonly string[] => {
  if (kind !== "claude" && kind !== "codex") return bridgeCommand;
  const first = kind === "claude" ? "sleep 1; " : "";
  const script = `(${first}exec "$1" "$2" "$3" "$4") > /dev/null & shift 4; exec "$@"`;
  return ["/bin/sh", "-c", script, "walls", ...bridgeCommand];
};
export const openaiInside = `${url}/v1`;
/** The variable that codex reads its key from. */
export const codexKey = "OPENAI_API_KEY";

const dummy = "loopwright-holds-the-key";

/** What an agent has instead of the person's keys. A proxy for other hosts refuses at once, so that no agent waits. */
export const envInside: Readonly<Record<string, string>> = {
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_UNIX_SOCKET: socketInside,
  ANTHROPIC_API_KEY: dummy,
  ANTHROPIC_AUTH_TOKEN: "",
  CLAUDE_CODE_OAUTH_TOKEN: "",
  OPENAI_BASE_URL: openaiInside,
  OPENAI_API_KEY: dummy,
  CODEX_API_KEY: "",
  HTTPS_PROXY: url,
  https_proxy: url,
  HTTP_PROXY: "",
  http_proxy: "",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

export function upstreamsOf(env: Env): GatewayOptions["upstreams"] {
  const anthropic = anthropicHeaders(env);
  const openai = env["OPENAI_API_KEY"] || env["CODEX_API_KEY"];
  const upstream = (baseUrl: string, headers: Upstream["headers"]): Upstream => ({ baseUrl, headers });
  return {
    ...(anthropic === null
      ? {}
      : { anthropic: upstream(env["ANTHROPIC_BASE_URL"] || "https://api.anthropic.com", anthropic) }),
    ...(openai
      ? {
          openai: upstream(env["OPENAI_BASE_URL"] || "https://api.openai.com/v1", {
            authorization: `Bearer ${openai}`,
          }),
        }
      : {}),
  };
}

function anthropicHeaders(env: Env): Record<string, string> | null {
  if (env["ANTHROPIC_API_KEY"]) return { "x-api-key": env["ANTHROPIC_API_KEY"] };
  return env["ANTHROPIC_AUTH_TOKEN"] ? { authorization: `Bearer ${env["ANTHROPIC_AUTH_TOKEN"]}` } : null;
}

/** Where a person says nothing: only the model, if the gateway can reach it in the agent's place. */
export function networkOf(settings: AgentSettings, env: Env): Network {
  return settings.network ?? (isServed(settings, env) ? "model" : "open");
}

function isServed({ kind, args, env: names }: AgentSettings, env: Env): boolean {
  // The gateway asks no proxy, and speaks to no cloud's own API.
  if (env["HTTPS_PROXY"] || env["https_proxy"] || names.some((name) => /BEDROCK|VERTEX|FOUNDRY/.test(name)))
    return false;
  if (kind === "claude") return anthropicHeaders(env) !== null;
  return kind === "codex" && !hasOwnProvider(args, env) && (env["CODEX_API_KEY"] || env["OPENAI_API_KEY"] || "") !== "";
}

/** A login or another provider, with another address and key. */
function hasOwnProvider(args: readonly string[], env: Env): boolean {
  const home = codexState.persons(env);
  const said = [args.join(" "), readIfExists(join(home, "config.toml")) ?? ""].join("\n");
  const isLoggedIn = !env["CODEX_API_KEY"] && readIfExists(join(home, "auth.json")) !== null;
  return isLoggedIn || /model_provider|openai_base_url|--profile|\s-p\s|--oss/.test(said);
}

export const costsFor = ({ prices }: AgentSettings): Pick<GatewayOptions, "cost" | "costAtMost" | "longestAnswer"> => ({
  cost: (model, tokens) => costOfRequest(tokens, priceOf(model, prices)),
  costAtMost: (model, tokens) => costOf(tokens, highestPrice(model, prices)) ?? 0,
  longestAnswer,
});
