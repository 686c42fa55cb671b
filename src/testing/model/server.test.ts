// The scripted model as an agent sees it: over HTTP, in both wire formats, with every fault.
import { afterEach, describe, expect, test } from "vitest";
import {
  byMarker,
  type Fault,
  type ModelServer,
  queue,
  rounds,
  type Script,
  type Step,
  startModelServer,
} from "./index.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function start(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  servers.push(server);
  return server;
}

const tools = [{ name: "run", input_schema: {} }];
const ask = (server: ModelServer, path: string, body: object, timeoutMs = 5000) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "x-api-key": "dummy" },
    body: JSON.stringify({ model: "m", tools, ...body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
const messages = (server: ModelServer, said: unknown = "hello", more = {}) =>
  ask(server, "/v1/messages", { messages: [{ role: "user", content: said }], ...more });
const responses = (server: ModelServer, input: unknown = "hello", more = {}) =>
  ask(server, "/v1/responses", { input, ...more });

/** The data of each event of a stream. */
async function events(response: Response): Promise<Record<string, unknown>[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)));
}

const step: Step = {
  thinking: "hm",
  text: "I will run it. 🙂".repeat(10),
  tools: [{ name: "run", input: { cmd: "ls" } }],
};

describe("an answer has the same content in one piece and in a stream", () => {
  test("for messages", async () => {
    const server = await start(() => step);
    const whole = await (await messages(server)).json();
    expect(whole).toMatchObject({
      stop_reason: "tool_use",
      content: [{ thinking: "hm" }, { text: step.text }, { name: "run" }],
    });
    const stream = await events(await messages(server, "hello", { stream: true }));
    expect(stream.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["message_start", "message_delta", "message_stop"]),
    );
    const deltas = stream.map((event) => (event["delta"] ?? {}) as Record<string, string>);
    expect(deltas.map(({ text = "" }) => text).join("")).toBe(step.text);
    expect(JSON.parse(deltas.map(({ partial_json = "" }) => partial_json).join(""))).toEqual({ cmd: "ls" });
  });

  test("for responses", async () => {
    const server = await start(() => ({
      ...step,
      tools: [...(step.tools ?? []), { name: "apply_patch", input: "*** x" }],
    }));
    const whole = (await (await responses(server)).json()) as { output: { type: string }[] };
    const kinds = ["reasoning", "message", "function_call", "custom_tool_call"];
    expect(whole.output.map(({ type }) => type)).toEqual(kinds);
    const stream = await events(await responses(server, "hello", { stream: true }));
    expect(stream.map((event) => event["delta"] ?? "").join("")).toBe(step.text);
    expect(stream.at(-1)).toMatchObject({ type: "response.completed", sequence_number: stream.length - 1 });
  });
});

test("usage is exact: the answer and the log agree", async () => {
  const server = await start(() => ({ text: "x" }));
  const long = "y".repeat(20_000);
  const first = (await (await messages(server, long)).json()) as { usage: Record<string, number> };
  const second = (await (await messages(server, `${long} and more`)).json()) as { usage: Record<string, number> };
  expect(first.usage["cache_read_input_tokens"]).toBe(0);
  expect(second.usage["cache_read_input_tokens"]).toBeGreaterThan(4000);
  const total = (key: string) => (first.usage[key] ?? 0) + (second.usage[key] ?? 0);
  expect(server.used()).toEqual({
    input: total("input_tokens"),
    output: total("output_tokens"),
    cacheRead: total("cache_read_input_tokens"),
    cacheWrite: total("cache_creation_input_tokens"),
  });
  expect(server.used(({ number }) => number === 1).input).toBe(first.usage["input_tokens"]);
  const given = await start(() => ({ text: "x", usage: { input: 7, output: 8, cacheRead: 9, cacheWrite: 0 } }));
  await messages(given);
  expect(given.used()).toEqual({ input: 7, output: 8, cacheRead: 9, cacheWrite: 0 });
});

describe("scripts", () => {
  const say = async (response: Promise<Response>) =>
    ((await (await response).json()) as { content: [{ text: string }] }).content[0].text;

  test("a queue advances with each request of the conversation, and repeats its last step", async () => {
    const server = await start(queue(["one", "two"]));
    expect([await say(messages(server)), await say(messages(server)), await say(messages(server))]).toEqual([
      "one",
      "two",
      "two",
    ]);
  });

  test("a request without tools does not advance", async () => {
    const server = await start(queue(["one", "two"]));
    expect(await say(messages(server, "a title, please", { tools: [] }))).toBe("ok");
    expect(await say(messages(server))).toBe("one");
    expect(server.log.map(({ side }) => side)).toEqual([true, false]);
  });

  test("rounds are counted in the request, so a killed and resumed agent gets the step that fits", async () => {
    const server = await start(rounds(["zero", "one", "two"]));
    const result = { type: "tool_result", tool_use_id: "t", content: "out" };
    const talk = (...said: unknown[]) =>
      say(ask(server, "/v1/messages", { messages: said.map((content) => ({ role: "user", content })) }));
    expect(await talk("do it", [result], [result])).toBe("two");
    expect(await talk("do it", [result])).toBe("one");
    expect(await talk("do it", [result], "again")).toBe("zero");
    expect(await talk("do it", [result, { type: "text", text: "<system-reminder>x</system-reminder>" }])).toBe("one");
    expect(await talk("do it", [result, { type: "text", text: "go on" }])).toBe("zero");
    expect(server.log[0]).toMatchObject({
      rounds: 2,
      lastPrompt: "do it",
      lastToolResult: "out",
      credential: "x-api-key",
    });
  });

  test("rounds of responses: parallel calls are one", async () => {
    const seen: number[] = [];
    const server = await start((request) => {
      seen.push(request.rounds);
      return "x";
    });
    const out = { type: "function_call_output", call_id: "c", output: "x" };
    const user = { role: "user", content: [{ type: "input_text", text: "go" }] };
    await responses(server, [user, out, out, { type: "function_call" }, out]);
    await responses(server, [user, out, user]);
    expect(seen).toEqual([2, 0]);
  });

  test("a marker in the prompt picks the script, for several conversations at once", async () => {
    const server = await start(byMarker({ "[a]": queue(["a1", "a2"]), "[b]": queue(["b1", "b2"]) }, () => "else"));
    const said = [];
    for (const prompt of ["[a] x", "[b] x", "[a] y", "[b] y", "z"]) said.push(await say(messages(server, prompt)));
    expect(said).toEqual(["a1", "b1", "a2", "b2", "else"]);
  });

  test("a fault with a count holds its step until it is used up", async () => {
    for (const kind of [queue, rounds]) {
      const server = await start(kind([{ text: "one", fault: { status: 529, times: 2 } }, "two"]));
      expect((await messages(server)).status).toBe(529);
      expect((await messages(server)).status).toBe(529);
      expect(await say(messages(server))).toBe("one");
    }
  });

  test("a script that throws is distinct from every scripted failure", async () => {
    const server = await start(() => {
      throw new Error("mistake");
    });
    expect((await messages(server)).status).toBe(418);
  });
});

describe("faults", () => {
  test.each<[string, Fault, number, string]>([
    ["a status", { status: 401, message: "no key" }, 401, "no key"],
    ["a body", { status: 429, body: { error: "mine" }, headers: { "retry-after": "7" } }, 429, "mine"],
  ])("%s", async (_, fault, status, text) => {
    const server = await start(() => ({ text: "x", fault }));
    for (const response of [await messages(server), await responses(server, "x", { stream: true })]) {
      expect(response.status).toBe(status);
      expect(await response.text()).toContain(text);
    }
    expect(server.used()).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(server.log.map(({ sent }) => sent)).toEqual(["refused", "refused"]);
  });

  test("no answer, and silence after part of one, last until the client leaves", async () => {
    for (const fault of [{ hang: true }, { stall: 2 }] as const) {
      const server = await start(() => ({ text: "x", fault }));
      const body = { messages: [{ role: "user", content: "x" }], stream: true };
      const asked = ask(server, "/v1/messages", body, 300).then((response) => response.text());
      await expect(asked).rejects.toThrow(/timeout|abort/i);
    }
  });

  test("a dropped connection", async () => {
    const server = await start(() => ({ text: "x", fault: { drop: 2 } }));
    await expect(messages(server, "x", { stream: true }).then((response) => response.text())).rejects.toThrow();
    await expect(messages(server)).rejects.toThrow();
    expect(server.log.map(({ sent }) => sent)).toEqual(["dropped", "dropped"]);
  });

  test("an error in the stream", async () => {
    const server = await start(() => ({
      text: "x",
      fault: { sse: { type: "error", error: { type: "overloaded_error" } } },
    }));
    const stream = await events(await messages(server, "x", { stream: true }));
    expect(stream.map(({ type }) => type)).toEqual(["message_start", "error"]);
  });
});

test("any other request gets an answer and is logged", async () => {
  const server = await start(() => "x");
  expect((await fetch(`${server.url}/api/hello`)).status).toBe(404);
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(200);
  expect((await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{" })).status).toBe(404);
  expect(await (await ask(server, "/v1/messages/count_tokens", {})).json()).toEqual({
    input_tokens: expect.any(Number),
  });
  expect(server.others).toEqual(["GET /api/hello", "GET /v1/models", "POST /v1/messages"]);
  expect(server.log).toEqual([]);
});
