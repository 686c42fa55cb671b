// network: registry: an agent inside walls reaches the hosts on the list, and the report names those that it did not.

import * as fs from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";
import { walls } from "./rig.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Asks the proxy for two hosts, and gives up. */
const agent = (port: number): string => `
const { connect } = require("node:net");
const { writeFileSync } = require("node:fs");
const proxy = new URL(process.env.HTTPS_PROXY);
const ask = (target) => new Promise((resolve) => {
  const socket = connect(Number(proxy.port), proxy.hostname);
  socket.on("data", (text) => { resolve(target + " " + String(text).split("\\r\\n")[0]); socket.destroy(); });
  socket.on("error", (error) => resolve(error.code));
  socket.write("CONNECT " + target + " HTTP/1.1\\r\\n\\r\\n");
});
(async () => {
  console.log(await ask("localhost:${port}"));
  console.log(await ask("evil.example:443"));
  writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "blocked", summary: "no" }));
})();
`;

test("listed hosts are reached, others refused and in the report", { timeout: 120_000 }, async ({ skip }) => {
  if (!walls.works) skip(walls.why);
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const opened = new Project(sampleFiles([], [feature("F001")]));
  project = opened;
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0, network: "registry" };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const agents = { maker: { ...maker, registry_hosts: [`localhost:${port}`] } };
  opened.write({ "agent.cjs": agent(port), "loop.yaml": JSON.stringify({ version: 1, agents, checks }) });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  try {
    const { stderr } = await ended(opened.start(["run"], { LOOPWRIGHT_SANDBOX: "" }));
    expect(stderr).toContain("network: its model and registries");
  } finally {
    server.close();
  }
  const sessions = join(opened.runs().at(-1) ?? "", "sessions");
  const [first = ""] = fs.readdirSync(sessions).sort();
  const said = fs.readFileSync(join(sessions, first, "stdout-1"), "utf8");
  expect(said).toContain(`localhost:${port} HTTP/1.1 200 Connection Established`);
  expect(said).toContain("evil.example:443 HTTP/1.1 403 Forbidden");
  const report = await ended(opened.start(["report"]));
  expect(report.stdout).toContain("a connection to evil.example:443 (refused: not a registry)");
  expect(report.stdout).not.toContain(`a connection to localhost:${port}`);
});
