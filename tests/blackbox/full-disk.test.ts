// An agent that fills the disk: its session is ended, the run is on record, and the attempt failed for that reason.
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Writes 4 MB at a time, to an ignored file; without a watcher it stops at 2 GB. */
const agent = `
const fs = require("node:fs");
console.log("writing");
for (let at = 0; at < 512; at += 1) {
  fs.appendFileSync("big.bin", Buffer.alloc(4 << 20, 1));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
`;

test("a session that writes more than limits.disk_gb is ended", { timeout: 240_000 }, async () => {
  const opened = new Project(sampleFiles([], [feature("F001")]));
  project = opened;
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0 };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const limits = { disk_gb: 0.1, rework: 0 };
  const yaml = JSON.stringify({ version: 1, agents: { maker }, checks, limits });
  opened.write({ "agent.cjs": agent, "loop.yaml": yaml, ".gitignore": "big.bin\n" });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  await ended(opened.start(["run"]));
  const endings = opened.events().filter(({ type }) => type === "session-ended");
  expect(JSON.stringify(endings)).toMatch(/It had written 0\.\d GB, and was ended \(limits\.disk_gb\)\./);
  await until("every process is gone", () => opened.strays().length === 0);
  expect((await ended(opened.start(["report"]))).stdout).toContain("It had written");
});
