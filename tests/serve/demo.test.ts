// The demo: in the terminal it says how to watch it in a browser, and with --browser it opens its page while it runs.
import * as fs from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project, until } from "../support/project.ts";

let project: Project | null = null;
afterEach(async () => {
  const of = project;
  if (of !== null) await until("no process left", () => of.strays().length === 0, 30_000);
  of?.remove();
  project = null;
});

/** As a program with this token asks; null: nothing answers. */
const ask = (url: URL, path: string, token: string): Promise<string | null> =>
  new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}` };
    const asking = request({ host: url.hostname, port: url.port, path, headers, agent: false });
    asking.once("error", () => resolve(null));
    asking.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.once("close", () => resolve(text));
    });
    asking.end();
  });

test.each([
  ["loop demo", {}, "In the browser: loop demo --browser"],
  ["npm start", { npm_lifecycle_event: "start" }, "In the browser: npm start -- --browser"],
])("%s says how to watch it in a browser", { timeout: 60_000 }, async (_title, env, says) => {
  project = new Project({ "README.md": "hello\n" });
  const child = project.start(["demo", "--dir", join(project.dir, "demo")], env);
  let said = "";
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", (chunk) => (said += chunk));
  await until("a word about the browser", () => said.includes("In the browser"), 50_000);
  expect(said).toContain(says);
  child.kill("SIGKILL");
});

test("with --browser its page is opened, and shows the run at work", { timeout: 120_000 }, async () => {
  project = new Project({ "README.md": "hello\n" });
  const of = project;
  const [bin, opened] = [join(of.dir, "opener"), join(of.dir, "opened.txt")];
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
  const child = of.start(["demo", "--browser", "--dir", join(of.dir, "demo")], { PATH: `${bin}:${of.env["PATH"]}` });
  child.stdout?.resume();
  child.stderr?.resume();
  await until("a browser opened", () => fs.existsSync(opened) && fs.readFileSync(opened, "utf8") !== "", 60_000);
  const url = new URL(fs.readFileSync(opened, "utf8"));
  const token = new URLSearchParams(url.hash.slice(1)).get("token") ?? "";
  const page = () => ask(url, url.pathname, token);
  expect(await page()).toContain("data-live");
  await expect.poll(page, { timeout: 60_000, interval: 200 }).toContain('<span class="state busy">running</span>');
  child.kill("SIGKILL");
});
