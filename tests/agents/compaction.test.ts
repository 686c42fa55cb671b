// Context that fills up in the real programs: it is compacted at the limit, the session continues, and all is paid for.
import { afterEach, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import type { Script, Step } from "../../src/testing/model/index.ts";
import { claudeIn, codexIn, describeCli, type Lab, openLab, tokens } from "./lab.ts";
import { bill, claude, LoopLab } from "./loop-lab.ts";

let lab: Lab | LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const reply = { status: "done", summary: "It is done." };
const filled = (used: number): Partial<NonNullable<Step["usage"]>> => ({
  input: 10,
  cacheRead: 0,
  cacheWrite: used - 10,
});
/** Claude asks for a summary in the conversation itself, codex without any tools. */
const asksForSummary = /<summary> block|CONTEXT CHECKPOINT COMPACTION/;

type Moves = { run(command: string): Step; last: readonly (Step | string)[] };
const moves: Record<"messages" | "responses", Moves> = {
  messages: {
    run: (command) => ({ tools: [{ name: "Bash", input: { command, description: "x" } }] }),
    last: [{ tools: [{ name: "StructuredOutput", input: reply }] }, "Done."],
  },
  responses: { run: (cmd) => ({ tools: [{ name: "exec_command", input: { cmd } }] }), last: [JSON.stringify(reply)] },
};

/** The model reports the context as `percents` full, one per answer; `seen` collects what it was asked for. */
function filling(percents: readonly number[], size: number, seen: string[]): Script {
  let at = 0;
  return ({ api, tail, side }) => {
    if (asksForSummary.test(tail)) {
      seen.push("summary");
      return { text: "<summary>Half of it is done.</summary>", usage: filled(size * 0.75) };
    }
    if (side) return "ok";
    const percent = percents[at];
    at += 1;
    const { run, last } = moves[api];
    if (percent === undefined) return last[Math.min(at - percents.length, last.length) - 1] ?? "ok";
    seen.push(`${percent} %`);
    return { ...run(`sleep 0.2; echo ${percent}`), usage: filled((size * percent) / 100) };
  };
}

const cases: { cli: string; api: "messages" | "responses"; size: number; agent: (here: Lab, path: string) => Agent }[] =
  [
    { cli: "claude@2.1.325", api: "messages", size: 200_000, agent: (here, path) => claudeIn(here, path) },
    { cli: "claude@2.1.197", api: "messages", size: 200_000, agent: (here, path) => claudeIn(here, path) },
    { cli: "codex@0.166.0", api: "responses", size: 258_400, agent: (here, path) => codexIn(here, path) },
  ];

for (const { cli, api, size, agent } of cases) {
  await describeCli(cli, (path) => {
    test("compacts above 75 % and not before, continues, and counts every token", async () => {
      const seen: string[] = [];
      lab = await openLab(filling([70, 74, 76, 30], size, seen));
      const request = lab.request({ compactPercent: 75, handoverPercent: 90 });
      const result = await lab.run(agent(lab, path), request);
      expect(result).toMatchObject({ how: "replied", reply, parts: 1 });
      expect(seen).toEqual(["70 %", "74 %", "76 %", "summary", "30 %"]);
      expect(result.usage).toMatchObject(tokens(lab.server.used(), api));
      expect(result.contextSize).toBe(size);
      if (api === "messages") expect(result.compactions).toBe(1);
    });

    test("hands over above the higher limit, and does not compact when compaction is off", async () => {
      const seen: string[] = [];
      // Codex compacts on its own at 90 %; the fresh session takes over before that.
      lab = await openLab(filling([70, 82, 82, 82, 82], size, seen));
      const request = lab.request({ compactPercent: 100, handoverPercent: 80 });
      const result = await lab.run(agent(lab, path), request);
      expect(result).toMatchObject({ how: "failed", failure: { class: "context-full" } });
      expect(seen).not.toContain("summary");
    });
  });
}

await describeCli("claude@2.1.325", (path) => {
  test("a run continues after a compaction, in the same session, and its bill includes it", {
    timeout: 120_000,
  }, async () => {
    let answers = 0;
    lab = await LoopLab.open({
      maker: () => claude(path),
      twist: (request, good) => {
        if (asksForSummary.test(request.tail)) return { text: "<summary>Feature F001: to be finished.</summary>" };
        answers += 1;
        // Claude does not compact a shorter conversation.
        return answers > 2 ? good : { ...good, usage: filled(152_000) };
      },
    });
    const here = lab;
    const { code, stderr, stdout } = await here.loop("run");
    expect(code, stderr + stdout).toBe(0);
    const { spent } = await here.status();
    expect(spent).toMatchObject({ sessions: 2, iterations: 1, tokens: bill(here).tokens, estimated: false });
    expect(here.read("docs/loop-run-log.md")).toContain("The builder session's context was compacted once.");
    expect(stdout).not.toContain("compacted");
  });
});
