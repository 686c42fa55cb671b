// What a session costs before it does anything: our own prompt, early and late in a run, and what each agent adds.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeProject, runArgs } from "./project.mjs";
import { row } from "./results.mjs";

/** Tokens are characters divided by four, as the scripted model counts them. */
const tokens = (text) => Math.ceil(text.length / 4);

/** Our prompt at iterations 2 and 50 of one run: it must not grow with the run. */
export async function prompts(place, { loop }) {
  const root = makeProject(place, 50, 0);
  execFileSync(process.execPath, [loop, ...runArgs], { cwd: root, env: place.env, stdio: "ignore" });
  const sessions = sessionFolders(place.env.XDG_STATE_HOME);
  const rows = ["builder", "evaluator"].map((role) => {
    const [early, late] = ["F002", "F050"].map((feature) => promptOf(sessions, feature, role));
    return row(`our prompt to the ${role}, at iteration 50 against iteration 2`, "tokens", late, early);
  });
  return { rows };
}

function sessionFolders(state) {
  const vaults = fs.readdirSync(join(state, "loopwright")).filter((name) => name !== "locks");
  const runs = vaults.flatMap((vault) => listed(join(state, "loopwright", vault, "runs")));
  return runs.flatMap((run) => listed(join(run, "sessions")));
}

const listed = (dir) => (fs.existsSync(dir) ? fs.readdirSync(dir).map((name) => join(dir, name)) : []);

function promptOf(sessions, feature, role) {
  const found = sessions.filter((path) => path.includes(`/${feature}-a1-${role}-`));
  return tokens(fs.readFileSync(join(found.at(-1), "prompt.md"), "utf8"));
}

const variants = [
  ["builder", {}],
  ["evaluator", {}],
  ["builder", { prompt: "short" }],
];

/** The fixed part of a session per agent and role: the first request without our prompt. */
export async function fixedTokens(place, { dist, clis }) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href);
  const { startModelServer } = await load("testing/model/index.js");
  const { claudeAgent } = await load("agents/claude/claude.js");
  const { codexAgent } = await load("agents/codex/codex.js");
  const { runSession } = await load("agents/session/session.js");
  const { replySchema } = await load("formats/reply/reply-schema.js");
  const [rows, notes] = [[], []];
  for (const kind of ["claude", "codex"]) {
    const path = clis[kind];
    for (const [role, prompt] of path === null ? [] : variants) {
      const server = await startModelServer({ script: () => '{"status":"done","summary":"x"}' });
      const env = { ...place.env, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "dummy", BENCH_KEY: "dummy" };
      const machine = { env, isRoot: process.getuid?.() === 0, now: () => Date.now(), zone: "UTC" };
      const provider = { name: "bench", baseUrl: `${server.url}/v1`, keyEnv: "BENCH_KEY" };
      const agent =
        kind === "claude"
          ? claudeAgent({ path, model: "claude-sonnet-4-5", ...prompt }, machine)
          : codexAgent({ path, model: "gpt-5.5", permissions: "bypass", provider, ...prompt }, machine);
      const folder = place.folder("session");
      const cwd = makeProject(place, 1, 0);
      const request = {
        run: "bench",
        session: crypto.randomUUID(),
        role,
        feature: "F001",
        attempt: 1,
        prompt: "x",
        cwd,
        folder,
      };
      const limits = {
        part: 1,
        nativeId: null,
        costUsdMax: 1,
        timeoutMs: 60_000,
        silenceMs: 60_000,
        handoverPercent: 100,
      };
      const schema = {
        replySchema: replySchema(role === "builder" ? "producer" : "verdict"),
        mayWrite: role === "builder",
      };
      await runSession(agent, { ...request, ...limits, ...schema }, { signal: new AbortController().signal });
      const [first] = server.log.filter(({ side }) => !side);
      const { input = 0, cacheRead = 0, cacheWrite = 0 } = first?.usage ?? {};
      await server.close();
      const how = prompt.prompt === undefined ? "" : `, with prompt: ${prompt.prompt}`;
      rows.push(row(`${kind} as ${role}${how}`, "tokens", input + cacheRead + cacheWrite));
    }
    if (path === null) notes.push(`Not measured: ${kind} is not here.`);
  }
  return { rows, notes };
}
