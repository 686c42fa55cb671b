// What an answer is charged for besides its plain tokens, and what is taken out of a request because nothing counts it.
import { expect, test } from "vitest";
import { gatewayTo, messages, model, post, provider, responses } from "../testing/gateway-rig.ts";

test("a model without a known price counts as the dearest of its provider, and is named", async () => {
  const server = await model(() => ({ text: "x" }));
  const capped = await gatewayTo(server.url, 100);
  expect((await post(capped, "/v1/messages", { ...messages(false), model: "o9-ultra" })).status).toBe(200);
  expect(capped.gateway.unpriced()).toEqual(["o9-ultra"]);
  const { inputTokens = 0, outputTokens = 0, costUsd } = capped.gateway.usage() ?? {};
  expect(outputTokens).toBeGreaterThan(0);
  expect(costUsd).toBeGreaterThanOrEqual((inputTokens * 15 + outputTokens * 75) / 1e6);
});

test("what costs more and is not counted is taken out of a request", async () => {
  const seen: Record<string, unknown>[] = [];
  const url = await provider((response, _, body) => {
    seen.push(JSON.parse(body));
    response.end("{}");
  });
  const rig = await gatewayTo(url);
  const tools = [
    { type: "web_search_20250305", name: "web_search" },
    { type: "code_execution_20250825", name: "code_execution" },
    { name: "Bash", input_schema: {} },
  ];
  await post(rig, "/v1/messages", { ...messages(false), speed: "fast", service_tier: "priority", tools });
  expect(seen[0]).toEqual({ ...messages(false), tools: [tools[0], tools[2]] });
  const own = [
    { type: "custom", name: "apply_patch" },
    { type: "shell", environment: { type: "local" } },
  ];
  const hosted = [{ type: "image_generation" }, { type: "shell", environment: { type: "container_auto" } }];
  const more = { tools: [...own, ...hosted], service_tier: "flex" };
  await post(rig, "/v1/responses", { ...responses(false), ...more });
  expect(seen[1]).toEqual({ ...responses(false), tools: own, service_tier: "flex" });
});

const pass = { input_tokens: 100_000, output_tokens: 10_000 };
const few = { input_tokens: 10, output_tokens: 10 };
test.each([
  { what: "passes that its own numbers leave out", usage: { ...few, iterations: [pass, pass] }, costUsd: 0.9 },
  { what: "50 searches", usage: { ...few, server_tool_use: { web_search_requests: 50 } }, costUsd: 0.50018 },
  { what: "an answer made in one region", usage: { ...pass, inference_geo: "us" }, costUsd: 0.495 },
  {
    what: "more input than the lower price is for",
    usage: { input_tokens: 600_000, output_tokens: 1000 },
    costUsd: 3.6225,
  },
])("an answer is charged for $what", async ({ usage, costUsd }) => {
  const events = [
    { type: "message_start", message: { usage: few } },
    { type: "message_delta", usage },
    { type: "message_stop" },
  ];
  const url = await provider((response, _, body) => {
    const isStream = JSON.parse(body).stream === true;
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(
      isStream ? events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("") : JSON.stringify({ usage }),
    );
  });
  for (const stream of [true, false]) {
    const rig = await gatewayTo(url);
    await post(rig, "/v1/messages", { ...messages(stream), model: "claude-sonnet-4-5" });
    // Passes are priced together: two of 100,000 tokens are not above the bound.
    expect(rig.gateway.usage()?.costUsd).toBeCloseTo(costUsd, 4);
    expect(rig.gateway.usage()?.isEstimate).toBeUndefined();
  }
});

test("searches by OpenAI's own tool are charged", async () => {
  const search = { type: "web_search_call" };
  const usage = { input_tokens: 10, output_tokens: 10 };
  const events = [
    { type: "response.output_item.done", item: search },
    { type: "response.output_item.done", item: search },
    { type: "response.completed", response: { usage, output: [search, search] } },
  ];
  const url = await provider((response, _, body) => {
    const isStream = JSON.parse(body).stream === true;
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    const whole = JSON.stringify({ usage, output: [search, search] });
    response.end(isStream ? events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("") : whole);
  });
  for (const stream of [true, false]) {
    const rig = await gatewayTo(url);
    await post(rig, "/v1/responses", responses(stream));
    expect(rig.gateway.usage()?.costUsd).toBeCloseTo(0.02 + 10 * 35e-6, 6);
  }
});

test.each([-1_000_000, 1e15])("a count of %d is none: the answer is estimated", async (output_tokens) => {
  const text = "x".repeat(4000);
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 100, output_tokens: 1 } } },
    { type: "content_block_delta", delta: { type: "text_delta", text } },
    { type: "message_delta", usage: { output_tokens } },
    { type: "message_stop" },
  ];
  const url = await provider((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(""));
  });
  const rig = await gatewayTo(url);
  await post(rig, "/v1/messages", messages(true));
  expect(rig.gateway.usage()).toMatchObject({ isEstimate: true });
  expect(rig.gateway.usage()?.outputTokens).toBeGreaterThanOrEqual(1000);
});
