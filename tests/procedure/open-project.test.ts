// A project and its runs from code: begun, watched, answered, paused and continued, with a custom agent.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Agent, type Check, openProject, type RunItem, UserError } from "../../src/index.ts";
import { Project } from "../support/project.ts";

vi.setConfig({ testTimeout: 120_000 });

const tested = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("sum adds two numbers", () => assert.equal(sum(1, 2), 3));
`;
const feature = {
  id: "F001",
  name: "Add sum(a, b)",
  priority: 1,
  status: "not-started",
  acceptance_criteria: ["sum(1, 2) is 3"],
};
const criteria = [
  { criterion: "C1", met: true, verification: "execution output", evidence: [{ command: "npm test" }] },
];
/** What the agent writes when it works, by role. */
const replies = {
  builder: { status: "done", summary: "sum() is there." },
  evaluator: { verdict: "pass", summary: "Seen.", root_cause: "", criteria },
};
const program = `
const fs = require("node:fs");
const role = process.env.LOOP_ROLE;
console.log("working as " + role);
if (role === "builder") {
  fs.writeFileSync("test/sum.test.js", ${JSON.stringify(tested)});
  const sum = "export function sum(a, b) {\\n  return a + b;\\n}\\n";
  fs.writeFileSync("src/sum.js", "export const zero = 0;\\n" + sum);
}
setTimeout(() => fs.writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify(${JSON.stringify(replies)}[role])), 300);
`;

/** Written as a user would: nothing of ours but the port. */
const mine: Agent = {
  name: "mine",
  probe: async () => ({ found: true, version: "1", path: process.execPath, login: "yes" }),
  launch: ({ cwd, run, session, role, folder }) => ({
    file: process.execPath,
    args: ["-e", program],
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      LOOP_RUN: run,
      LOOP_SESSION: session,
      LOOP_ROLE: role,
      LOOP_REPLY_FILE: `${folder}/reply.json`,
    },
    stdin: "prompt",
    endSignal: "SIGTERM",
  }),
  reader: () => ({
    line: (text) => [{ sign: "progress", note: text }],
    end: (_exit, { reply }) => {
      const usage = { inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 };
      if (reply === null)
        return {
          how: "failed",
          failure: { class: "no-result", text: "no reply", retryAt: null },
          usage,
          nativeId: null,
        };
      return { how: "replied", reply: JSON.parse(reply), text: "", usage, nativeId: null };
    },
  }),
};
const agents = { mine };
const settings = {
  agents: { maker: { kind: "library", name: "mine" }, checker: { kind: "library", name: "mine" } },
} as const;

let project: Project;
const before = process.env["XDG_STATE_HOME"];
beforeEach(() => {
  project = new Project({
    "package.json": JSON.stringify({ name: "sums", private: true, type: "module", scripts: { test: "node --test" } }),
    "src/sum.js": "export const zero = 0;\n",
    "test/zero.test.js": tested.replaceAll("sum(1, 2), 3", "zero, 0").replace("{ sum }", "{ zero }"),
    "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature] }),
    "loop.yaml": "version: 1\nchecks: [{ name: test, run: npm test }]\nproof: { depth: quick }\n",
  });
  process.env["XDG_STATE_HOME"] = project.env["XDG_STATE_HOME"];
});
afterEach(() => {
  process.env["XDG_STATE_HOME"] = before;
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  project.remove();
});

test("a run with a custom agent reports progress, stops at its gate, and settles", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const run = await opened.begin({ settings: { ...settings, gates: ["G2"] }, limits: { cost_usd: 5 } });
  const seen: RunItem[] = [];
  for await (const item of run) {
    seen.push(item);
    if (item.type === "gate") await run.approve(item.gate);
  }
  expect(seen.filter(({ type }) => type === "gate")).toHaveLength(1);
  expect(seen).toContainEqual(expect.objectContaining({ type: "sign", role: "builder" }));
  const settled = await run.settled;
  expect(settled).toMatchObject({ success: true, exitCode: 0, done: 1, total: 1, run: run.id });
  expect(settled.features).toMatchObject([{ id: "F001", status: "complete", grade: "strong" }]);
  expect(settled.spent.costUsd).toBeCloseTo(0.02);
  expect((await opened.runs()).map(({ run: id }) => id)).toEqual([run.id]);
});

test("settles at an unanswered gate, and a program with the agent can continue it", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const run = await opened.begin({ settings: { ...settings, gates: ["G2"] } });
  expect(await run.settled).toMatchObject({
    success: false,
    exitCode: 6,
    next: expect.stringContaining("loop approve"),
  });
  const stranger = await openProject(project.root, { trust: true });
  const later = await stranger.continue();
  expect(await later.settled).toMatchObject({ success: false });
  const again = await opened.continue();
  for await (const item of again) if (item.type === "gate") await again.approve(item.gate);
  expect(await again.settled).toMatchObject({ success: true });
});

test("the end of one run leaves another run of the same project open for its answer", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const waiting = await opened.begin({ settings: { ...settings, place: "worktree", gates: ["G2"] } });
  let gates = 0;
  for await (const item of waiting) {
    if (item.type !== "gate") continue;
    gates += 1;
    const other = await opened.begin({ settings: { ...settings, place: "worktree" } });
    expect(await other.settled).toMatchObject({ success: true });
    expect((await waiting.status()).state).toBe("waits-for-you");
    await waiting.approve(item.gate);
  }
  expect(gates).toBe(1);
  expect(await waiting.settled).toMatchObject({ success: true });
});

test("a run settles while another run of the same project works", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const longest = { ...settings, place: "worktree" } as const;
  const long = await opened.begin({ settings: { ...longest, gates: ["G2"] } });
  const short = await opened.begin({
    settings: { ...longest, gates: ["G1"] },
    request: "Add sum(a, b) to src/sum.js.",
  });
  await short.settled;
  expect((await long.status()).state).toBe("running");
  await long.settled;
});

test("a gate that is rejected leads on or to a rest, and the loop ends", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const request = "Add sum(a, b) to src/sum.js: sum(1, 2) is 3. Its test is in test/sum.test.js.";
  const run = await opened.begin({ request, settings: { ...settings, gates: ["G1"] } });
  let gates = 0;
  for await (const item of run) {
    if (item.type !== "gate") continue;
    gates += 1;
    if (gates === 1) await run.reject(item.gate, "The name should be add.");
  }
  expect(gates).toBeGreaterThan(0);
  expect(await run.settled).toMatchObject({ success: false, next: expect.stringContaining("loop") });
});

test("leaving the loop early does not stop the run; a pause does, and loses nothing", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const run = await opened.begin({ settings });
  for await (const item of run) if (item.type === "sign") break;
  await run.pause();
  expect(await run.settled).toMatchObject({ success: false, outcome: { kind: "paused" } });
  const later = await opened.continue();
  expect(await later.settled).toMatchObject({ success: true });
});

test("an agent that this program does not have is refused before anything is written", async () => {
  const opened = await openProject(project.root, { trust: true });
  await expect(opened.begin({ settings })).rejects.toMatchObject({ name: "UserError", code: "agent-not-registered" });
  await expect(opened.continue()).rejects.toBeInstanceOf(UserError);
  expect(await opened.runs()).toEqual([]);
});

test.each([
  ["a misspelt limit", { limits: { cost: 1 } }, "bad-config", /cost/],
  ["a limit below zero", { limits: { cost_usd: -1 } }, "bad-config", /cost_usd/],
  ["a misspelt setting", { settings: { limts: {} } }, "bad-config", /limts/],
  ["a misspelt option", { reqest: "Add sum(a, b)" }, "unknown-option", /reqest/],
  ["an option of another type", { request: 5 }, "unknown-option", /request of begin\(\) is 5/],
  ["a text instead of options", "Add sum(a, b)", "unknown-option", /takes an object/],
  ["a vague request", { request: "make it better" }, "too-vague", /not say/],
] as const)("%s begins nothing", async (_, options, code, why) => {
  const opened = await openProject(project.root, { agents, trust: true });
  await expect(opened.begin(options as object)).rejects.toMatchObject({ code, why: expect.stringMatching(why) });
  expect(await opened.runs()).toEqual([]);
});

test("an answer that is about another gate, or has no reason, is refused, and the run still waits", async () => {
  const opened = await openProject(project.root, { agents, trust: true });
  const run = await opened.begin({ settings: { ...settings, autonomy: "L1" } });
  for await (const item of run) {
    if (item.type !== "gate") continue;
    const { gate } = item;
    await expect(run.approve({ ...gate, tree: "abc" })).rejects.toMatchObject({ code: "other-tree" });
    await expect(run.approve({ ...gate, number: 9 })).rejects.toMatchObject({ code: "no-gate" });
    await expect(run.reject(gate, "")).rejects.toMatchObject({ code: "no-reason" });
  }
  expect(await run.settled).toMatchObject({ exitCode: 6 });
  await expect(openProject(project.root, { trsut: true } as object)).rejects.toMatchObject({ code: "unknown-option" });
});

test("a folder that is missing, and an agent that is none, are refused", async () => {
  await expect(openProject(`${project.root}/missing`)).rejects.toMatchObject({ code: "no-workspace" });
  const none = { name: "none" } as unknown as Agent;
  await expect(openProject(project.root, { agents: { none } })).rejects.toMatchObject({ code: "bad-config" });
});

test("a custom check judges each tree: a feature that it refuses is not committed", async () => {
  const judged: string[] = [];
  const noSum: Check = {
    run: ({ dir }) => {
      const text = readFileSync(join(dir, "src", "sum.js"), "utf8");
      judged.push(dir);
      return { passed: !text.includes("function sum"), output: "src/sum.js may not have sum()\n" };
    },
  };
  const checks = [
    { name: "test", run: "npm test" },
    { name: "no-sum", library: "noSum" },
  ];
  const opened = await openProject(project.root, { agents, checks: { noSum }, trust: true });
  const run = await opened.begin({ settings: { ...settings, checks }, limits: { rework: 0, cost_usd: 5 } });
  const settled = await run.settled;
  expect(settled).toMatchObject({ success: false, done: 0, spent: { commits: 0 } });
  expect(settled.problems.join("\n")).toContain("no-sum");
  expect(judged.length).toBeGreaterThan(1);
  expect(judged).not.toContain(project.root);
  const stranger = await openProject(project.root, { agents, trust: true });
  await expect(stranger.begin({ settings: { ...settings, checks } })).rejects.toMatchObject({
    code: "check-not-registered",
  });
  const incomplete = { mine: {} as Check };
  await expect(openProject(project.root, { checks: incomplete })).rejects.toMatchObject({ code: "bad-config" });
});
