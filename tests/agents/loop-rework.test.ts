// A builder reworks in its own conversation, a judge always starts a new one, and nothing is paid twice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ModelRequest, Step } from "../../src/testing/model/index.ts";
import { describeCli } from "./lab.ts";
import { type AgentYaml, bill, claude, codex, isVerifier, LoopLab, launch, type Twist } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const fail = {
  verdict: "fail",
  summary: "It lacks a comment.",
  root_cause: "no comment",
  criteria: [
    { criterion: "C1", met: false, verification: "observation", evidence: [{ file: "src/F001.js", line: 1 }] },
  ],
};
const made = { status: "done", summary: "There is a comment now." };
const adding = "echo '// It was asked for.' >> src/F001.js";

const says = (api: ModelRequest["api"], reply: object): Step =>
  api === "messages" ? { tools: [{ name: "StructuredOutput", input: { ...reply } }] } : { text: JSON.stringify(reply) };
const runs = (api: ModelRequest["api"], command: string): Step =>
  api === "messages"
    ? { tools: [{ name: "Bash", input: { command, description: "x" } }] }
    : { tools: [{ name: "exec_command", input: { cmd: command } }] };

const isAgain = ({ prompts }: ModelRequest): boolean => /previous attempt failed/.test(prompts.at(-1) ?? "");

/** The first verdict fails; the builder then adds what was missing. The builder's first answers report `usage`. */
function judgedTwice(usage: Step["usage"] = undefined): Twist {
  let verdicts = 0;
  return (request, good) => {
    const { api, rounds } = request;
    if (isVerifier(request)) {
      if (rounds === 0) verdicts += 1;
      return verdicts === 1 && rounds === 1 ? says(api, fail) : good;
    }
    if (!isAgain(request)) return usage === undefined ? good : { ...good, usage };
    return [runs(api, adding), says(api, made)][rounds] ?? { text: "Done." };
  };
}

const agents: { cli: string; maker: (path: string) => (here: LoopLab) => AgentYaml; resumed: string }[] = [
  { cli: "claude@2.1.325", maker: (path) => () => claude(path), resumed: "--resume" },
  { cli: "claude@2.1.197", maker: (path) => () => claude(path), resumed: "--resume" },
  { cli: "codex@0.166.0", maker: (path) => codex(path), resumed: "resume" },
];

for (const { cli, maker, resumed } of agents) {
  await describeCli(cli, (path) => {
    test("rework continues the builder's conversation, and the bill has each answer once", {
      timeout: 120_000,
    }, async () => {
      lab = await LoopLab.open({ maker: maker(path), twist: judgedTwice() });
      const here = lab;
      const { code, stderr, stdout } = await here.loop("run");
      expect(code, stderr + stdout).toBe(0);
      const sessions = here.sessions();
      expect(sessions.map((folder) => /-(builder|evaluator)-/.exec(folder)?.[1])).toEqual([
        ...["builder", "evaluator", "builder", "evaluator"],
      ]);
      expect(sessions.map((folder) => launch(folder, 1)?.args.includes(resumed))).toEqual([false, false, true, false]);
      const prompt = readFileSync(join(sessions[2] ?? "", "prompt.md"), "utf8");
      expect(prompt).toContain("It lacks a comment.");
      // The conversation already holds the rest.
      expect(prompt).not.toContain("Acceptance criteria");
      const { spent } = await here.status();
      expect(spent).toMatchObject({ sessions: 4, iterations: 2, tokens: bill(here).tokens, estimated: false });
      expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(4.1e-6);
      expect(here.git("show", "HEAD~1:src/F001.js") + here.git("show", "HEAD:src/F001.js")).toContain("asked for");
    });
  });
}

await describeCli("claude@2.1.325", (path) => {
  test("a conversation that is too full is not resumed, and a fresh one gets the full prompt", {
    timeout: 120_000,
  }, async () => {
    const yaml = { context: { compact_percent: 60, handover_percent: 90 } };
    const usage = { input: 10, cacheRead: 0, cacheWrite: 130_000 };
    lab = await LoopLab.open({ maker: () => claude(path), twist: judgedTwice(usage), yaml });
    const here = lab;
    const { code, stderr, stdout } = await here.loop("run");
    expect(code, stderr + stdout).toBe(0);
    const third = here.sessions()[2] ?? "";
    expect(launch(third, 1)?.args).not.toContain("--resume");
    expect(readFileSync(join(third, "prompt.md"), "utf8")).toContain("Acceptance criteria");
  });
});
