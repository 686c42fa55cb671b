// What walls cost: a session inside them against the same one outside, in turn.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sideBySide } from "./measure.mjs";
import { makeProject } from "./project.mjs";
import { row } from "./results.mjs";

const reply = '{"status":"done","summary":"x"}';

/** `network` of each agent is the one that the same settings have outside, so that only the walls differ. */
const agentsOf = (url, clis) => [
  {
    name: "a program that only replies",
    agent: { kind: "command", command: ["sh", "-c", `echo '${reply}' > "$LOOP_REPLY_FILE"`], network: "model" },
  },
  ...(clis.claude === null
    ? []
    : [{ name: "claude", agent: { kind: "claude", path: clis.claude, model: "claude-sonnet-4-5", network: "model" } }]),
  ...(clis.codex === null ? [] : [{ name: "codex", agent: codexAt(url, clis.codex) }]),
];

function codexAt(url, path) {
  const provider = `{name="bench",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  const args = ["-c", 'model_provider="bench"', "-c", `model_providers.bench=${provider}`];
  return { kind: "codex", path, model: "gpt-5.5", args, network: "open" };
}

export async function walls(place, { dist, clis }, rounds) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href);
  const { startModelServer } = await load("testing/model/index.js");
  const { sayWalls } = await load("project/walls.js");
  const server = await startModelServer({ script: () => reply });
  const keys = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "dummy", OPENAI_API_KEY: "dummy" };
  Object.assign(process.env, keys);
  try {
    const { settle } = await load("formats/settings.js");
    const makers = agentsOf(server.url, clis).map(({ name, agent }) => ({
      name,
      maker: settle({ agents: { maker: { cost_usd: 0, ...agent } } }).agents.maker,
    }));
    const { text } = await sayWalls({ maker: { ...makers[0].maker, sandbox: "auto" }, checker: null });
    if (text.startsWith("none")) return { rows: [], notes: [`Not measured: ${text}`] };
    const rows = [];
    for (const { name, maker } of makers) {
      const act = await sessionOf(place, load, maker);
      const { inside, outside } = await sideBySide(rounds, { outside: () => act("off"), inside: () => act("require") });
      rows.push(row(`a session of ${name}, inside walls against outside`, "ms", inside, outside));
    }
    const missing = ["claude", "codex"].filter((kind) => clis[kind] === null);
    return { rows, notes: missing.map((kind) => `Not measured: ${kind} is not here.`) };
  } finally {
    for (const name of Object.keys(keys)) delete process.env[name];
    await server.close();
  }
}

/** The whole way of a session: its walls are made, it runs, and they are taken down. */
async function sessionOf(place, load, settings) {
  const { wallsAround } = await load("project/walls.js");
  const { makeAgent } = await load("project/agents.js");
  const { runSession } = await load("agents/session.js");
  const { replySchema } = await load("formats/reply-schema.js");
  const root = makeProject(place, 1, 0);
  const vault = place.folder("vault");
  const fixed = { run: "bench", role: "builder", feature: "F001", attempt: 1, prompt: "x", cwd: root };
  const limits = { part: 1, nativeId: null, costUsdMax: 1, timeoutMs: 60_000, silenceMs: 60_000, handoverPercent: 100 };
  const schema = { replySchema: replySchema("producer"), mayWrite: true };
  return async (sandbox) => {
    const folder = place.folder("session");
    const around = await wallsAround({ ...settings, sandbox }, { root, vault, folder, costUsdMax: 1 });
    const agent = makeAgent({ ...settings, sandbox }, root, [], {}, around?.inside ?? null);
    const request = { ...fixed, ...limits, ...schema, session: crypto.randomUUID(), folder };
    const options = { signal: new AbortController().signal, ...(around === null ? {} : { walls: around.walls }) };
    const { how, failure } = await runSession(agent, request, options);
    await around?.leave();
    if (how !== "replied") throw new Error(`a session ${how}: ${failure?.text ?? ""}`);
  };
}
