// Every fault between claude and its model ends the session with the right failure class.
import { afterAll, expect, test } from "vitest";
import type { SessionRequest } from "../../src/agents/agent.ts";
import type { ClaudeConfig } from "../../src/agents/claude/claude.ts";
import { type FailureClass, noUsage } from "../../src/core/session.ts";
import { rounds, type Step } from "../../src/testing/model/index.ts";
import { claudeIn, describeCli, failure, type Lab, openLab } from "./lab.ts";

const labs: Lab[] = [];
afterAll(async () => {
  for (const each of labs) await each.close();
});

type Case = {
  fault: string;
  step: Step | string;
  is: FailureClass | "replied";
  request?: Partial<SessionRequest>;
  config?: ClaudeConfig;
  env?: Record<string, string | undefined>;
  /** Upper bound on requests: retrying is up to the loop, not the agent. */
  requestsMax?: number;
};

const status = (code: number, message?: string, headers?: Record<string, string>): Step => ({
  fault: { status: code, ...(message ? { message } : {}), ...(headers ? { headers } : {}) },
});
const long = "This answer is long enough to be sent in several pieces, of which only the first few arrive. ";
const impatient = { silenceMs: 4000 };

const cases: Case[] = [
  { fault: "500", step: status(500), is: "transient", requestsMax: 4 },
  { fault: "529", step: status(529), is: "transient", requestsMax: 4 },
  { fault: "429", step: status(429), is: "transient", requestsMax: 4 },
  {
    fault: "429 for an hour",
    step: status(429, "slow down", { "retry-after": "3600" }),
    is: "transient",
    requestsMax: 1,
  },
  { fault: "401", step: status(401, "invalid x-api-key"), is: "authentication", requestsMax: 4 },
  { fault: "403", step: status(403), is: "authentication" },
  { fault: "404", step: status(404, "model: nothing"), is: "misconfigured" },
  { fault: "400", step: status(400, "bad thing"), is: "crashed" },
  {
    fault: "no credit",
    step: status(400, "Your credit balance is too low to access the Anthropic API."),
    is: "billing",
  },
  { fault: "too long", step: status(400, "prompt is too long: 210000 tokens > 200000 maximum"), is: "context-full" },
  { fault: "a cut connection", step: { text: long, fault: { drop: 3 } }, is: "transient" },
  {
    fault: "an error in the stream",
    step: { text: long, fault: { sse: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } } },
    is: "transient",
  },
  { fault: "no answer", step: { fault: { hang: true } }, is: "silent", request: impatient },
  { fault: "silence in an answer", step: { text: long, fault: { stall: 3 } }, is: "silent", request: impatient },
  { fault: "a refusal", step: { text: "No.", stop: "refusal" }, is: "refused" },
  { fault: "an answer without end", step: { text: "and", stop: "max_tokens" }, is: "crashed" },
  { fault: "an empty answer", step: { text: "" }, is: "no-result" },
  { fault: "words for a reply", step: "All done!", is: "no-result" },
  { fault: "a reply among words", step: 'Here:\n```json\n{"status":"done","summary":"x"}\n```', is: "replied" },
  { fault: "no network", step: "unseen", is: "transient", env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } },
  { fault: "no key", step: "unseen", is: "authentication", env: { ANTHROPIC_API_KEY: undefined } },
  { fault: "a bad flag", step: "unseen", is: "misconfigured", config: { args: ["--no-such-flag"] } },
  { fault: "no such program", step: "unseen", is: "misconfigured", config: { path: "/nowhere/claude" } },
  {
    fault: "a spent budget",
    step: { tools: [{ name: "Bash", input: { command: "true", description: "x" } }] },
    is: "no-result",
    request: { costUsdMax: 0.01 },
  },
];

// The older version reports less in its results; these are the rows where that could matter.
const older = ["529", "401", "404", "no credit", "too long", "a cut connection", "a refusal", "words for a reply"];

for (const version of ["claude@2.1.325", "claude@2.1.197"]) {
  await describeCli(version, (path) => {
    const rows = version.endsWith(".197") ? cases.filter((row) => older.includes(row.fault)) : cases;
    test.concurrent.each(rows)("$fault: $is", async ({ step, is, request, config, env, requestsMax }) => {
      const lab = await openLab(rounds([step]));
      labs.push(lab);
      const machine = { ...lab.machine, env: { ...lab.machine.env, ...env } };
      const agent = claudeIn({ ...lab, machine }, path, config);
      const result = await lab.run(agent, lab.request({ timeoutMs: 40_000, ...request }));
      expect({ is: failure(result), result }).toMatchObject({ is });
      expect(lab.server.log.length).toBeLessThanOrEqual(requestsMax ?? 20);
    });

    test.concurrent("a usage limit of the plan carries the time when it resets", async () => {
      const at = Math.floor(Date.now() / 1000) + 7200;
      const headers = {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": String(at),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      };
      const lab = await openLab(rounds([status(429, "limit", headers)]));
      labs.push(lab);
      const env = { ...lab.machine.env, ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "dummy" };
      const agent = claudeIn({ ...lab, machine: { ...lab.machine, env } }, path);
      const result = await lab.run(agent, lab.request());
      expect(result).toMatchObject({ how: "failed", failure: { class: "limited", retryAt: at * 1000 } });
      expect(lab.server.log.length).toBe(1);
    });

    test.concurrent("resuming an unknown conversation fails as a crash and costs nothing", async () => {
      const lab = await openLab(rounds(["unseen"]));
      labs.push(lab);
      const request = lab.request({ nativeId: "00000000-0000-4000-8000-000000000000" });
      const result = await lab.run(claudeIn(lab, path), request);
      expect(result).toMatchObject({ how: "failed", failure: { class: "crashed" }, usage: noUsage });
      expect(lab.server.log.length).toBe(0);
    });
  });
}
