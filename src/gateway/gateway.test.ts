// The gateway from both sides: what an agent sends over its socket, what the provider gets and answers, and how it is counted.
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  gatewayTo,
  gpt,
  messages,
  model,
  post,
  provider,
  responses,
  step,
  total,
  totalOf,
} from "../testing/gateway-rig.ts";

describe("what passes is counted to the token", () => {
  test.each([
    { what: "messages, streamed", path: "/v1/messages", body: messages(true) },
    { what: "messages, in one piece", path: "/v1/messages", body: messages(false) },
    { what: "responses, streamed", path: "/v1/responses", body: responses(true) },
    { what: "responses, in one piece", path: "/v1/responses", body: responses(false) },
  ])("$what", async ({ path, body }) => {
    const server = await model(() => step);
    const rig = await gatewayTo(server.url);
    const direct = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
    const shape = (text: string): string =>
      text.replaceAll(/"(?:id|item_id|call_id)":"[^"]*"|\b(?:msg|resp|toolu)_\w+/g, "");
    const wanted = shape(await direct.text());
    const before = totalOf(server);
    const { status, text } = await post(rig, path, body);
    expect(status).toBe(200);
    expect(shape(text).length).toBe(wanted.length);
    expect(total(rig.gateway.usage())).toBe(totalOf(server) - before);
    expect(rig.gateway.usage()?.costUsd).toBeGreaterThan(0);
  });

  test("a packed request", async () => {
    const server = await model(() => step);
    const rig = await gatewayTo(server.url);
    const body = gzipSync(JSON.stringify(messages(true)));
    await post(rig, "/v1/messages", body, { "content-encoding": "gzip" });
    expect(total(rig.gateway.usage())).toBe(totalOf(server));
    expect((await post(rig, "/v1/messages", body, { "content-encoding": "zstd" })).status).toBe(400);
    expect(server.log).toHaveLength(1);
  });

  test("chat completions, which tell it only when asked: the agent does not see that we asked", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } };
    const url = await provider((response, _headers, body) => {
      const asked = JSON.parse(body) as { stream_options?: { include_usage?: boolean } };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "hi" } }] })}\n\n`);
      if (asked.stream_options?.include_usage === true)
        response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
    const rig = await gatewayTo(url);
    const chat = { model: gpt, stream: true, messages: [] };
    const { text } = await post(rig, "/v1/chat/completions", chat);
    expect(text).toBe('data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n');
    const counted = { inputTokens: 60, outputTokens: 20, cacheReadTokens: 40, cacheWriteTokens: 0 };
    expect(rig.gateway.usage()).toMatchObject(counted);
    const asked = await post(rig, "/v1/chat/completions", { ...chat, stream_options: { include_usage: true } });
    expect(asked.text).toContain('"usage"');
  });
});

test("the key is the gateway's: the agent's is replaced, and never comes back", async () => {
  const seen: IncomingHttpHeaders[] = [];
  const url = await provider((response, headers) => {
    seen.push(headers);
    response.writeHead(200, { "content-type": "application/json", "anthropic-ratelimit-requests-remaining": "7" });
    response.end("{}");
  });
  const rig = await gatewayTo(url);
  const asAnthropic = await post(rig, "/v1/messages", messages(false), { authorization: "Bearer mine" });
  const asOpenai = await post(rig, "/v1/responses", responses(false), { authorization: "Bearer mine" });
  expect(seen[0]).toMatchObject({ "x-api-key": "the-real-key" });
  expect(seen[0]?.authorization).toBeUndefined();
  expect(seen[1]).toMatchObject({ authorization: "Bearer the-real-key" });
  expect(seen[1]?.["x-api-key"]).toBeUndefined();
  expect(JSON.stringify([asAnthropic, asOpenai])).not.toContain("the-real-key");
  expect(asAnthropic.headers["anthropic-ratelimit-requests-remaining"]).toBe("7");
});

test.each([
  ["POST", "/v1/files"],
  ["GET", "/v1/messages"],
  ["POST", "/v1/messages/batches"],
  ["POST", "/v1/messages/../files"],
  ["GET", "http://169.254.169.254/latest/meta-data"],
  ["DELETE", "/v1/models/x"],
])("%s %s does not pass", async (method, path) => {
  const server = await model(() => step);
  const { gateway } = await gatewayTo(server.url);
  const status = await new Promise<number>((resolve, reject) => {
    const asked = request({ socketPath: gateway.socket, path, method }, (answer) => resolve(answer.statusCode ?? 0));
    asked.on("error", reject);
    asked.end();
  });
  expect(status).toBe(404);
  expect([server.log.length, server.others]).toEqual([0, []]);
});

test("a tunnel to another host is refused", async () => {
  const server = await model(() => step);
  const { gateway } = await gatewayTo(server.url);
  const said = await new Promise<string>((resolve) => {
    const socket = connect(gateway.socket, () => socket.write("CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: x\r\n\r\n"));
    socket.once("data", (data) => resolve(data.toString()));
  });
  expect(said).toContain("403");
});

test("a provider that cannot be reached is a provider error, and costs nothing", async () => {
  const rig = await gatewayTo("http://127.0.0.1:9");
  const { status, text } = await post(rig, "/v1/messages", messages(true));
  expect([status, JSON.parse(text).error.type]).toEqual([502, "api_error"]);
  expect(total(rig.gateway.usage())).toBe(0);
});

test.each([
  [true, 0],
  [false, 1000],
])("one that takes the request and breaks off may have answered it (streamed: %s)", async (stream, output) => {
  const url = await provider((response) => response.destroy());
  const rig = await gatewayTo(url);
  expect((await post(rig, "/v1/messages", messages(stream))).status).toBe(502);
  const { inputTokens = 0, outputTokens = 0 } = rig.gateway.usage() ?? {};
  expect(inputTokens).toBeGreaterThan(0);
  expect(outputTokens).toBeGreaterThanOrEqual(output);
  expect(rig.gateway.usage()).toMatchObject({ isEstimate: true });
});
