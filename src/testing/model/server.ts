// A scripted model on loopback: real coding agents run against it offline, and its log has every token they use.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { isObject, type Json, string } from "./json.ts";
import { createMeter } from "./meter.ts";
import { readMessages } from "./read-messages.ts";
import { readResponses } from "./read-responses.ts";
import type { Script } from "./script.ts";
import { type Sent, send, sendJson } from "./send.ts";
import { estimateTokens, type Fault, type ModelRequest, type StepUsage } from "./step.ts";
import { writeMessages } from "./write-messages.ts";
import { writeResponses } from "./write-responses.ts";

/** One request to the scripted model, and its answer. */
export type LogEntry = {
  number: number;
  atMs: number;
  api: ModelRequest["api"];
  model: string;
  stream: boolean;
  side: boolean;
  rounds: number;
  tools: readonly string[];
  lastPrompt: string;
  lastToolResult: string;
  /** Which credential was sent, by the header's name; its value is not kept. */
  credential: "x-api-key" | "authorization" | null;
  fault: Fault | null;
  /** Null until the request is over. */
  sent: Sent | null;
  usage: StepUsage;
};

/** A scripted model behind the HTTP APIs of real ones. */
export type ModelServer = {
  url: string;
  port: number;
  log: readonly LogEntry[];
  /** Every request that was not for a model, as "GET /path". */
  others: readonly string[];
  /** The exact usage of all requests that were fully answered, or of those that `which` picks. */
  used(which?: (entry: LogEntry) => boolean): StepUsage;
  close(): Promise<void>;
};

/** Starts a model server on this machine. Close it when the test is over. */
export async function startModelServer(options: { script: Script; port?: number }): Promise<ModelServer> {
  const log: LogEntry[] = [];
  const others: string[] = [];
  const sockets = new Set<Socket>();
  const meter = createMeter();
  const startedAt = Date.now();

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
    const body = await readBody(incoming);
    const wire = incoming.method === "POST" && body !== null ? wireOf(path) : null;
    if (wire === null || body === null) {
      others.push(`${incoming.method} ${path}`);
      if (path.endsWith("/models"))
        return sendJson(response, 200, { object: "list", data: [], has_more: false, models: [] });
      return sendJson(response, 404, {});
    }
    if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: estimateTokens(body) });
    const request = toRequest(wire, body, incoming, log.length + 1);
    const entry = toEntry(request, Date.now() - startedAt);
    log.push(entry);
    const said = await options.script(request);
    const step = typeof said === "string" ? { text: said } : said;
    entry.fault = step.fault ?? null;
    entry.usage = meter(request, step);
    entry.sent = await send(response, request, step, wires[wire].write(step, entry.usage, request.model));
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A script that throws is a bug in a test: the agent gets a failure that cannot be mistaken for a scripted one.
      if (!response.headersSent) sendJson(response, 418, { error: { message: `the script failed: ${error}` } });
      else response.destroy();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // An agent that is killed resets its connections.
  });
  server.on("upgrade", (incoming, socket) => {
    others.push(`UPGRADE ${incoming.url}`);
    socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
  });
  // Agents may keep a request open for as long as a test needs.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    others,
    used: (which = () => true) => sum(log.filter((entry) => entry.sent === "answered" && which(entry))),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const wires = {
  messages: { read: readMessages, write: writeMessages },
  responses: { read: readResponses, write: writeResponses },
};

function wireOf(path: string): keyof typeof wires | null {
  if (/\/messages(\/count_tokens)?$/.test(path)) return "messages";
  return path.endsWith("/responses") ? "responses" : null;
}

async function readBody(incoming: IncomingMessage): Promise<Json | null> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  try {
    const text = incoming.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
    const body: unknown = JSON.parse(text.toString("utf8"));
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

function toRequest(api: keyof typeof wires, raw: Json, incoming: IncomingMessage, number: number): ModelRequest {
  const conversation = wires[api].read(raw);
  const side = conversation.tools.length === 0;
  const { headers } = incoming;
  return {
    api,
    number,
    model: string(raw["model"]),
    stream: raw["stream"] === true,
    side,
    ...conversation,
    headers,
    raw,
  };
}

function toEntry(request: ModelRequest, atMs: number): LogEntry {
  const { number, api, model, stream, side, rounds, tools, headers } = request;
  const credential = (["x-api-key", "authorization"] as const).find((name) => headers[name] !== undefined) ?? null;
  const lastPrompt = (request.prompts.at(-1) ?? "").slice(-400);
  const lastToolResult = (request.toolResults.at(-1)?.text ?? "").slice(0, 400);
  const seen = { number, atMs, api, model, stream, side, rounds, tools, lastPrompt, lastToolResult, credential };
  return { ...seen, fault: null, sent: null, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
}

function sum(entries: readonly LogEntry[]): StepUsage {
  const total = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { usage } of entries) {
    total.input += usage.input;
    total.output += usage.output;
    total.cacheRead += usage.cacheRead;
    total.cacheWrite += usage.cacheWrite;
  }
  return total;
}
