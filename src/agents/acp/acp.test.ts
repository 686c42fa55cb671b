// The ACP adapter with a fake agent, for behavior that real ones do not show, or not on demand.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noUsage } from "../../core/session.ts";
import { aRequest } from "../../testing/agent-suite.ts";
import type { SessionRequest } from "../agent.ts";
import { runSession, type SessionResult } from "../session/session.ts";
import { acpAgent } from "./acp.ts";

/** Speaks just enough of the protocol. Its argument is a plan: capabilities, updates, questions, an ending. */
const fakeAgent = `
import { createInterface } from "node:readline";
const plan = JSON.parse(process.argv[2]);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (each) => send({ method: "session/update", params: { sessionId: "s-1", update: each } });
const asked = new Map();
const ask = (params) => new Promise((resolve) => {
  asked.set(asked.size + 100, resolve);
  send({ id: asked.size + 99, method: "session/request_permission", params: { sessionId: "s-1", ...params } });
});
let prompts = 0;
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: plan.can ?? {}, agentInfo: { name: "fake", version: "1" } }),
  "session/new": () => { if (plan.newError) throw plan.newError; return { sessionId: "s-1", ...plan.session }; },
  "session/load": () => {
    if (plan.loadError) throw plan.loadError;
    for (const each of plan.history ?? []) update(each);
    return {};
  },
  "session/resume": () => ({}),
  "session/set_config_option": ({ value }) => { process.stderr.write("model " + value + "\\n"); return { configOptions: [] }; },
  "session/set_mode": ({ modeId }) => { process.stderr.write("mode " + modeId + "\\n"); return {}; },
  "session/prompt": async ({ prompt }) => {
    process.stderr.write("prompt " + prompt[0].text + "\\n");
    prompts += 1;
    for (const each of plan.updates ?? []) update(each);
    for (const each of plan.asks ?? []) {
      const { outcome } = await ask(each);
      process.stderr.write("told " + (outcome.optionId ?? outcome.outcome) + "\\n");
    }
    if (plan.dies) { process.stderr.write("out of luck\\n"); process.exit(3); }
    if (plan.error) throw plan.error;
    const stop = Array.isArray(plan.stop) ? plan.stop[prompts - 1] : (plan.stop ?? "end_turn");
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: plan.text ?? '{"status":"done"}' } });
    return { stopReason: stop, ...(plan.usage ? { usage: plan.usage } : {}) };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) { asked.get(id)?.(result); continue; }
  if (id === undefined) continue;
  Promise.resolve().then(() => answers[method](params)).then((result) => send({ id, result }), (error) => send({ id, error }));
}
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-acp-"));
  writeFileSync(join(folder, "agent.mjs"), fakeAgent);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Played = SessionResult & { heard: string[]; failed: string };

async function play(plan: object, changes: Partial<SessionRequest> = {}, model?: string): Promise<Played> {
  const command = [process.execPath, join(folder, "agent.mjs"), JSON.stringify(plan)];
  const agent = acpAgent({ kind: "acp", command, ...(model === undefined ? {} : { model }) });
  const request = aRequest(folder, changes);
  const result = await runSession(agent, request, { signal: new AbortController().signal });
  const heard = readFileSync(join(request.folder, "stderr-1"), "utf8").trim().split("\n");
  return { ...result, heard, failed: result.how === "failed" ? result.failure.class : result.how };
}

const options = [
  { optionId: "no-and-stop-cancel", kind: "reject_once", name: "n" },
  { optionId: "no", kind: "reject_once", name: "n" },
  { optionId: "always", kind: "allow_always", name: "a" },
  { optionId: "yes", kind: "allow_once", name: "y" },
];
const call = (kind: string, rawInput: object = {}) => ({
  toolCall: { toolCallId: "t", title: "x", kind, rawInput },
  options,
});

const asks = [
  { kind: "read", maker: "yes", verifier: "yes" },
  { kind: "edit", maker: "yes", verifier: "no" },
  { kind: "delete", maker: "yes", verifier: "no" },
  { kind: "other", maker: "yes", verifier: "no" },
  { kind: "execute", input: { command: "npm test" }, maker: "yes", verifier: "yes" },
  { kind: "execute", input: { command: ["git", "push"] }, maker: "no", verifier: "no" },
  { kind: "execute", input: { cmd: "npm publish" }, maker: "no", verifier: "no" },
];

test.concurrent.each(["maker", "verifier"] as const)("a %s gets permissions by its role", async (who) => {
  const plan = { asks: asks.map(({ kind, input }) => call(kind, input)) };
  const { heard } = await play(plan, { mayWrite: who === "maker" });
  expect(heard.slice(1)).toEqual(asks.map((row) => `told ${row[who]}`));
});

test.concurrent("a request whose only option is yes is cancelled", async () => {
  const { heard } = await play({ asks: [{ ...call("edit"), options: options.slice(2) }] }, { mayWrite: false });
  expect(heard).toContain("told cancelled");
});

test.concurrent("an agent whose turn ends at a refusal is asked to continue", async () => {
  const plan = { asks: [call("edit")], stop: ["cancelled", "end_turn"], usage: { inputTokens: 5, outputTokens: 1 } };
  const played = await play(plan, { mayWrite: false });
  expect(played).toMatchObject({ how: "replied", usage: { inputTokens: 10, outputTokens: 2 } });
  expect(played.heard.filter((line) => line.startsWith("prompt That was refused"))).toHaveLength(1);
});

test.concurrent.each([
  { plan: { stop: "refusal" }, is: "refused" },
  { plan: { stop: "max_tokens" }, is: "crashed" },
  { plan: { stop: "max_turn_requests" }, is: "no-result" },
  { plan: { stop: "cancelled" }, is: "crashed" },
  { plan: { text: "All done!", usage: { inputTokens: 1 } }, is: "no-result" },
  { plan: { text: "" }, is: "no-result" },
  { plan: { dies: true }, is: "crashed" },
  { plan: { newError: { code: -32000, message: "Authentication required" } }, is: "authentication" },
  { plan: { error: { code: -32603, message: "x", data: { errorKind: "billing_error" } } }, is: "billing" },
  { plan: { error: { code: -32603, message: "5-hour limit reached, resets 8pm (UTC)" } }, is: "limited" },
  { plan: { error: { code: -32603, message: "unexpected status 503" } }, is: "transient" },
  { plan: { error: { code: -32603, message: "nobody knows" } }, is: "crashed" },
])("$plan is $is", async ({ plan, is }) => {
  expect((await play(plan)).failed).toBe(is);
});

test.concurrent("reports its stderr when it dies, and an unknown cost if it had worked", async () => {
  const work = [{ sessionUpdate: "tool_call", toolCallId: "t", title: "x", kind: "read" }];
  const died = await play({ dies: true, updates: work });
  expect(died).toMatchObject({ failure: { text: expect.stringContaining("out of luck") }, usage: { costUsd: null } });
  expect((await play({ error: { code: -32603, message: "x" } })).usage).toEqual(noUsage);
});

test.concurrent("an agent that cannot resume has no native id, so that a second process gets the full task", async () => {
  expect((await play({})).nativeId).toBe(null);
  expect((await play({ can: { loadSession: true } })).nativeId).toBe("s-1");
  expect(await play({}, { nativeId: "s-0" })).toMatchObject({ failed: "crashed", usage: noUsage });
});

test.concurrent("the replayed history of a loaded conversation is not the reply", async () => {
  const old = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: '{"status":"old"}' } };
  const plan = { can: { loadSession: true }, history: [old] };
  const played = await play(plan, { nativeId: "s-1" });
  expect(played).toMatchObject({ how: "replied", reply: { status: "done" }, text: '{"status":"done"}' });
  const lost = await play({ ...plan, loadError: { code: -32002, message: "not found" } }, { nativeId: "s-1" });
  expect(lost).toMatchObject({ failed: "crashed", usage: noUsage });
});

test.concurrent.each([
  { what: "of one that counts the cache apart", total: 111, tokens: { inputTokens: 10, cacheReadTokens: 100 } },
  { what: "of one that counts the cache as input", total: 11, tokens: { inputTokens: 0, cacheReadTokens: 100 } },
])("tokens $what are counted once", async ({ total, tokens }) => {
  const usage = { inputTokens: 10, outputTokens: 1, cachedReadTokens: 100, cachedWriteTokens: 0, totalTokens: total };
  expect((await play({ usage })).usage).toMatchObject({ ...tokens, outputTokens: 1 });
});

test.concurrent("a cost covers the whole conversation, so it counts only if that started here", async () => {
  const updates = [{ sessionUpdate: "usage_update", used: 9, size: 99, cost: { amount: 0.5, currency: "USD" } }];
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  const option = { id: "model", name: "m", category: "model", type: "select", currentValue: "gpt-5.5", options: [] };
  const plan = { can: { loadSession: true }, updates, usage, session: { configOptions: [option] } };
  expect((await play(plan)).usage.costUsd).toBe(0.5);
  expect((await play(plan, { nativeId: "s-1" })).usage.costUsd).toBe(null);
  expect((await play(plan, { nativeId: "s-1" }, "gpt-5.5")).failed).toBe("misconfigured");
  // A known model has a known price.
  expect((await play({ ...plan, updates: [] })).usage.costUsd).toBe(5);
});

test.concurrent("selects the given model, and a read-only mode for a verifier", async () => {
  const option = {
    id: "model",
    name: "m",
    category: "model",
    type: "select",
    currentValue: "small",
    options: [{ value: "large", name: "l" }],
  };
  const modes = { currentModeId: "auto", availableModes: ["auto", "read-only"].map((id) => ({ id, name: id })) };
  const { heard, how } = await play({ session: { configOptions: [option], modes } }, { mayWrite: false }, "large");
  expect(how).toBe("replied");
  expect(heard).toEqual(["model large", "mode read-only", "prompt Do it."]);
});
