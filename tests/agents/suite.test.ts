// The conformance suite against the real programs: a wrapper and a scripted model make them misbehave.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { acpAgent } from "../../src/agents/acp/acp.ts";
import type { Agent } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/claude.ts";
import { codexAgent } from "../../src/agents/codex/codex.ts";
import { runSession } from "../../src/agents/session/session.ts";
import { aRequest, type Behaviour, describeAgent } from "../../src/testing/agent-suite.ts";
import { type ModelRequest, rounds, type Script, type Step, startModelServer } from "../../src/testing/model/index.ts";
import { type AcpKind, acpKinds, describeCli } from "./lab.ts";

/** How each agent runs a command and replies. */
type Moves = { run(command: string): Step; reply: readonly (Step | string)[] };
const claude: Moves = {
  run: (command) => ({ tools: [{ name: "Bash", input: { command, description: "x" } }] }),
  reply: [{ tools: [{ name: "StructuredOutput", input: { status: "done" } }] }, "Done."],
};
const codex: Moves = {
  run: (cmd) => ({ tools: [{ name: "exec_command", input: { cmd } }] }),
  reply: [{ text: '{"status":"done"}' }],
};

const daemon = `setsid sh -c 'trap "" TERM; exec sleep 1000' >/dev/null 2>&1 </dev/null & sleep 0.2`;
const hang: Step = { fault: { hang: true } };

function scriptOf(behaviour: Behaviour, folder: string, moves: Moves): Script {
  switch (behaviour) {
    case "crashes":
      return rounds([moves.run("kill -9 $PPID; sleep 5")]);
    case "no-reply":
      return rounds([{ text: "" }]);
    case "hangs":
      return rounds([hang]);
    case "chatters":
      return () => moves.run("sleep 0.1");
    case "leaves-daemon":
      return rounds([moves.run(daemon), ...moves.reply]);
    case "resumes":
      return (request) => (starts(folder) === 1 ? hang : rounds(moves.reply)(request));
    default:
      return rounds(moves.reply);
  }
}

const starts = (folder: string): number => {
  const file = join(folder, "workspace", "starts");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
};

/** The suite allows a second without progress, and on a busy machine the programs take longer than that to start. */
const alive = `(while sleep 0.2; do echo '{"type":"stream_event"}'; echo '{"type":"turn.started"}'; echo '{"acp":"progress"}'; done)`;

/** The shell around the program does what the program itself would not: print garbage, or stay after its end. */
function wrapper(behaviour: Behaviour, path: string): string {
  const before: Partial<Record<Behaviour, string>> = {
    garbage: `printf '\\377\\376\\000\\033]52;c;x\\007\\n'; head -c 5300000 /dev/zero | tr '\\000' x; echo`,
    floods: "yes 'a line of noise that goes on and on and on and on' | head -c 200000000",
  };
  const run = behaviour === "lingers" ? `${alive} & '${path}' "$@"; kill $!; sleep 1000` : `exec '${path}' "$@"`;
  return `#!/bin/sh\nsleep 0.3; echo started >> starts\n${before[behaviour] ?? ":"}\n${run}\n`;
}

// One server for all: the key selects the script; it names the behaviour and the test's folder.
const scripts = new Map<string, Script>();
const keyOf = ({ headers }: ModelRequest): string =>
  String(headers["x-api-key"] ?? headers["authorization"]).replace(/^Bearer /, "");
const server = await startModelServer({ script: (request) => scripts.get(keyOf(request))?.(request) ?? "unknown key" });
const home = mkdtempSync(join(tmpdir(), "loop-suite-home-"));
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function make(name: "claude" | "codex", path: string, moves: Moves) {
  return (behaviour: Behaviour, folder: string): Agent => {
    const program = join(folder, `${name}-${behaviour}`);
    writeFileSync(program, wrapper(behaviour, path));
    chmodSync(program, 0o755);
    const key = Buffer.from(`${behaviour} ${folder}`).toString("hex");
    scripts.set(key, scriptOf(behaviour, folder, moves));
    const keys = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, LAB_KEY: key };
    const env = { PATH: process.env["PATH"], HOME: home, ...keys };
    const machine = { env, isRoot: process.getuid?.() === 0, now: () => Date.now() };
    const common = { path: program, permissions: "bypass" } as const;
    if (name === "claude") return claudeAgent({ ...common, model: "claude-sonnet-4-5" }, machine);
    const provider = { name: "lab", baseUrl: `${server.url}/v1`, keyEnv: "LAB_KEY" };
    return codexAgent({ ...common, model: "gpt-5.5", provider }, machine);
  };
}

/** In codex's sandbox a command can neither kill its parent nor leave a process behind, and this suite tests both. */
function unconfined(env: Record<string, string>): Record<string, string> {
  const config = env["CODEX_CONFIG"];
  if (config === undefined) return env;
  const open = { sandbox_mode: "danger-full-access", approval_policy: "never" };
  return {
    ...env,
    CODEX_CONFIG: JSON.stringify({ ...JSON.parse(config), ...open }),
    INITIAL_AGENT_MODE: "agent-full-access",
  };
}

/** An agent that speaks ACP for the real program. The wrapper is around the bridge, whose output the loop reads. */
function makeAcp(path: string, kind: AcpKind, native: string, moves: Moves) {
  return (behaviour: Behaviour, folder: string): Agent => {
    const program = join(folder, `acp-${behaviour}`);
    writeFileSync(program, wrapper(behaviour, process.execPath));
    chmodSync(program, 0o755);
    const key = Buffer.from(`${behaviour} ${folder}`).toString("hex");
    scripts.set(key, scriptOf(behaviour, folder, moves));
    const keys = {
      ...unconfined(kind.env(server.url, native)),
      [kind.api === "messages" ? "ANTHROPIC_API_KEY" : "LAB_KEY"]: key,
    };
    const machine = { env: { PATH: process.env["PATH"], HOME: home, ...keys }, isRoot: true, now: () => Date.now() };
    const agent = acpAgent({ kind: "acp", command: [process.execPath, path], env: Object.keys(keys) }, machine);
    return { ...agent, launch: (request) => ({ ...agent.launch(request), file: program }) };
  };
}

/**
 * The first codex in a home sets up its database. Killed during that, it leaves a mark there, and every later codex
 * waits for it silently for many minutes. People's homes have seen codex before, so this one has, too.
 */
async function settle(makeCodex: ReturnType<typeof make>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "loop-suite-first-"));
  const { how } = await runSession(makeCodex("replies", folder), aRequest(folder), {
    signal: new AbortController().signal,
  });
  rmSync(folder, { recursive: true, force: true });
  if (how !== "replied") throw new Error(`the first session of codex in a new home ${how}`);
}

const spoken = ({ run }: Moves): Moves => ({ run, reply: [{ text: '{"status":"done"}' }] });

await describeCli("claude@2.1.325", (path) => describeAgent("claude", { make: make("claude", path, claude) }));
await describeCli("codex@0.166.0", (path) => {
  beforeAll(() => settle(make("codex", path, codex)));
  describeAgent("codex", { make: make("codex", path, codex) });
});

for (const kind of acpKinds) {
  const native = await ensureCli(kind.native);
  const moves = spoken(kind.api === "messages" ? claude : codex);
  await describeCli(kind.name, (path) => {
    if (kind.native.startsWith("codex")) beforeAll(() => settle(make("codex", native.path ?? "", codex)));
    describeAgent(`acp: ${kind.name}`, { make: makeAcp(path, kind, native.path ?? "", moves) });
  });
}
