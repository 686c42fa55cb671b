// Connects the session runner to an ACP agent: reads the prompt from stdin, and prints events as JSON lines. Node runs
// it as a plain program: `node bridge.mjs ORDER_FILE`. `reader.ts` reads its output.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { answerTo } from "./permissions.mjs";
import { protocolLines } from "./protocol-lines.mjs";
import { Turn } from "./turn.mjs";

const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
/** How long an agent may take to exit after its stdin closes, before it gets a signal. */
const exitGraceMs = 2000;
const refusalsMax = 5;

/** Synchronous and in order: printed events are true even if we crash. @param {object} event */
const say = (event) => writeSync(1, `${JSON.stringify(event)}\n`);

async function main() {
  const sdk = await import("@agentclientprotocol/sdk").catch(() => null);
  if (sdk === null) return say({ acp: "failed", class: "misconfigured", text: noLibrary });
  const prompt = readFileSync(0, "utf8");
  const agent = await start();
  if (agent === null) return;
  const turn = new Turn(say);
  const gone = once(agent, "exit").then(([code, signal]) =>
    Object.assign(new Error(`The agent ended (${signal ?? `exit code ${code}`}).`), { gone: true }),
  );
  const connection = connect(sdk, agent, turn);
  try {
    await Promise.race([converse(connection.agent, sdk, turn, prompt), gone.then((error) => Promise.reject(error))]);
  } catch (error) {
    // An error without a code is not the agent's: the connection is lost, and the reason will be clear soon.
    turn.failed(error.code === undefined ? await Promise.race([gone, pause(1000, error)]) : error);
  }
  connection.close();
  await end(agent);
}

const noLibrary = "@agentclientprotocol/sdk is not installed: npm install @agentclientprotocol/sdk@2";

async function start() {
  const [file, ...args] = order.command;
  const agent = spawn(file, args, { cwd: order.cwd, stdio: ["pipe", "pipe", "inherit"] });
  agent.stdin.on("error", () => {}); // It closed its end: its exit is handled elsewhere.
  process.on("SIGTERM", () => {
    agent.kill("SIGTERM");
    process.exit(143);
  });
  try {
    await once(agent, "spawn");
    return agent;
  } catch (error) {
    say({ acp: "failed", class: "misconfigured", text: `${file} could not be started: ${error.message}` });
    return null;
  }
}

function connect(sdk, agent, turn) {
  const incoming = Readable.toWeb(agent.stdout.pipe(protocolLines()));
  const { readable, writable } = sdk.ndJsonStream(Writable.toWeb(agent.stdin), incoming);
  // Read before the library validates it against a version of the protocol: later versions contain more.
  const seen = new TransformStream({
    transform(message, controller) {
      turn.see(message);
      controller.enqueue(message);
    },
  });
  const { requestPermission, update } = sdk.methods.client.session;
  return sdk
    .client({ name: "loopwright" })
    .onRequest(requestPermission, ({ params }) => turn.answered(answerTo(params, order)))
    .onNotification(update, () => {})
    .connect({ readable: readable.pipeThrough(seen), writable });
}

async function converse(agent, sdk, turn, prompt) {
  const { initialize, session } = sdk.methods.agent;
  // The agent reads files and runs commands by itself: it works in its own folder, with its own tools.
  const hello = await agent.request(initialize, {
    protocolVersion: sdk.PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "loopwright", version: "1" },
  });
  turn.began(hello);
  const opened = await open(agent, session, hello, turn);
  await chooseModel(agent, session, opened, turn);
  if (!order.mayWrite) await chooseMode(agent, session, opened);
  turn.asked();
  const ask = (text) => agent.request(session.prompt, { sessionId: opened.id, prompt: [{ type: "text", text }] });
  let { stopReason } = await ask(prompt);
  // Some agents end the turn at a refusal, and have to be asked to continue.
  for (let times = 0; times < refusalsMax && stopReason === "cancelled"; times += 1) {
    const refused = turn.takeRefusal();
    if (refused === null) break;
    ({ stopReason } = await ask(`That was refused. ${refused}\nGo on without it, and reply as you were asked to.`));
  }
  turn.ended(stopReason);
}

// Do not load the repository's own settings; agents other than claude ignore this field.
const untrusted = { claudeCode: { options: { settingSources: ["user"], strictMcpConfig: true } } };

async function open(agent, session, hello, turn) {
  const { agentCapabilities: can = {} } = hello;
  const where = { cwd: order.cwd, mcpServers: [], _meta: untrusted };
  const resumes = can.sessionCapabilities?.resume != null;
  if (order.session === null) {
    const made = await agent.request(session.new, where);
    // Without a way to resume, report no name: the next part then sends the full prompt again.
    if (resumes || can.loadSession === true) turn.named(made.sessionId);
    return { id: made.sessionId, options: made.configOptions ?? [], modes: made.modes };
  }
  if (!resumes && can.loadSession !== true) throw Object.assign(new Error("It cannot go on."), { lost: true });
  const again = { sessionId: order.session, ...where };
  const found = await agent.request(resumes ? session.resume : session.load, again).catch((error) => {
    throw Object.assign(error, { lost: error.code !== -32000 });
  });
  turn.named(order.session);
  return { id: order.session, options: found?.configOptions ?? [], modes: found?.modes };
}

async function chooseModel(agent, session, { id, options }, turn) {
  const option = options.find(({ category, id: name }) => category === "model" || name === "model");
  turn.model = order.model ?? (typeof option?.currentValue === "string" ? option.currentValue : null);
  if (order.model === null || option?.currentValue === order.model) return;
  if (option === undefined) throw Object.assign(new Error("It has no choice of models."), { misconfigured: true });
  const wanted = { sessionId: id, configId: option.id, value: order.model };
  await agent.request(session.setConfigOption, wanted).catch((error) => {
    throw Object.assign(error, { misconfigured: true });
  });
}

/** A session that must not write uses a read-only mode, or at least one in which the agent asks first. */
async function chooseMode(agent, session, { id, modes }) {
  const known = (modes?.availableModes ?? []).map((mode) => mode.id);
  const modeId = ["read-only", "ask", "default"].find((mode) => known.includes(mode));
  if (modeId !== undefined && modeId !== modes.currentModeId)
    await agent.request(session.setMode, { sessionId: id, modeId });
}

/** Gently first: given time, an agent saves what it needs to be resumed. */
async function end(agent) {
  const over = () => agent.exitCode !== null || agent.signalCode !== null;
  agent.stdin.end();
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    for (let waited = 0; !over() && waited < exitGraceMs; waited += 20) await pause(20);
    if (!over()) agent.kill(signal);
  }
}

await main();
process.exit(0);
