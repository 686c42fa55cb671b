// Every fault between codex and its model ends the session with the right failure class.
import { afterAll, expect, test } from "vitest";
import type { SessionRequest } from "../../src/agents/agent.ts";
import type { CodexConfig } from "../../src/agents/codex/codex.ts";
import { type FailureClass, noUsage } from "../../src/core/session.ts";
import { rounds, type Step } from "../../src/testing/model/index.ts";
import { codexIn, describeCli, failure, type Lab, openLab } from "./lab.ts";

const labs: Lab[] = [];
afterAll(async () => {
  for (const each of labs) await each.close();
});

type Case = {
  fault: string;
  step: Step | string;
  is: FailureClass | "replied";
  request?: Partial<SessionRequest>;
  config?: CodexConfig;
  env?: Record<string, string | undefined>;
};

const status = (code: number, message?: string, headers?: Record<string, string>): Step => ({
  fault: { status: code, ...(message ? { message } : {}), ...(headers ? { headers } : {}) },
});
const error = (code: string, message: string): Step => ({
  fault: { sse: { type: "response.failed", response: { id: "r", status: "failed", error: { code, message } } } },
});
const long = "This answer is long enough to be sent in several pieces, of which only the first few arrive. ";
const impatient = { silenceMs: 4000 };
const nowhere = { name: "nowhere", baseUrl: "http://127.0.0.1:9/v1", keyEnv: "LAB_KEY" };

const cases: Case[] = [
  { fault: "500", step: status(500), is: "transient" },
  { fault: "529", step: status(529), is: "transient" },
  { fault: "429", step: status(429), is: "transient" },
  {
    fault: "429 for an hour",
    step: status(429, "wait", { "retry-after": "3600" }),
    is: "transient",
    request: impatient,
  },
  { fault: "401", step: status(401, "invalid key"), is: "authentication" },
  { fault: "403", step: status(403), is: "authentication" },
  { fault: "404", step: status(404, "model: nothing"), is: "misconfigured" },
  { fault: "400", step: status(400, "bad thing"), is: "crashed" },
  {
    fault: "no credit",
    step: {
      fault: { status: 429, body: { error: { type: "insufficient_quota", code: "insufficient_quota", message: "x" } } },
    },
    is: "billing",
  },
  {
    fault: "too long",
    step: error("context_length_exceeded", "Your input exceeds the context window."),
    is: "context-full",
  },
  { fault: "overload in the stream", step: error("server_is_overloaded", "overloaded"), is: "transient" },
  {
    fault: "too fast",
    step: error("rate_limit_exceeded", "Rate limit reached. Please try again in 1s."),
    is: "transient",
  },
  { fault: "a cut connection", step: { text: long, fault: { drop: 3 } }, is: "transient" },
  { fault: "no answer", step: { fault: { hang: true } }, is: "silent", request: impatient },
  { fault: "silence in an answer", step: { text: long, fault: { stall: 3 } }, is: "silent", request: impatient },
  { fault: "an answer without end", step: { text: "and", stop: "max_tokens" }, is: "crashed" },
  { fault: "an empty answer", step: { text: "" }, is: "no-result" },
  { fault: "words for a reply", step: "All done!", is: "no-result" },
  { fault: "a reply among words", step: 'Here:\n```json\n{"status":"done","summary":"x"}\n```', is: "replied" },
  { fault: "no network", step: "unseen", is: "transient", config: { provider: nowhere } },
  { fault: "no key", step: "unseen", is: "authentication", env: { LAB_KEY: undefined } },
  { fault: "a bad flag", step: "unseen", is: "misconfigured", config: { args: ["--no-such-flag"] } },
  { fault: "a bad setting", step: "unseen", is: "misconfigured", config: { args: ["-c", "sandbox_mode=5"] } },
  { fault: "no such program", step: "unseen", is: "misconfigured", config: { path: "/nowhere/codex" } },
];

await describeCli("codex@0.166.0", (path) => {
  test.concurrent.each(cases)("$fault: $is", async ({ step, is, request, config, env }) => {
    const lab = await openLab(rounds([step]));
    labs.push(lab);
    const machine = { ...lab.machine, env: { ...lab.machine.env, ...env } };
    const agent = codexIn({ ...lab, machine }, path, config);
    const result = await lab.run(agent, lab.request({ timeoutMs: 40_000, ...request }));
    expect({ is: failure(result), result }).toMatchObject({ is });
    expect(lab.server.log.length).toBeLessThanOrEqual(20);
  });

  test.concurrent("a usage limit of the plan carries the time when it resets", async () => {
    // Codex gives the time to the minute.
    const at = Math.floor(Date.now() / 60_000) * 60 + 7200;
    const body = { error: { type: "usage_limit_reached", message: "limit", plan_type: "plus", resets_at: at } };
    const lab = await openLab(rounds([{ fault: { status: 429, body } }]));
    labs.push(lab);
    const env = { ...lab.machine.env, TZ: "America/New_York" };
    const machine = { ...lab.machine, env, zone: "America/New_York" };
    const result = await lab.run(codexIn({ ...lab, machine }, path), lab.request());
    expect(result).toMatchObject({ how: "failed", failure: { class: "limited", retryAt: at * 1000 } });
    expect(lab.server.log.length).toBe(1);
  });

  test.concurrent("resuming an unknown conversation fails as a crash and costs nothing", async () => {
    const lab = await openLab(rounds(["unseen"]));
    labs.push(lab);
    const request = lab.request({ nativeId: "01a1dd17-ec69-75c0-8367-04a039a70fb1" });
    const result = await lab.run(codexIn(lab, path), request);
    expect(result).toMatchObject({ how: "failed", failure: { class: "crashed" }, usage: noUsage });
    expect(lab.server.log.length).toBe(0);
  });
});
