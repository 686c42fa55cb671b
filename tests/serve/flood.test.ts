// Ten thousand deliveries, and senders that never finish: the queue stays within its bound, memory stays flat, and the
// server still answers.
import { createHmac, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queueMax } from "../../src/serve/triggers/accept.ts";
import { Project, until } from "../support/project.ts";
import { evaluator, sampleFiles } from "../support/sample.ts";
import { Served } from "./served.ts";

const secret = "0123456789abcdef0123456789abcdef";
/** Its runs rest before anything is built. */
const yaml = `${sampleFiles([], [])["loop.yaml"]}gates: [G1]
triggers:
  - { name: any, webhook: { from: json, secret_env: HOOK_SECRET }, request: "Add a function f001() to src/F001.js that returns 'F001'" }
`;

let project: Project;
let served: Served;
let path: string;
const agent = new Agent({ keepAlive: false, maxSockets: 20 });

beforeAll(async () => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([evaluator], [], { "loop.yaml": yaml });
  project = new Project(files);
  expect((await project.loop("serve", "--add", project.root)).code).toBe(0);
  served = await Served.start(project, ["--hooks-port", "0"], { HOOK_SECRET: secret });
  const { workspaces } = await served.get<{ workspaces: { id: string }[] }>("/workspaces");
  path = `/hooks/${workspaces[0]?.id}/any`;
});
afterAll(async () => {
  agent.destroy();
  await project.loop("serve", "--remove", project.root);
  await served.stop();
  await until("no process left", () => project.strays().length === 0, 120_000);
  project.remove();
});

const signed = (body: string): string => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function deliver(body: string, signature = signed(body)): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "X-Hub-Signature-256": signature, "X-Delivery-Id": randomUUID() };
    const asking = request({ host: "127.0.0.1", port: served.hooksPort, path, method: "POST", headers, agent });
    asking.once("error", reject);
    asking.once("response", (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    asking.end(body);
  });
}

/** How often each status came. */
async function flood(count: number, send: (index: number) => Promise<number>): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  let index = 0;
  const sender = async (): Promise<void> => {
    while (index < count) {
      const status = await send(index++);
      seen[status] = (seen[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, sender));
  return seen;
}

type Firings = { queued: number; firings: { id: string }[]; refusals: object[] };
const memoryMb = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${served.process.pid}/status`, "utf8"))?.[1]) / 1024;
const logBytes = (): number => fs.statSync(join(project.home, "state/loopwright/serve/firings.jsonl")).size;

test("of 10,000 deliveries no forged, repeated or excessive one begins a run", { timeout: 900_000 }, async () => {
  const forged = await flood(4000, (index) => deliver(`{"n":${index}}`, `sha256=${"0".repeat(64)}`));
  expect(Object.keys(forged).sort()).toEqual(["401", "429"]);
  expect((await served.get<Firings>("/firings")).firings).toEqual([]);
  const before = memoryMb();

  const repeated = await flood(3000, () => deliver('{"again":true}'));
  expect(repeated).toEqual({ 200: 2999, 202: 1 });

  const many = await flood(3000, (index) => deliver(`{"n":${index}}`));
  const { queued, firings, refusals } = await served.get<Firings>("/firings");
  expect(Object.keys(many).sort()).toEqual(["202", "429"]);
  expect(queued).toBeLessThanOrEqual(queueMax);
  expect(firings).toHaveLength(1 + (many[202] ?? 0));
  expect(refusals).toEqual([]);
  // A run for each that was accepted, at most: what was refused left nothing behind.
  expect(project.runs().length).toBeLessThanOrEqual(firings.length);
  expect(logBytes()).toBeLessThan(firings.length * 4000);
  expect(memoryMb() - before).toBeLessThan(100);
  expect((await served.raw("/api/v1/workspaces", { headers: served.bearer() })).status).toBe(200);
});

test("senders that never finish are cut off, and keep no one else waiting", { timeout: 300_000 }, async () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n`;
  const slow = (text: string): Socket => {
    const socket = connect(served.hooksPort ?? 0, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.write(text);
    return socket;
  };
  // More than the port takes at once: some send half a head, some half a body.
  const sockets = Array.from({ length: 250 }, (_, index) => slow(index % 2 === 0 ? head : `${head}\r\n{`));
  expect((await served.raw("/api/v1/workspaces", { headers: served.bearer() })).status).toBe(200);
  await Promise.all(
    sockets.map((socket) => (socket.closed ? null : new Promise((resolve) => socket.once("close", resolve)))),
  );
  expect([200, 202, 429]).toContain(await deliver('{"after":"the slow ones"}'));
});
