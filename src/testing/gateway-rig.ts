// A gateway between a test and a provider: requests over its socket, a scripted model or any answers behind it.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { longestAnswer } from "../agents/longest-answers.ts";
import { costOf, costOfRequest, highestPrice, priceOf } from "../agents/prices.ts";
import { type Gateway, startGateway } from "../gateway/gateway.ts";
import { type ModelServer, type Script, startModelServer } from "./model/index.ts";

export const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export const cost = (model: string, tokens: Parameters<typeof costOf>[0]): number | null =>
  costOfRequest(tokens, priceOf(model));
export const costAtMost = (model: string, tokens: Parameters<typeof costOf>[0]): number =>
  costOf(tokens, highestPrice(model)) ?? 0;
/** The model that a person is taken to have chosen, although its price is not known. */
export const chosen = "unheard-of";
export const sonnet = "claude-sonnet-4-5";
export const gpt = "gpt-5.5";

export type Rig = { gateway: Gateway; record: string };

export async function gatewayTo(
  url: string,
  costUsdMax: number | null = null,
  record = newRecord(),
  tokensMax: number | null = null,
): Promise<Rig> {
  const gateway = await startGateway({
    upstreams: {
      anthropic: { baseUrl: url, headers: { "x-api-key": "the-real-key" } },
      openai: { baseUrl: `${url}/v1`, headers: { authorization: "Bearer the-real-key" } },
    },
    costUsdMax,
    tokensMax,
    record,
    hostsRecord: `${record}-hosts`,
    cost,
    costAtMost,
    longestAnswer,
  });
  ends.push(() => gateway.close());
  return { gateway, record };
}

export function newRecord(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-gateway-test-"));
  ends.push(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "metered.jsonl");
}

export async function model(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  ends.push(() => server.close());
  return server;
}

/** A provider that answers as the test wants. */
export async function provider(
  answer: (response: ServerResponse, headers: IncomingHttpHeaders, body: string) => void,
): Promise<string> {
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const piece of incoming) body += piece;
    answer(response, incoming.headers, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

export function post(
  { gateway }: Rig,
  path: string,
  body: object | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath: gateway.socket,
      path,
      method: "POST",
      headers: { "x-api-key": "dummy", ...headers },
    });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      let text = "";
      answer.on("data", (piece) => (text += piece));
      const end = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      answer.on("end", end);
      answer.on("error", end);
    });
    asked.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

export const tools = [{ name: "run", input_schema: {} }];
export const messages = (stream: boolean, more: object = {}) => ({
  model: sonnet,
  max_tokens: 1000,
  tools,
  stream,
  messages: [{ role: "user", content: "hello" }],
  ...more,
});
export const responses = (stream: boolean) => ({ model: gpt, tools, stream, input: "hello" });

export const step = {
  thinking: "hm",
  text: "I will run it. 🙂".repeat(20),
  tools: [{ name: "run", input: { cmd: "ls" } }],
};
export const total = (usage: ReturnType<Gateway["usage"]>): number =>
  usage === null ? 0 : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
export const totalOf = (server: ModelServer): number =>
  Object.values(server.used()).reduce((sum, count) => sum + count, 0);
