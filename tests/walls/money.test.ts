// Money through the whole loop: what the model's server counts is what the ledger says, and it stops in time.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { costOf, priceOf } from "../../src/agents/prices.ts";
import { describeCli } from "../agents/lab.ts";
import { bill, claude, isResumed, isVerifier, LoopLab, run, running } from "../agents/loop-lab.ts";
import { until } from "../support/project.ts";
import { answers, socketsOf, walls } from "./rig.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

/** Asks for answers, several at a time, and does not take no for one. */
const spender = `
const ask = async () => {
  const body = { model: "claude-sonnet-4-5", max_tokens: 1000, stream: true, messages: [{ role: "user", content: "more" }], tools: [{ name: "x" }] };
  const headers = { "x-api-key": process.env.ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" };
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", headers, body: JSON.stringify(body) });
  await answer.text();
  return answer.status;
};
const counts = {};
for (let round = 0; round < 10; round += 1)
  for (const status of await Promise.all(Array.from({ length: 5 }, ask))) counts[status] = (counts[status] ?? 0) + 1;
console.log(JSON.stringify({ counts, key: process.env.ANTHROPIC_API_KEY }));
process.exit(1);
`;

test.skipIf(!walls.works)(
  "a program that ignores every refusal spends no more than its budget and one reservation",
  async () => {
    const capUsd = 0.1;
    lab = await LoopLab.open({
      maker: () => ({ kind: "command", command: ["node", "spender.mjs"], network: "model", sandbox: "require" }),
      env: { ANTHROPIC_API_KEY: "the-real-key" },
      twist: () => ({ text: "x", usage: { input: 100, output: 900, cacheRead: 0, cacheWrite: 0 } }),
      yaml: { limits: { session_cost_usd: capUsd, iterations: 1, rework: 0 } },
    });
    lab.write({ "spender.mjs": spender });
    lab.git("add", "--all");
    lab.git("commit", "--quiet", "--message", "spender");
    await lab.loop("run");
    const [first = ""] = lab.sessions();
    const said = JSON.parse(fs.readFileSync(join(first, "stdout-1"), "utf8"));
    expect(said.counts["402"]).toBeGreaterThan(0);
    expect(said.counts["200"] + said.counts["402"]).toBe(50);
    expect(said.key).not.toContain("real");
    const { spent } = await lab.status();
    expect(spent.tokens).toBe(bill(lab).tokens);
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const reservation = costOf({ ...none, cacheWriteTokens: 100, outputTokens: 1000 }, priceOf("claude-sonnet-4-5"));
    expect(spent.costUsd / spent.sessions).toBeLessThanOrEqual(capUsd + (reservation ?? 0));
  },
);

test.skipIf(!walls.works)("a model whose price is not known is named once", async () => {
  lab = await LoopLab.open({
    maker: () => ({ kind: "command", command: ["node", "spender.mjs"], network: "model", sandbox: "require" }),
    env: { ANTHROPIC_API_KEY: "the-real-key" },
    twist: () => ({ text: "x", usage: { input: 100, output: 900, cacheRead: 0, cacheWrite: 0 } }),
    yaml: { limits: { session_cost_usd: 0.1, iterations: 1, rework: 0 } },
  });
  lab.write({ "spender.mjs": spender.replace("claude-sonnet-4-5", "o9-ultra") });
  lab.git("add", "--all");
  lab.git("commit", "--quiet", "--message", "spender");
  const { stderr } = await lab.loop("run");
  expect(stderr.match(/The price of the model "o9-ultra" is not known.*prices/g)).toHaveLength(1);
});

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works)(
    "kill -9 of the loop in the middle of a session: nothing is left, nothing listens, and everything is counted once",
    { timeout: 120_000 },
    async () => {
      const seconds = `1000.${process.pid}${Date.now() % 100_000}`;
      const here = await LoopLab.open({
        maker: () => claude(path),
        yaml: { sandbox: "require" },
        twist: (request, good) =>
          isVerifier(request) || isResumed(request) ? good : run(request, `exec sleep ${seconds}`),
      });
      lab = here;
      const first = here.begin("run");
      await until("the command", () => running("sleep", seconds).length > 0, 60_000);
      const sockets = socketsOf(first.pid);
      expect(sockets).toHaveLength(1);
      expect(await answers(sockets[0] ?? "")).toBe(true);
      process.kill(first.pid, "SIGKILL");
      await first.end;
      await until("the end of all", () => here.strays().length === 0 && running("sleep", seconds).length === 0, 5000);
      expect(await answers(sockets[0] ?? "")).toBe(false);

      const { code, stderr, stdout } = await here.loop("continue");
      expect(code, stderr + stdout).toBe(0);
      expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
      const { spent } = await here.status();
      expect(spent).toMatchObject({ tokens: bill(here).tokens, estimated: false, sessions: 2, iterations: 1 });
      expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(1.1e-6);
      // The next gateway has removed what the killed one left.
      expect(socketsOf(first.pid)).toEqual([]);
    },
  );
});
