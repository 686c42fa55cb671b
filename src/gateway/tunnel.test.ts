// Tunnels through the gateway: only to hosts on the list, whatever the spelling.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Gateway, startGateway } from "./gateway.ts";
import { isRegistry, registries, targetOf } from "./registries.ts";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A registry that repeats what it is sent. */
async function registry(): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (bytes) => socket.write(`you said ${bytes}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open };
}

async function gatewayTo(hosts: readonly string[]): Promise<{ gateway: Gateway; record: string }> {
  const dir = mkdtempSync(join(tmpdir(), "loop-tunnel-"));
  const record = join(dir, "hosts.jsonl");
  const own = {
    upstreams: {},
    costUsdMax: null,
    tokensMax: null,
    record: join(dir, "metered.jsonl"),
    cost: () => null,
    costAtMost: () => 0,
    longestAnswer: () => null,
  };
  const gateway = await startGateway({ ...own, hosts, hostsRecord: record });
  ends.push(async () => {
    await gateway.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { gateway, record };
}

/** What comes back once `wanted` has, or when the connection ends. */
function ask(gateway: Gateway, target: string, say: string, wanted: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(gateway.socket);
    let heard = "";
    const end = (): void => {
      socket.destroy();
      resolve(heard);
    };
    socket.on("error", end);
    socket.on("close", end);
    socket.on("data", (bytes) => {
      heard += bytes;
      if (heard.endsWith("Established\r\n\r\n")) socket.write(say);
      if (wanted.test(heard)) end();
    });
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  });
}

test("a listed host is reached, looked up outside, and on record", async () => {
  const { port } = await registry();
  const { gateway, record } = await gatewayTo([`localhost:${port}`]);
  expect(await ask(gateway, `LocalHost:${port}`, "hello", /you said hello/)).toContain("you said hello");
  expect(gateway.refusedHosts()).toEqual([]);
  expect(readFileSync(record, "utf8")).toBe(`{"host":"LocalHost:${port}","how":"passed"}\n`);
});

test.each([
  { what: "another host", at: (port: number) => `127.0.0.1:${port}` },
  { what: "another port", at: () => "localhost:22" },
  { what: "a user before the host", at: (port: number) => `localhost:${port}@127.0.0.1:${port}` },
  { what: "a host below it", at: (port: number) => `x.localhost:${port}` },
  { what: "a trailing dot", at: (port: number) => `localhost.:${port}` },
  { what: "no port", at: () => "localhost" },
  { what: "a port with a zero before it", at: (port: number) => `localhost:0${port}` },
  { what: "an address in brackets", at: (port: number) => `[::1]:${port}` },
  { what: "a path", at: (port: number) => `localhost:${port}/x` },
])("$what is refused, and named once", async ({ at }) => {
  const { port, open } = await registry();
  const { gateway, record } = await gatewayTo([`localhost:${port}`]);
  const target = at(port);
  for (let times = 0; times < 2; times += 1)
    expect(await ask(gateway, target, "hello", /you said/)).toMatch(/^HTTP\/1\.1 403 /);
  expect(gateway.refusedHosts()).toEqual([target]);
  expect(readFileSync(record, "utf8").trim().split("\n")).toEqual([JSON.stringify({ host: target, how: "refused" })]);
  expect(open.size).toBe(0);
});

test("without a list every host is refused", async () => {
  const { port } = await registry();
  const { gateway } = await gatewayTo([]);
  expect(await ask(gateway, `localhost:${port}`, "hello", /you said/)).toMatch(/^HTTP\/1\.1 403 /);
});

test("a host that does not answer is a gateway's error", async () => {
  const { gateway } = await gatewayTo(["localhost:1"]);
  expect(await ask(gateway, "localhost:1", "hello", /you said/)).toMatch(/^HTTP\/1\.1 502 /);
});

test("tunnels end with the gateway", async () => {
  const { port } = await registry();
  const { gateway } = await gatewayTo([`localhost:${port}`]);
  const over = ask(gateway, `localhost:${port}`, "hello", /never/);
  const passed = ask(gateway, `localhost:${port}`, "hello", /you said/);
  await passed;
  await gateway.close();
  expect(await over).not.toContain("never");
});

test("the built-in list is https only, and holds names that can be asked for", () => {
  for (const host of registries) {
    expect(isRegistry(targetOf(`${host}:443`) ?? { host: "", port: 0 }, registries), host).toBe(true);
    expect(isRegistry(targetOf(`${host}:22`) ?? { host: "", port: 0 }, registries), host).toBe(false);
  }
});
