// What an agent may leave that no commit can hold: the run takes the rest of its work, says so, and neither hangs nor fills the disk.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const judge = `if [ "$LOOP_ROLE" = evaluator ]; then printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}]}' > "$LOOP_REPLY_FILE"; exit 0; fi`;
const work = `echo 'export const f001 = () => "F001";' > src/F001.js
printf 'import assert from "node:assert/strict";\\nimport { f001 } from "../src/F001.js";\\nassert.equal(f001(), "F001");\\n' > test/F001.test.js
printf '{"status":"done","summary":"x"}' > "$LOOP_REPLY_FILE"`;

function withAgent(leaves: string): Project {
  const maker = { kind: "command", command: ["sh", "-c", `${judge}\n${leaves}`], cost_usd: 0 };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const yaml = JSON.stringify({ version: 1, agents: { maker }, checks, limits: { rework: 0 } });
  return new Project(sampleFiles([], [feature("F001")], { "loop.yaml": yaml }));
}

test("a file of 1 TB and a pipe for .gitignore are moved aside, and the feature is completed", {
  timeout: 120_000,
}, async () => {
  project = withAgent(`truncate -s 1T big.bin; mkfifo src/.gitignore\n${work}`);
  const { code, stderr, stdout } = await project.loop("run");
  expect(code, stderr + stdout).toBe(0);
  expect(project.git("show", "--name-only", "--format=", "HEAD~1").split("\n").sort()).toEqual([
    "docs/FEATURES.json",
    "src/F001.js",
    "test/F001.test.js",
  ]);
  const log = project.read("docs/loop-run-log.md");
  expect(log).toContain(
    "file-refused: big.bin was moved to quarantine: it has 1100 GB, and limits.disk_gb allows 20 GB.",
  );
  expect(log).toContain("file-refused: src/.gitignore was moved to quarantine: it is a pipe, a socket or a device.");
  const id = /big\.bin was moved .*? loop recover (q\S+)/.exec(log)?.[1] ?? "";
  const to = join(project.dir, "back");
  expect((await project.loop("recover", id, "--to", to)).stdout).toContain("Brought back 1 file");
  expect(fs.statSync(join(to, "big.bin")).size).toBe(2 ** 40);
});

test("a queue of 1 TB, and no reply: the run restores the queue and says why the attempt failed", {
  timeout: 120_000,
}, async () => {
  project = withAgent("truncate -s 1T docs/FEATURES.json; truncate -s 1T loop.yaml; exit 1");
  const { code, stderr, stdout } = await project.loop("run");
  expect(code, stderr + stdout).toBe(7);
  expect(JSON.parse(project.read("docs/FEATURES.json")).features[0].status).toBe("blocked");
  expect(project.git("status", "--porcelain", "--", "loop.yaml", "src", "test")).toBe("");
  expect((await project.loop("recover")).stdout).toContain("left by an agent, and not taken: it has 1100 GB");
});
