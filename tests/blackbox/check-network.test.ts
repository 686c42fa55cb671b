// Checks and the network: loop check finds out which need it, and runs keep the others from it.
import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";

const service = createServer((_, response) => response.end("hello"));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => service.close());

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const timeout = 180_000;
const walled = { LOOPWRIGHT_SANDBOX: "auto" };
const asks = () => `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text())"`;
const serves =
  "node -e \"const s = require('http').createServer((q, r) => r.end()).listen(3000, () => fetch('http://127.0.0.1:3000').then(() => process.exit(0)))\"";
const yaml = (checks: string[]): string =>
  `agents: { maker: { kind: rehearsal, script: s.json } }\nchecks:\n${checks.join("")}`;
const line = (name: string, run: string, more = ""): string =>
  `  - { name: ${name}, run: ${JSON.stringify(run)}${more} }\n`;

test("loop check names the check that needs the network, and the line to write", { timeout }, async () => {
  project = new Project({ "a.txt": "1", "loop.yaml": yaml([line("asks", asks()), line("serves", serves)]) });
  const { code, stdout, stderr } = await ended(project.start(["check"], walled));
  expect(code, stderr).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "It needs the network, and keeps it. To say so: network: open for asks in loop.yaml.",
  );
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("green without the network too");
  const json = JSON.parse((await ended(project.start(["check", "--json"], walled))).stdout);
  expect(json.checks).toMatchObject([
    { name: "asks", network: "open", withoutNetwork: "red" },
    { name: "serves", network: "none", withoutNetwork: "green" },
  ]);
});

test("a check that must run without the network is red with the reason", { timeout }, async () => {
  project = new Project({ "a.txt": "1", "loop.yaml": yaml([line("asks", asks(), ", network: none")]) });
  const { code, stdout } = await ended(project.start(["check"], walled));
  expect(code).toBe(1);
  expect(stdout).toContain("It is green with the network.");
  expect(stdout).toContain("Next: say network: open for asks in loop.yaml");
});

test("a run keeps a check from the network once loop check has seen it green without", { timeout }, async () => {
  const says = `node -e "fetch('http://127.0.0.1:${port}').then(() => console.log('reached'), () => console.log('alone'))"`;
  const of = new Project({ "a.txt": "1", "loop.yaml": yaml([line("looks", says)]) });
  project = of;
  const planned = async (env: Record<string, string>) => {
    const { stdout } = await ended(of.start(["run", "--dry-run", "--json", "add b.txt with the text hello"], env));
    return JSON.parse(stdout).checks[0].network;
  };
  expect(await planned(walled)).toBe("open");
  await ended(of.start(["check"], walled));
  expect(await planned(walled)).toBe("none");
  expect(await planned({ LOOPWRIGHT_SANDBOX: "off" })).toBe("open");
});
