// Requests that only an attacker would send. None of them gets or changes anything.
import { once } from "node:events";
import * as fs from "node:fs";
import { request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { type Asking, Served } from "./served.ts";

let project: Project;
let served: Served;
let workspace: string;
let readOnly: string;

beforeAll(async () => {
  project = new Project({ "README.md": "hello\n", "loop.yaml": "version: 1\n" });
  await project.loop("serve", "--add", project.root);
  readOnly = (await project.loop("serve", "--new-token", "tv", "--read-only")).stdout.trim();
  served = await Served.start(project);
  workspace = (await served.get<{ workspaces: { id: string }[] }>("/workspaces")).workspaces[0]?.id ?? "";
});
afterAll(async () => {
  await served.stop();
  project.remove();
});

const json = { "Content-Type": "application/json" };
const begin = JSON.stringify({ request: "Add a function" });
const runs = () => `/api/v1/workspaces/${workspace}/runs`;
const looks = ["/api/v1/workspaces", "/api/v1/openapi.json"];

describe("without a token", () => {
  test.each([
    ["nothing", {}],
    ["an empty one", { Authorization: "Bearer " }],
    ["a wrong one", { Authorization: `Bearer ${"A".repeat(43)}` }],
    ["another scheme", { Authorization: "Basic b3duZXI6b3duZXI=" }],
    ["a made-up cookie", { Cookie: `loop=owner:9999999999999:${"A".repeat(43)}` }],
    ["the token as a query", {}],
  ])("%s, looking and acting are refused", async (title, headers) => {
    const query = title.includes("query") ? `?token=${served.token}` : "";
    for (const path of looks) expect((await served.raw(`${path}${query}`, { headers })).status).not.toBe(200);
    const acting = { method: "POST", headers: { ...headers, ...json, Origin: served.origin }, body: begin };
    expect([401, 429, 400]).toContain((await served.raw(`${runs()}${query}`, acting)).status);
  });

  test("a cookie under this server's name, with a wrong or an old signature, is refused", async () => {
    const [name, value = ""] = (await served.cookie()).split("=");
    const [who, until, signed] = value.split(":");
    for (const forged of [
      `${who}:${until}:${"A".repeat(43)}`,
      `tv:${until}:${signed}`,
      `${who}:1:${signed}`,
      `${who}:${Number(until) + 1}:${signed}`,
    ])
      expect([401, 429]).toContain(
        (await served.raw("/api/v1/workspaces", { headers: { Cookie: `${name}=${forged}` } })).status,
      );
    expect((await served.raw("/api/v1/workspaces", { headers: { Cookie: `${name}=${value}` } })).status).toBe(200);
  });

  test.each(["/", "/workspaces/REAL/runs/20200101-000000.000-abcdef", "/workspaces/none/runs/none"])(
    "the page at %s says what to do, and shows nothing else",
    async (path) => {
      const { status, text } = await served.raw(path.replace("REAL", workspace));
      expect([status, text.includes("loop serve"), text]).toEqual([200, true, (await served.raw("/")).text]);
      expect(text).not.toContain(project.root);
      expect([401, 429]).toContain((await served.raw("/live")).status);
    },
  );
});

describe("under another name", () => {
  test.each([
    undefined,
    "",
    "evil.example",
    "evil.example:80",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "0.0.0.0",
    "user@127.0.0.1",
  ])("Host %s is refused, with a valid token", async (host) => {
    const headers = { ...served.bearer(), Host: host };
    const { status } = await served.raw("/api/v1/workspaces", { headers });
    expect(host === undefined ? [400, 421] : [421]).toContain(status);
    expect([400, 421]).toContain((await served.raw("/", { headers: { Host: host } })).status);
  });
});

describe("from another page", () => {
  const acts: readonly [string, Record<string, string | undefined>][] = [
    ["no Origin", {}],
    ["null", { Origin: "null" }],
    ["another site", { Origin: "https://evil.example" }],
    ["the same host at another port", { Origin: "http://127.0.0.1:1" }],
    ["the other scheme", { Origin: "SWAP" }],
    ["an Origin of ours, sent by another site", { Origin: "OWN", "Sec-Fetch-Site": "cross-site" }],
    ["an Origin of ours, sent by another port", { Origin: "OWN", "Sec-Fetch-Site": "same-site" }],
  ];
  const withOrigin = (headers: Record<string, string | undefined>) => ({
    ...headers,
    ...(headers["Origin"] === "OWN" ? { Origin: served.origin } : {}),
    ...(headers["Origin"] === "SWAP" ? { Origin: served.origin.replace("http", "https") } : {}),
  });

  test.each(acts)("acting with the person's cookie and %s is refused", async (_title, headers) => {
    const given = { ...json, ...withOrigin(headers), Cookie: await served.cookie() };
    expect((await served.raw(runs(), { method: "POST", headers: given, body: begin })).status).toBe(403);
  });

  test.each(acts.filter(([, headers]) => headers["Origin"] !== undefined && headers["Origin"] !== "OWN"))(
    "%s cannot exchange a token for a cookie",
    async (_title, headers) => {
      const body = JSON.stringify({ token: served.token });
      const answer = await served.raw("/session", {
        method: "POST",
        headers: { ...json, ...withOrigin(headers) },
        body,
      });
      expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    },
  );

  test.each(["cross-site", "same-site"])("an EventSource or image of a %s page gets nothing", async (site) => {
    const headers = { Cookie: await served.cookie(), "Sec-Fetch-Site": site, Accept: "text/event-stream" };
    for (const path of [...looks, `${runs()}/20200101-000000.000-abcdef/events`])
      expect((await served.raw(path, { headers })).status).toBe(403);
  });

  test("a link on another site leads to a page without anything in it", async () => {
    const cookie = await served.cookie();
    const headers = { Cookie: cookie, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
    const { status, text } = await served.raw("/", { headers });
    expect([status, text.includes('href="/"'), text.includes("data-live")]).toEqual([403, true, false]);
    expect((await served.raw("/live", { headers })).status).toBe(403);
    const own = { headers: { Cookie: cookie, "Sec-Fetch-Site": "same-origin" } };
    expect((await served.raw("/", own)).text).toContain("data-live");
  });

  test("no answer allows another page to read it, or to embed it", async () => {
    const preflight = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    for (const answer of [
      await served.raw(runs(), { method: "OPTIONS", headers: { ...preflight, ...served.bearer() } }),
      await served.raw("/", { headers: preflight }),
      await served.raw("/api/v1/workspaces", { headers: { ...preflight, ...served.bearer() } }),
    ]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
      expect(answer.headers["x-frame-options"]).toBe("DENY");
    }
  });
});

describe("of another kind", () => {
  test.each([
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/jsonp",
  ])("a body of type %s is refused", async (type) => {
    const headers = { ...served.bearer(), "Content-Type": type };
    expect((await served.raw(runs(), { method: "POST", headers, body: begin })).status).toBe(415);
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"])("%s is refused", async (method) => {
    expect((await served.raw("/api/v1/workspaces", { method, headers: served.bearer() })).status).toBe(405);
  });

  test("CONNECT and upgrades get no answer", async () => {
    const asking = { headers: { ...served.bearer(), Connection: "Upgrade", Upgrade: "websocket" } };
    await expect(served.raw("/api/v1/workspaces", asking)).rejects.toThrow();
  });

  test.each([
    "/api/v1/workspaces/../workspaces",
    "/api/v1/workspaces/%2e%2e/workspaces",
    "/api/v1/workspaces/..%2f..%2fetc%2fpasswd/runs",
    "/api/v1//workspaces",
    "/api/v1/workspaces/",
    "/api/v1/workspaces;x=1",
    "/api/v1/workspaces\\..",
    "/api/v1/workspaces?x=<script>",
    "//evil.example/api/v1/workspaces",
    "http://evil.example/api/v1/workspaces",
    "*",
    "LONG",
  ])("the path %s is refused", async (path) => {
    const written = path === "LONG" ? `/${"a".repeat(20_000)}` : path;
    expect([400, 404, 431]).toContain((await served.raw(written, { headers: served.bearer() })).status);
  });

  test.each([
    "/assets/tokens",
    "/assets/page.ts",
    "/assets",
    "/live/live",
    "/workspaces",
    "/loop.yaml",
    "/README.md",
    "/.git/config",
    "/api/v1/files",
    "/api/v1/exec",
    "/tokens",
  ])("there is no %s", async (path) => {
    expect([400, 404]).toContain((await served.raw(path, { headers: served.bearer() })).status);
  });

  test.each(["x", "%2e%2e", "..", "."])("a workspace or run named %s is not found", async (name) => {
    expect([400, 404]).toContain(
      (await served.raw(`/api/v1/workspaces/${name}/runs`, { headers: served.bearer() })).status,
    );
    expect([400, 404]).toContain((await served.raw(`${runs()}/${name}`, { headers: served.bearer() })).status);
  });

  test.each<[string, Asking["body"]]>([
    ["no JSON", "request=x"],
    ["a list", "[]"],
    ["an unknown key", '{ "request": "x", "shell": "rm -rf /" }'],
    ["__proto__", '{ "__proto__": { "request": "x" } }'],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["an empty request", '{ "request": " " }'],
  ])("a body with %s is refused", async (_title, body = "") => {
    const answer = await served.raw(runs(), { method: "POST", headers: { ...served.bearer(), ...json }, body });
    expect(answer.status).toBe(400);
  });
});

test.each([
  ["Host", "127.0.0.1:PORT", "evil.example"],
  ["Host", "evil.example", "127.0.0.1:PORT"],
  ["Authorization", "Bearer TOKEN", "Bearer none"],
  ["Content-Type", "application/json", "text/plain"],
  ["Origin", "http://127.0.0.1:PORT", "http://evil.example"],
])("a request with %s twice is refused, with a valid token (%s, %s)", async (name, one, other) => {
  const usual = { Host: "127.0.0.1:PORT", Authorization: "Bearer TOKEN", "Content-Type": "application/json" };
  const others = Object.entries(usual).filter(([each]) => each !== name);
  const lines = [...others, [name, one], [name, other], ["Content-Length", "2"], ["Connection", "close"]].map(
    ([key, value]) => `${key}: ${value?.replace("PORT", String(served.port)).replace("TOKEN", served.token)}`,
  );
  const socket = connect(served.port, "127.0.0.1");
  socket.end(`POST ${runs()} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{}`);
  let said = "";
  await new Promise((resolve) => socket.on("data", (chunk) => (said += chunk)).once("close", resolve));
  expect(said.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
});

describe("too much", () => {
  test("an oversized body is refused, whether its length is said or not", async () => {
    const body = JSON.stringify({ request: "x".repeat(2_000_000) });
    const asking = { method: "POST", headers: { ...served.bearer(), ...json }, body };
    const answers = await Promise.allSettled([
      served.raw(runs(), asking),
      served.raw(runs(), { ...asking, headers: { ...asking.headers, "Transfer-Encoding": "chunked" } }),
    ]);
    // The connection may be cut while the rest is on its way.
    for (const answer of answers) expect(answer.status === "rejected" || answer.value.status === 413).toBe(true);
  });

  test("a body that never ends is cut off", async () => {
    const socket = connect(served.port, "127.0.0.1");
    const head = [
      "POST /session HTTP/1.1",
      `Host: 127.0.0.1:${served.port}`,
      `Origin: ${served.origin}`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n{`);
    let said = "";
    await new Promise((resolve) => {
      socket.on("data", (chunk) => (said += chunk)).once("close", resolve);
      socket.once("error", resolve);
    });
    expect(said).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  });
});

test("the page takes the token out of the address, and gets a cookie that scripts cannot read", async () => {
  const script = (await served.raw("/assets/sign-in.js")).text;
  const [shown, cookies]: [string[], string[]] = [[], []];
  const fetched: Promise<unknown>[] = [];
  const page = {
    URLSearchParams,
    document: { getElementById: () => ({ addEventListener: () => undefined }) },
    window: { addEventListener: () => undefined },
    location: { hash: `#token=${served.token}`, pathname: "/", reload: () => shown.push("reload") },
    history: { replaceState: (_state: null, _title: string, url: string) => shown.push(url) },
    // As a browser sends it.
    fetch: (
      path: string,
      { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
    ) => {
      const own = { ...headers, Origin: served.origin, "Sec-Fetch-Site": "same-origin" };
      const answer = served.raw(path, { method, headers: own, body }).then(({ status, headers: got }) => {
        cookies.push(...(got["set-cookie"] ?? []));
        return { ok: status === 200 };
      });
      fetched.push(answer);
      return answer;
    },
  };
  runInNewContext(script, page);
  await Promise.all(fetched);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toEqual(["/", "reload"]);
  expect(cookies).toEqual([expect.stringMatching(/^loop_\d+=.*; HttpOnly; SameSite=Strict; /)]);
  expect(cookies.join()).not.toContain(served.token);
  const headers = { Cookie: cookies[0]?.split(";")[0] };
  expect((await served.raw("/", { headers })).text).toContain("data-live");
});

test("a read-only token looks, and cannot act", async () => {
  expect((await served.raw("/api/v1/workspaces", { headers: served.bearer(readOnly) })).status).toBe(200);
  const answer = await served.post(`/workspaces/${workspace}/runs`, { request: "Add a function" }, readOnly);
  expect(answer.status).toBe(403);
});

test("a token that is taken away reads no further, not even a page that is open", async () => {
  const token = (await project.loop("serve", "--new-token", "guest", "--read-only")).stdout.trim();
  const asking = request({ host: "127.0.0.1", port: served.port, path: "/live", headers: served.bearer(token) });
  asking.end();
  const [response] = await once(asking, "response");
  expect(response.statusCode).toBe(200);
  const closed = new Promise((resolve) => response.on("error", resolve).on("close", resolve).resume());
  const file = join(project.home, "state/loopwright/serve/tokens");
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/^read guest .*\n/m, ""));
  await closed;
});

test("many wrong tokens are slowed down, and the right one still works", async () => {
  const guess = () => served.raw("/api/v1/workspaces", { headers: { Authorization: `Bearer ${"B".repeat(43)}` } });
  const statuses = (await Promise.all(Array.from({ length: 40 }, guess))).map(({ status }) => status);
  expect(new Set(statuses).has(200)).toBe(false);
  const last = await guess();
  expect([last.status, Number(last.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await served.raw("/api/v1/workspaces", { headers: served.bearer() })).status).toBe(200);
});

test("nothing was begun, and the audit has what tokens tried that may only read, but nothing of strangers", () => {
  expect(project.runs()).toEqual([]);
  const audit = fs.readFileSync(join(project.home, "state/loopwright/serve/audit.jsonl"), "utf8");
  const actions = audit
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const tried = actions.filter(({ action }) => action !== undefined && action !== "sign-in");
  const resultOf = (id: string): string =>
    actions.find((other) => other.id === id && other.result !== undefined)?.result;
  expect(tried.filter(({ id }) => resultOf(id) === "refused")).toMatchObject([{ who: "tv", action: "begin" }]);
  expect(tried.every(({ id }) => ["invalid", "refused"].includes(resultOf(id)))).toBe(true);
});

test("files are the owner's alone", () => {
  const dir = join(project.home, "state/loopwright/serve");
  for (const name of fs.readdirSync(dir)) expect([name, fs.statSync(join(dir, name)).mode & 0o077]).toEqual([name, 0]);
});

test("an address without anything is a page in a browser, and JSON for a program", async () => {
  const headers = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none", Cookie: await served.cookie() };
  const shown = await served.raw("/nothing", { headers });
  expect([shown.status, shown.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(shown.text).toContain("There is nothing at this address.");
  const { status, text } = await served.raw("/nothing", { headers: { ...headers, Cookie: "" } });
  // Other tests have shown many wrong tokens from here.
  expect([401, 429]).toContain(status);
  expect(text).toContain("<!doctype html>");
  expect(JSON.parse((await served.raw("/nothing", { headers: served.bearer() })).text).error.code).toBe("refused");
});

test("a list without workspaces says so", { timeout: 60_000 }, async () => {
  const other = new Project({ "README.md": "hello\n" });
  try {
    expect((await other.loop("serve", "--list")).stderr).toContain("No workspace is registered.");
  } finally {
    other.remove();
  }
});

test("a read-only page has no buttons", async () => {
  const page = async (token: string) => (await served.raw("/", { headers: served.bearer(token) })).text;
  expect(await page(readOnly)).toContain("may only look");
  expect(await page(readOnly)).not.toMatch(/<button|<form/);
  expect(await page(served.token)).not.toContain("may only look");
});

describe("started unsafely", () => {
  test.each([
    ["beyond this machine without TLS", ["--host", "0.0.0.0"], "needs TLS"],
    ["with half of TLS", ["--tls-cert", "x.pem"], "go together"],
    ["on a port that is none", ["--port", "99999"], "not a port"],
  ])("%s, it does not start", async (_title, args, why) => {
    const { code, stderr } = await project.loop("serve", ...args);
    expect([code, stderr.includes(why)]).toEqual([64, true]);
  });

  test("a second time, it does not start", async () => {
    const { code, stderr } = await project.loop("serve", "--port", "0");
    expect([code, stderr]).toEqual([1, expect.stringContaining(String(served.process.pid))]);
  });

  test.each(["--port", "--hooks-port"])(
    "on a busy %s, it ends and names the option",
    { timeout: 60_000 },
    async (flag) => {
      const other = new Project({ "loop.yaml": "version: 1\n" });
      const busy = createServer().listen(0, "127.0.0.1");
      try {
        await once(busy, "listening");
        const { port } = busy.address() as AddressInfo;
        const [first, second] = flag === "--port" ? [port, 0] : [0, port];
        const { code, stderr } = await other.loop("serve", "--port", `${first}`, "--hooks-port", `${second}`);
        expect([code, stderr]).toEqual([1, expect.stringContaining(`Next: Name another port: loop serve ${flag} N`)]);
        expect(stderr).toContain(`Port ${port} is in use.`);
        // Nothing is left that would keep the next server out.
        await (await Served.start(other)).stop();
      } finally {
        busy.close();
        other.remove();
      }
    },
  );

  test("with a token file that others can read, it does not start", async () => {
    const file = join(project.dir, "tokens");
    fs.writeFileSync(file, `write pat ${"a".repeat(43)}\n`, { mode: 0o644 });
    const { code, stderr } = await project.loop("serve", "--new-token", "x", "--token-file", file);
    expect([code, stderr.includes("chmod 600")]).toEqual([64, true]);
  });

  test("by an agent, it does not start", async () => {
    const child = project.start(["serve", "--add", project.root], { LOOP_SESSION: "s1" });
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(1);
  });
});
