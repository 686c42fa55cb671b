// No session spends more than its budget through the gateway, whatever the agent and the model do.
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { createGzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  chosen,
  cost,
  costAtMost,
  gatewayTo,
  gpt,
  messages,
  model,
  newRecord,
  post,
  provider,
  responses,
  sonnet,
  total,
  totalOf,
} from "../testing/gateway-rig.ts";
import { Metered } from "./metered.ts";

describe("money", () => {
  const reservationOf = (body: ReturnType<typeof messages>): number =>
    cost(sonnet, {
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: Math.ceil(JSON.stringify(body).length / 2),
      outputTokens: body.max_tokens,
    }) ?? Number.NaN;

  test("20 requests at once at the edge of the budget: at most one reservation over, and the rest is refused", async () => {
    let open = 0;
    let most = 0;
    // The dearest answer that the request allows.
    const server = await model(async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 200));
      open -= 1;
      return { text: "x", usage: { input: 40, output: 1000, cacheRead: 0, cacheWrite: 0 } };
    });
    const body = messages(true);
    const reservation = reservationOf(body);
    const cap = reservation * 2.5;
    const rig = await gatewayTo(server.url, cap);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(rig, "/v1/messages", body)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(3);
    expect(most).toBe(3);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 402, text: expect.stringContaining('"type":"billing_error"') });
    expect(rig.gateway.spent()).toBe("cost");
    expect(rig.gateway.usage()?.costUsd).toBeLessThanOrEqual(cap + reservation);
    expect(total(rig.gateway.usage())).toBe(totalOf(server));
  });

  test("a model without a known price counts as the dearest, in the budget and in the ledger", async () => {
    const server = await model(() => ({ text: "x", usage: { input: 100, output: 900, cacheRead: 0, cacheWrite: 0 } }));
    const rig = await gatewayTo(server.url, 1.5);
    const asked = { model: chosen, max_tokens: 1000, messages: [{ role: "user", content: "x" }] };
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await post(rig, "/v1/messages", asked)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(4);
    expect(statuses.at(-1)).toBe(402);
    const dearest = costAtMost(chosen, { ...none, inputTokens: 100, outputTokens: 900 });
    const passed = statuses.filter((status) => status === 200).length;
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true, inputTokens: 100 * passed });
    expect(rig.gateway.usage()?.costUsd).toBeCloseTo(dearest * passed, 9);
    const next = await gatewayTo(server.url, 1.5, rig.record);
    expect((await post(next, "/v1/messages", asked)).status).toBe(402);
  });

  test.each([true, false])("an answer that is compressed all the same is counted (streamed: %s)", async (stream) => {
    const usage = { input_tokens: 10, output_tokens: 20 };
    const events = [{ type: "message_start", message: { usage } }, { type: "message_stop" }];
    const text = stream
      ? events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("")
      : JSON.stringify({ usage });
    const url = await provider((response) => {
      response.writeHead(200, {
        "content-type": stream ? "text/event-stream" : "application/json",
        "content-encoding": "gzip",
      });
      response.end(gzipSync(text));
    });
    const rig = await gatewayTo(url);
    const answer = await post(rig, "/v1/messages", messages(stream));
    expect([answer.text, answer.headers["content-encoding"]]).toEqual([text, undefined]);
    expect(rig.gateway.usage()).toMatchObject({ inputTokens: 10, outputTokens: 20 });
  });

  test("a compressed stream that is cut for the budget ends at the provider", async () => {
    let isLeft = false;
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const packed = createGzip();
      packed.pipe(response);
      const write = (data: object): void => {
        packed.write(`data: ${JSON.stringify(data)}\n\n`);
        packed.flush();
      };
      write({ type: "message_start", message: { usage: { input_tokens: 50, output_tokens: 1 } } });
      const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(4000) } };
      const timer = setInterval(() => write(delta), 1);
      response.on("close", () => {
        isLeft = true;
        clearInterval(timer);
      });
    });
    const rig = await gatewayTo(url, 0.05);
    expect((await post(rig, "/v1/messages", messages(true))).text.slice(-200)).toContain('"type":"error"');
    await expect.poll(() => isLeft).toBe(true);
  });

  test("an answer in a coding that cannot be read is counted by its length", async () => {
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "zstd" });
      response.end("x".repeat(4000));
    });
    const rig = await gatewayTo(url);
    expect((await post(rig, "/v1/messages", messages(true))).text).toHaveLength(4000);
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true, outputTokens: 1000 });
  });

  test("a line of an earlier version, without a cost, counts as the dearest", async () => {
    const record = newRecord();
    const tokens = { ...none, outputTokens: 1_000_000 };
    writeFileSync(
      record,
      `${JSON.stringify({ id: "1", model: "unheard-of", how: "answered", tokens, costUsd: null })}\n`,
    );
    const rig = await gatewayTo("http://127.0.0.1:9", 1, record);
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true, costUsd: costAtMost(chosen, tokens) });
    expect((await post(rig, "/v1/messages", messages(true))).status).toBe(402);
  });

  test.each([
    ["in one piece", false, { content: [{ type: "text", text: "x".repeat(4000) }] }],
    ["in one piece, with a count that is no count", false, { usage: { input_tokens: "?" }, text: "x".repeat(4000) }],
    ["streamed", true, { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(4000) } }],
  ])("an answer without the provider's count, %s, is counted by its length", async (_what, stream, said) => {
    const url = await provider((response) => {
      const text = JSON.stringify(said);
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      response.end(stream ? `data: ${text}\n\n` : text);
    });
    const rig = await gatewayTo(url);
    await post(rig, "/v1/messages", messages(stream));
    const usage = rig.gateway.usage();
    expect(usage).toMatchObject({ isEstimate: true });
    expect(usage?.inputTokens).toBe(Math.ceil(JSON.stringify(messages(stream)).length / 4));
    expect(usage?.outputTokens).toBeGreaterThanOrEqual(1000);
    expect(usage?.costUsd).toBeGreaterThan(0);
  });

  test("an answer that the agent does not wait for costs what the request allows, because the provider may finish it", async () => {
    let taken = 0;
    const url = await provider(() => {
      taken += 1;
    });
    const body = messages(false);
    const dearest = cost(sonnet, {
      ...none,
      inputTokens: Math.ceil(JSON.stringify(body).length / 4),
      outputTokens: 1000,
    });
    const rig = await gatewayTo(url, (dearest ?? 0) * 2.5);
    const leave = (): Promise<unknown> =>
      new Promise((resolve) => {
        const asked = request({ socketPath: rig.gateway.socket, path: "/v1/messages", method: "POST" }, resolve);
        asked.on("error", () => {});
        asked.on("close", () => resolve(null));
        const before = taken;
        asked.end(JSON.stringify(body));
        const watch = setInterval(() => {
          if (taken === before) return;
          clearInterval(watch);
          asked.destroy();
        }, 5);
        asked.on("close", () => clearInterval(watch));
        asked.on("response", () => clearInterval(watch));
      });
    for (const count of [1, 2]) {
      await leave();
      await expect.poll(() => rig.gateway.usage()?.costUsd).toBeCloseTo((dearest ?? 0) * count, 9);
    }
    // The third is allowed no more than what is left.
    await leave();
    await expect.poll(() => rig.gateway.usage()?.outputTokens).toBeGreaterThan(2400);
    expect((await post(rig, "/v1/messages", body)).status).toBe(402);
    expect(taken).toBe(3);
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true });
    expect(rig.gateway.usage()?.outputTokens).toBeLessThan(2600);
  });

  test.each([
    ["an answer in the background, which would not be counted,", "/v1/responses", { background: true }],
    ["a request for several answers, which would be set aside as one,", "/v1/chat/completions", { n: 128 }],
    ["a number of answers that cannot be read", "/v1/chat/completions", { n: "2" }],
  ])("%s is refused", async (_, path, more) => {
    const server = await model(() => "x");
    const rig = await gatewayTo(server.url, 1);
    expect((await post(rig, path, { model: gpt, input: "x", ...more })).status).toBe(400);
    expect(server.log).toEqual([]);
  });

  const plain = (more: object): object => ({ ...messages(true), ...more });
  const part = (content: object): object => plain({ messages: [{ role: "user", content: [content] }] });
  const url = "https://example.org/large.pdf";
  test.each([
    ["a document by its address", "/v1/messages", part({ type: "document", source: { type: "url", url } })],
    ["a picture by its address", "/v1/messages", part({ type: "image", source: { type: "url", url } })],
    ["an uploaded file", "/v1/messages", part({ type: "document", source: { type: "file", file_id: "f" } })],
    ["one in a result", "/v1/messages", part({ type: "tool_result", content: [{ type: "container_upload" }] })],
    ["a server's tools", "/v1/messages", plain({ mcp_servers: [{ type: "url", url, name: "x" }] })],
    ["a tool of the provider's", "/v1/messages", plain({ tools: [{ type: "web_fetch_20250910", name: "web_fetch" }] })],
    ["an earlier answer", "/v1/responses", { ...responses(true), previous_response_id: "r" }],
    ["an item by its name", "/v1/responses", { ...responses(true), input: [{ type: "item_reference", id: "i" }] }],
    [
      "a picture in a chat",
      "/v1/chat/completions",
      {
        ...{ model: gpt, stream: true, max_tokens: 100 },
        messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
      },
    ],
  ])("%s may stand for any input: one request at a time passes", async (_, path, body) => {
    let taken = 0;
    const url = await provider((response) => {
      taken += 1;
      setTimeout(() => response.end(JSON.stringify({ usage: { input_tokens: 400_000, output_tokens: 1 } })), 50);
    });
    const rig = await gatewayTo(url, 0.25);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(rig, path, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(taken).toBe(1);
  });

  test("input that is whole in the request is set aside by its size", async () => {
    const source = { type: "base64", media_type: "image/png", data: "x".repeat(400) };
    const tools = [
      { name: "Bash", input_schema: { type: "object" } },
      { type: "bash_20250124", name: "bash" },
    ];
    const content = [{ type: "tool_result", tool_use_id: "1", content: [{ type: "image", source }] }];
    const server = await model(() => ({ text: "x", usage: { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 } }));
    const rig = await gatewayTo(server.url, 1);
    const body = { ...plain({ tools }), messages: [{ role: "user", content }] };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(rig, "/v1/messages", body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test("reasoning that is not shown costs what its time allows, when the agent hangs up", async () => {
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ type: "response.created", response: {} })}\n\n`);
    });
    const rig = await gatewayTo(url, 1);
    await hangUp(rig, "/v1/responses", { ...responses(true), max_output_tokens: 60_000 }, 500);
    await expect.poll(() => rig.gateway.usage()?.outputTokens ?? 0).toBeGreaterThanOrEqual(80);
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true });
    expect(rig.gateway.usage()?.inputTokens).toBeGreaterThan(0);
  });

  const usage = { input_tokens: 10, output_tokens: 20 };
  const events = [{ type: "message_start", message: { usage } }, { type: "message_stop" }];
  const written = (end: string): string => events.map((data) => `data: ${JSON.stringify(data)}${end}${end}`).join("");
  test.each([
    ["lines that end in CR", written("\r")],
    ["lines that end in CR LF", written("\r\n")],
    [
      "data in several lines",
      events.map((data) => `data: ${JSON.stringify(data, null, 1).replaceAll("\n", "\ndata: ")}\n\n`).join(""),
    ],
    ["no empty line at its end", written("\n").trimEnd()],
    ["one piece instead of events", JSON.stringify({ usage })],
    [
      "a smaller count at last",
      `data: ${JSON.stringify({ type: "message_delta", usage: { output_tokens: 20 } })}\n\ndata: ${JSON.stringify({ type: "message_delta", usage: { output_tokens: 3 } })}\n\n${written("\n")}`,
    ],
  ])("a stream with %s is counted", async (_, text) => {
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(text);
    });
    const rig = await gatewayTo(url);
    expect((await post(rig, "/v1/messages", messages(true))).text).toBe(text);
    expect(rig.gateway.usage()).toMatchObject({ inputTokens: 10, outputTokens: 20 });
    expect(rig.gateway.usage()?.isEstimate).toBeUndefined();
  });

  test.each([true, false])("an empty answer costs its input (streamed: %s)", async (stream) => {
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      response.end();
    });
    const rig = await gatewayTo(url);
    await post(rig, "/v1/messages", messages(stream));
    expect(rig.gateway.usage()).toMatchObject({ isEstimate: true, inputTokens: expect.any(Number) });
    expect(rig.gateway.usage()?.inputTokens).toBeGreaterThan(0);
  });

  test("what is written to a cache for an hour costs twice the input", async () => {
    const cache = { cache_creation_input_tokens: 100_000, cache_creation: { ephemeral_1h_input_tokens: 100_000 } };
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ usage: { ...usage, ...cache } }));
    });
    const rig = await gatewayTo(url);
    await post(rig, "/v1/messages", messages(false));
    expect(rig.gateway.usage()?.costUsd).toBeCloseTo(0.6 + (10 * 3 + 20 * 15) / 1e6, 9);
  });

  test("a request that says something twice is sent as it was counted", async () => {
    let sent = "";
    const url = await provider((response, _headers, body) => {
      sent = body;
      response.end(JSON.stringify({ usage }));
    });
    const rig = await gatewayTo(url);
    await post(rig, "/v1/messages", Buffer.from(`{"model":"a","max_tokens":64000,"max_tokens":10,"messages":[]}`));
    expect(JSON.parse(sent)).toEqual({ model: "a", max_tokens: 10, messages: [] });
    expect(sent.match(/max_tokens/g)).toHaveLength(1);
  });

  test.each([-5, "100000", [1], 0, 1e308])(
    "a limit of the answer that is no number above 0 is refused: %j",
    async (most) => {
      const server = await model(() => "x");
      const rig = await gatewayTo(server.url, 1);
      expect((await post(rig, "/v1/messages", { ...messages(true), max_tokens: most })).status).toBe(400);
      expect(server.log).toEqual([]);
    },
  );

  test("tokens are never more than the cap: 40 requests at once, one by one, and an answer without end", async () => {
    // The longest answer that the request allows.
    const server = await model(({ raw }) => {
      const output = Math.min(500, Number(raw["max_tokens"]));
      return { text: "x", usage: { input: 40, output, cacheRead: 0, cacheWrite: 0 } };
    });
    const record = newRecord();
    const cap = 2000;
    const rig = await gatewayTo(server.url, null, record, cap);
    await Promise.all(Array.from({ length: 40 }, () => post(rig, "/v1/messages", messages(true))));
    for (let count = 0; count < 10; count += 1) await post(rig, "/v1/messages", messages(true));
    expect(rig.gateway.spent()).toBe("tokens");
    expect(total(rig.gateway.usage())).toBeLessThanOrEqual(cap);
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(40) } };
      const timer = setInterval(() => response.write(`data: ${JSON.stringify(delta)}\n\n`), 1);
      response.on("close", () => clearInterval(timer));
    });
    const next = await gatewayTo(url, null, record, cap + 200);
    const { text } = await post(next, "/v1/messages", messages(true));
    expect(text.slice(-200)).toContain('"type":"error"');
    expect(next.gateway.spent()).toBe("tokens");
    expect(total(next.gateway.usage())).toBeLessThanOrEqual(cap + 200 + 10);
  });

  test("OpenAI's own words for an empty budget", async () => {
    const server = await model(() => ({ text: "x", usage: { input: 1, output: 100_000 } }));
    const rig = await gatewayTo(server.url, 0.5);
    expect((await post(rig, "/v1/responses", responses(true))).status).toBe(200);
    const { status, text } = await post(rig, "/v1/responses", responses(true));
    expect([status, JSON.parse(text).error.code]).toEqual([429, "insufficient_quota"]);
    expect(server.log).toHaveLength(1);
  });

  test("a model that streams forever is cut, with an error in the stream, and what passed is counted", async () => {
    let isLeft = false;
    const url = await provider((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const usage = { input_tokens: 50, output_tokens: 1 };
      response.write(
        `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message: { usage } })}\n\n`,
      );
      const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(400) } };
      const timer = setInterval(
        () => response.write(`event: content_block_delta\ndata: ${JSON.stringify(delta)}\n\n`),
        1,
      );
      response.on("close", () => {
        isLeft = true;
        clearInterval(timer);
      });
    });
    const body = messages(true);
    const [reservation, cap] = [reservationOf(body), 0.05];
    const rig = await gatewayTo(url, cap);
    const { text } = await post(rig, "/v1/messages", body);
    expect(text.slice(-200)).toContain('"type":"error"');
    const { costUsd = null, inputTokens, outputTokens } = rig.gateway.usage() ?? {};
    expect(inputTokens).toBe(50);
    expect(outputTokens).toBe((text.match(/x{400}/g)?.length ?? 0) * 100);
    expect(costUsd).toBeLessThanOrEqual(cap + reservation + (cost(sonnet, { ...none, outputTokens: 100 }) ?? 0));
    await expect.poll(() => isLeft).toBe(true);
    expect((await post(rig, "/v1/messages", body)).status).toBe(402);
  });

  test("a storm of retries costs nothing, and the provider's headers reach the agent", async () => {
    const server = await model(() => ({ fault: { status: 529, headers: { "retry-after": "3" } } }));
    const rig = await gatewayTo(server.url, 0.01);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(rig, "/v1/messages", messages(true))));
    const passed = answers.filter(({ status }) => status === 529);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed[0]?.headers["retry-after"]).toBe("3");
    for (let count = 0; count < 20; count += 1)
      expect((await post(rig, "/v1/messages", messages(true))).status).toBe(529);
    expect(rig.gateway.usage()?.costUsd).toBe(0);
  });

  test("an agent that leaves in mid-stream pays for what passed, and the provider is told", async () => {
    const server = await model(() => ({ text: "word ".repeat(400), chunkMs: 5 }));
    const rig = await gatewayTo(server.url);
    await new Promise<void>((resolve) => {
      const options = { socketPath: rig.gateway.socket, path: "/v1/messages", method: "POST" };
      const asked = request(options, (answer) => {
        answer.on("error", () => {});
        answer.on("data", (piece) => {
          if (!String(piece).includes("word")) return;
          asked.destroy();
          resolve();
        });
      });
      asked.on("error", () => {});
      asked.end(JSON.stringify(messages(true)));
    });
    await expect.poll(() => server.log[0]?.sent).toBe("client left");
    const usage = server.log[0]?.usage;
    await expect.poll(() => rig.gateway.usage()?.outputTokens ?? 0).toBeGreaterThan(0);
    const counted = rig.gateway.usage();
    expect(counted?.inputTokens).toBe(usage?.input);
    expect(counted?.outputTokens).toBeLessThan(usage?.output ?? 0);
  });

  test("the next process of a session begins with what the last one spent, and counts it once", async () => {
    const server = await model(() => ({ text: "x", usage: { input: 1, output: 1000 } }));
    const record = newRecord();
    const first = await gatewayTo(server.url, 0.01, record);
    await post(first, "/v1/messages", messages(true));
    await first.gateway.close();
    const spent = first.gateway.usage();
    const second = await gatewayTo(server.url, 0.01, record);
    expect(second.gateway.usage()).toEqual(spent);
    expect((await post(second, "/v1/messages", messages(true))).status).toBe(402);
    expect(new Metered(record, costAtMost).usage()).toEqual(spent);
  });
});

/** Begins a request, and leaves after a while. */
const hangUp = ({ gateway }: Awaited<ReturnType<typeof gatewayTo>>, path: string, body: object, ms: number) =>
  new Promise<void>((resolve) => {
    const asked = request({ socketPath: gateway.socket, path, method: "POST" }, (answer) => answer.resume());
    asked.on("error", () => {});
    asked.on("close", () => resolve());
    asked.end(JSON.stringify(body));
    setTimeout(() => asked.destroy(), ms);
  });

const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
