// How long an answer may be is not the agent's choice.
import { expect, test } from "vitest";
import { chosen, cost, costAtMost, gatewayTo, gpt, messages, post, provider } from "../testing/gateway-rig.ts";

const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const endless = {
  messages: { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(400) } },
  responses: { type: "response.output_text.delta", delta: "x".repeat(400) },
  chat: { choices: [{ delta: { content: "x".repeat(400) } }] },
};
const asks = { model: gpt, stream: true, input: "x", messages: [] };
test.each([
  ["of a billion tokens", "/v1/messages", endless.messages, messages(true, { max_tokens: 1e9 }), 64_000],
  ["of a billion tokens", "/v1/responses", endless.responses, { ...asks, max_output_tokens: 1e9 }, 128_000],
  ["of a billion tokens", "/v1/chat/completions", endless.chat, { ...asks, max_completion_tokens: 1e9 }, 128_000],
  ["whose length is not said", "/v1/responses", endless.responses, asks, 128_000],
  ["by an unknown model", "/v1/messages", endless.messages, messages(true, { model: chosen, max_tokens: 1e9 }), null],
])("a stream without end %s at %s stops at the budget", async (_, path, event, body, longest) => {
  const limits: unknown[] = [];
  const url = await provider((response, _headers, sent) => {
    const said = JSON.parse(sent) as Record<string, unknown>;
    limits.push(said["max_tokens"] ?? said["max_output_tokens"] ?? said["max_completion_tokens"]);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write(`data: ${JSON.stringify(event)}\n\n`), 1);
    response.on("close", () => clearInterval(timer));
  });
  const cap = 0.3;
  const rig = await gatewayTo(url, cap);
  await post(rig, path, body);
  const tokens = { ...none, outputTokens: 1e6 };
  const million = cost(body.model, tokens) ?? costAtMost(body.model, tokens);
  expect(limits).toEqual([Math.min(Math.floor((cap / million) * 1e6), longest ?? Number.POSITIVE_INFINITY)]);
  expect(rig.gateway.spent()).toBe("cost");
  expect(rig.gateway.usage()?.costUsd).toBeLessThan(cap + (million * 200) / 1e6);
});

test("no answer is asked for that is longer than its model's longest", async () => {
  const asked: unknown[] = [];
  const url = await provider((response, _headers, sent) => {
    asked.push((JSON.parse(sent) as Record<string, unknown>)["max_tokens"]);
    response.end(JSON.stringify({ usage: { input_tokens: 1, output_tokens: 1 } }));
  });
  const rig = await gatewayTo(url, 100);
  for (const most of [1e9, 64_000, 1000]) await post(rig, "/v1/messages", messages(false, { max_tokens: most }));
  expect(asked).toEqual([64_000, 64_000, 1000]);
});

test("reasoning is shortened with the answer, and leaves something of it", async () => {
  const asked: unknown[] = [];
  const url = await provider((response, _headers, sent) => {
    const { max_tokens: most, thinking } = JSON.parse(sent) as Record<string, unknown>;
    asked.push({ most, thinking });
    response.end(JSON.stringify({ usage: { input_tokens: 1, output_tokens: 1 } }));
  });
  const thinking = { type: "enabled", budget_tokens: 30_000 };
  const body = messages(false, { max_tokens: 32_000, thinking });
  expect((await post(await gatewayTo(url, 0.15), "/v1/messages", body)).status).toBe(200);
  expect(asked).toEqual([{ most: 10_000, thinking: { type: "enabled", budget_tokens: 5000 } }]);
  expect((await post(await gatewayTo(url, 0.02), "/v1/messages", body)).status).toBe(402);
});
