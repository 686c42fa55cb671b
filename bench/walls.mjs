// What walls cost: a session inside them against the same one outside, in turn.
import * as fs from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sideBySide } from "./measure.mjs";
import { makeProject } from "./project.mjs";
import { row } from "./results.mjs";

const reply = '{"status":"done","summary":"x"}';

/**
 * Inside, each reaches its model through the gateway, as by default. Outside, codex needs a provider in its flags to find
 * ours; `outside` replaces what differs.
 */
const agentsOf = (url, clis) => [
  {
    name: "a program that only replies",
    agent: { kind: "command", command: ["sh", "-c", `echo '${reply}' > "$LOOP_REPLY_FILE"`], network: "model" },
  },
  ...(clis.claude === null
    ? []
    : [{ name: "claude", agent: { kind: "claude", path: clis.claude, model: "claude-sonnet-4-5", network: "model" } }]),
  ...(clis.codex === null
    ? []
    : [
        {
          name: "codex",
          agent: { kind: "codex", path: clis.codex, model: "gpt-5.5", network: "model" },
          outside: { args: providerAt(url), network: "open" },
        },
      ]),
];

function providerAt(url) {
  const provider = `{name="bench",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  return ["-c", 'model_provider="bench"', "-c", `model_providers.bench=${provider}`];
}

export async function walls(place, { dist, clis }, rounds) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href);
  const { startModelServer } = await load("testing/model/index.js");
  const { sayWalls } = await load("project/walls/walls.js");
  const server = await startModelServer({ script: () => reply });
  const keys = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "dummy", OPENAI_API_KEY: "dummy" };
  keys.OPENAI_BASE_URL = `${server.url}/v1`;
  Object.assign(process.env, keys);
  try {
    const { settle } = await load("formats/config/settings.js");
    const settled = (agent, sandbox) => ({
      ...settle({ agents: { maker: { cost_usd: 0, ...agent } } }).agents.maker,
      sandbox,
    });
    const makers = agentsOf(server.url, clis).map(({ name, agent, outside }) => ({
      name,
      inside: settled(agent, "require"),
      outside: settled({ ...agent, ...outside }, "off"),
    }));
    const { text } = await sayWalls({ maker: { ...makers[0].inside, sandbox: "auto" }, checker: null }, null);
    if (text.startsWith("none")) return { rows: [], notes: [`Not measured: ${text}`] };
    const session = await sessionsOf(place, load);
    const rows = [];
    for (const { name, ...settings } of makers) {
      const act = { outside: () => session(settings.outside), inside: () => session(settings.inside) };
      const { inside, outside } = await sideBySide(rounds, act);
      rows.push(row(`a session of ${name}, inside walls against outside`, "ms", inside, outside));
    }
    const [{ inside: program }] = makers;
    const layers = { with: () => session(program, { withLayer: true }), without: () => session(program) };
    const layered = await sideBySide(rounds, layers);
    const title = "a session inside walls, with a layer over node_modules (`--here`) against one without";
    rows.push(row(title, "ms", layered.with, layered.without));
    const missing = ["claude", "codex"].filter((kind) => clis[kind] === null);
    return { rows, notes: missing.map((kind) => `Not measured: ${kind} is not here.`) };
  } finally {
    for (const name of Object.keys(keys)) delete process.env[name];
    await server.close();
  }
}

/** The whole way of a session: its walls are made, it runs, and they are taken down. */
async function sessionsOf(place, load) {
  const { wallsAround } = await load("project/walls/walls.js");
  const { makeAgent } = await load("project/agents/agents.js");
  const { runSession } = await load("agents/session/session.js");
  const { replySchema } = await load("formats/reply/reply-schema.js");
  const root = makeProject(place, 1, 0);
  fs.writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  fs.mkdirSync(join(root, "node_modules"));
  const vault = (await load("workspace/vault.js")).vaultDirFor(root);
  const fixed = { run: "bench", role: "builder", feature: "F001", attempt: 1, prompt: "x", cwd: root };
  const limits = { part: 1, nativeId: null, costUsdMax: 1, timeoutMs: 60_000, silenceMs: 60_000, handoverPercent: 100 };
  const schema = { replySchema: replySchema("producer"), mayWrite: true };
  return async (settings, { withLayer = false } = {}) => {
    const folder = place.folder("session");
    fs.mkdirSync(folder);
    const ignored = withLayer ? { kind: "git", base: null, task: "bench", note: () => {} } : null;
    const around = await wallsAround(settings, {
      root,
      vault,
      folder,
      costUsdMax: 1,
      tokensMax: null,
      outside: [],
      ignored,
    });
    const agent = makeAgent(settings, root, [], {}, around?.inside ?? null);
    const request = { ...fixed, ...limits, ...schema, session: crypto.randomUUID(), folder };
    const options = { signal: new AbortController().signal, ...(around === null ? {} : { walls: around.walls }) };
    const { how, failure } = await runSession(agent, request, options);
    await around?.leave();
    if (how !== "replied") throw new Error(`a session ${how}: ${failure?.text ?? ""}`);
  };
}
