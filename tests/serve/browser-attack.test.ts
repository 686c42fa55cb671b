// Other pages in the browser of a person who is signed in: by another name for this machine, from another site, and
// from another port of the same host. None of them reads or changes anything.
import * as fs from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { Served } from "./served.ts";

const browser =
  ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
    .flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`])
    .find((path) => fs.existsSync(path)) ?? null;
if (browser === null) process.stderr.write("serve: these attacks are skipped, because no Chromium was found here\n");

/** What a page gets from each way to reach a server, as it sees it. */
const attempts = `async (target, path) => {
  const said = (promise) => promise.then(async (r) => r.type + " " + r.status + " " + (await r.text()).length, () => "failed");
  const post = (type) => fetch(target + path, { method: "POST", mode: "no-cors", credentials: "include",
    headers: { "Content-Type": type }, body: JSON.stringify({ request: "Add a function" }) });
  const stream = () => new Promise((resolve) => {
    const source = new EventSource(target + "/api/v1/workspaces", { withCredentials: true });
    source.onmessage = source.onopen = () => resolve("open");
    source.onerror = () => { source.close(); resolve("failed"); };
  });
  const frame = () => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { let text = "out of reach"; try { text = frame.contentDocument.body.textContent; } catch {} resolve(text.trim()); };
    frame.src = target + "/";
    document.body.append(frame);
  });
  return {
    read: await said(fetch(target + "/api/v1/workspaces", { credentials: "include" })),
    plain: await said(post("text/plain")),
    json: await said(fetch(target + path, { method: "POST", credentials: "include",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify({ request: "Add a function" }) })),
    stream: await stream(),
    frame: await frame(),
  };
}`;

describe.skipIf(browser === null)("in a real browser", () => {
  let project: Project;
  let served: Served;
  let other: Server;
  let opened: BrowserContext;
  let page: Page;
  let begin: string;

  beforeAll(async () => {
    project = new Project({ "README.md": "hello\n", "loop.yaml": "version: 1\n" });
    await project.loop("serve", "--add", project.root);
    served = await Served.start(project);
    const { workspaces } = await served.get<{ workspaces: { id: string }[] }>("/workspaces");
    begin = `/api/v1/workspaces/${workspaces[0]?.id}/runs`;
    other = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html").end("<!doctype html><title>other</title><body>");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    opened = await chromium.launchPersistentContext(join(project.dir, "profile"), {
      executablePath: browser ?? "",
      chromiumSandbox: process.getuid?.() !== 0,
      env: project.env,
      args: [
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        // As a name server does that an attacker owns.
        "--host-resolver-rules=MAP *.example 127.0.0.1",
      ],
    });
    page = opened.pages()[0] ?? (await opened.newPage());
    await page.goto(`${served.origin}/#token=${served.token}`);
    await page.waitForFunction('!location.hash.includes("token")');
    await page.waitForLoadState("load");
  });
  afterAll(async () => {
    await opened?.close();
    other?.close();
    await served?.stop();
    project?.remove();
  });

  const cookies = async (): Promise<number> => (await opened.cookies(served.origin)).length;
  const played = (target: string): Promise<Record<string, string>> =>
    page.evaluate(`(${attempts})(${JSON.stringify(target)}, ${JSON.stringify(begin)})`);
  const nothingBegun = (): void => {
    expect(project.runs()).toEqual([]);
    const audit = fs.readFileSync(join(project.home, "state/loopwright/serve/audit.jsonl"), "utf8");
    expect(audit).not.toContain('"begin"');
  };

  test("the person is signed in, and the same requests work for their own page", async () => {
    await expect.poll(cookies).toBe(1);
    const own = await page.evaluate(() => fetch("/api/v1/workspaces").then(({ status }) => status));
    expect(own).toBe(200);
  });

  test("a name that an attacker points at this machine is refused (DNS rebinding)", async () => {
    const rebound = `http://rebound.example:${served.port}`;
    const answer = await page.goto(`${rebound}/`);
    expect(answer?.status()).toBe(421);
    expect(await page.evaluate("document.body.textContent")).not.toContain(project.root);
    const { read, json, stream } = await played(rebound);
    // Same origin for the browser, so it shows the answers; they are refusals.
    expect([read, json, stream]).toEqual([
      expect.stringMatching(/^basic 421 /),
      expect.stringMatching(/^basic 421 /),
      "failed",
    ]);
    nothingBegun();
  });

  test.each([
    ["another site", "evil.example"],
    ["another port of the same host, which gets the cookie sent", "127.0.0.1"],
  ])("a page of %s reads nothing, begins nothing and shows nothing in a frame", async (_title, host) => {
    await page.goto(`http://${host}:${(other.address() as AddressInfo).port}/`);
    const seen = await played(served.origin);
    expect(seen).toEqual({
      read: "failed",
      // Sent without asking first, and refused. Cross-Origin-Resource-Policy keeps even the empty answer from the page.
      plain: "failed",
      json: "failed",
      stream: "failed",
      frame: expect.not.stringContaining(project.root),
    });
    nothingBegun();
  });
});
