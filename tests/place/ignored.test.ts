// A run in its worktree: an agent that deletes everything that is ignored costs the person nothing.
import { afterEach, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const agent = `
const { execFileSync } = require("node:child_process");
const { existsSync, rmSync, writeFileSync } = require("node:fs");
console.log(existsSync("node_modules/a/index.js") ? "has packages" : "has none");
execFileSync("git", ["clean", "-fdxq", "--exclude", ".loop"]);
rmSync("node_modules", { recursive: true, force: true });
rmSync(".env", { force: true });
writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "blocked", summary: "no" }));
`;

test("git clean -fdx in a worktree leaves the ignored files of the folder", { timeout: 240_000 }, async () => {
  const opened = new Project(sampleFiles([], [feature("F001")]), { place: "default" });
  project = opened;
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0 };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const yaml = { version: 1, agents: { maker }, checks, limits: { rework: 0 }, room: { files: [".env"] } };
  opened.write({ "agent.cjs": agent, "loop.yaml": JSON.stringify(yaml), ".gitignore": "node_modules\n.env\n" });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  opened.write({ "node_modules/a/index.js": "1", "node_modules/a/package.json": '{"name":"a"}', ".env": "A=1" });
  await ended(opened.start(["run"]));
  expect(opened.events().some(({ type }) => type === "session-ended")).toBe(true);
  expect(opened.read("node_modules/a/index.js")).toBe("1");
  expect(opened.read(".env")).toBe("A=1");
});
