// Limits and refusals of the provider, seen from outside: which the loop waits for, and which need a person.
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import type { ModelRequest, Step } from "../../src/testing/model/index.ts";
import { until } from "../support/project.ts";
import { describeCli } from "./lab.ts";
import { bill, claude, codex, LoopLab, type Twist } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const refused = (status: number, message: string, headers?: Record<string, string>): Step => ({
  fault: { status, message, ...(headers ? { headers } : {}) },
});

/** The loop waits a minute longer than the limit says, so this wait ends `seconds` from now. */
function limitFor(seconds: number): Step {
  const reset = String(Math.floor(Date.now() / 1000) + seconds - 60);
  return refused(429, "limit", {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": reset,
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
  });
}

const window = (used: number, reset: string): Record<string, string> => ({
  "anthropic-ratelimit-unified-status": "allowed_warning",
  "anthropic-ratelimit-unified-reset": reset,
  "anthropic-ratelimit-unified-representative-claim": "five_hour",
  "anthropic-ratelimit-unified-5h-utilization": String(used),
  "anthropic-ratelimit-unified-5h-reset": reset,
  "anthropic-ratelimit-unified-5h-surpassed-threshold": "0.8",
});

/** The builder hits the plan's limit once, after its first file. */
function limitedOnce(seconds: number): Twist {
  let met = false;
  return (request, good) => {
    if (met || request.rounds !== 1) return good;
    met = true;
    return limitFor(seconds);
  };
}

const { path: codexPath } = await ensureCli("codex@0.166.0");

/** A subscription: an API key only has per-minute limits. */
const subscription = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "dummy" };

await describeCli("claude@2.1.325", (path) => {
  const open = async (twist: Twist, env: Record<string, string | undefined> = {}): Promise<LoopLab> => {
    lab = await LoopLab.open({ maker: () => claude(path), twist, env });
    return lab;
  };
  const isWaiting = (here: LoopLab): boolean => here.events().at(-1)?.type === "collected";

  test("waits for a usage limit, also across a kill -9, and does not count it as rework", {
    timeout: 120_000,
  }, async () => {
    const here = await open(limitedOnce(14), subscription);
    const first = here.begin("run");
    await until("the wait", () => isWaiting(here), 60_000);
    const waiting = await here.status();
    expect(waiting.phase).toBe("waiting");
    const wakesAt = Date.parse(waiting.waitingUntil ?? "");
    process.kill(first.pid, "SIGKILL");
    await first.end;

    const { code, stderr, stdout } = await here.loop("continue");
    expect(code, stderr + stdout).toBe(0);
    expect(Date.now()).toBeGreaterThanOrEqual(wakesAt);
    const ended = here.events().filter(({ type }) => type === "session-ended");
    expect(ended.map((event) => Number(event["at"]) > wakesAt)).toEqual([false, true, true]);
    expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
    const { spent } = await here.status();
    expect(spent).toMatchObject({ iterations: 1, tokens: bill(here).tokens, estimated: true });
    expect(here.git("log", "-1", "--format=%(trailers:key=Loop-Iteration,valueonly)", "--grep=^feat").trim()).toBe("1");
  });

  test("with --no-wait it exits with its own code, and resumes later", { timeout: 120_000 }, async () => {
    const here = await open(limitedOnce(3), subscription);
    const first = await here.loop("run", "--no-wait");
    expect(first.code, first.stderr + first.stdout).toBe(8);
    expect(first.stdout).toContain("Waits until");
    expect(first.stdout).toContain("loop continue");
    const { waitingUntil } = await here.status();
    await until("the limit to be over", () => Date.now() > Date.parse(waitingUntil ?? ""), 10_000);
    const { code, stderr, stdout } = await here.loop("continue");
    expect(code, stderr + stdout).toBe(0);
    expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
  });

  test("stops at limits.window_percent of a subscription's window, and resumes in the next one", {
    timeout: 240_000,
  }, async () => {
    let isOver = false;
    const twist: Twist = (request, good) => {
      if (isOver || request.rounds !== 1 || typeof good === "string") return good;
      isOver = true;
      // A minute is added to a stated time, and one that has passed closes no window.
      const reset = String(Math.floor(Date.now() / 1000) + 15);
      return { ...good, headers: window(0.83, reset) };
    };
    lab = await LoopLab.open({
      maker: () => claude(path),
      twist,
      env: subscription,
      yaml: { limits: { window_percent: 80 } },
    });
    const first = await lab.loop("run", "--no-wait");
    expect(first.code, first.stderr + first.stdout).toBe(8);
    expect(first.stdout).toContain(
      "83 % of the subscription's 5-hour window is used, and limits.window_percent is 80.",
    );
    expect(first.stderr).toContain("claude runs on a subscription: sums of money are estimates");
    const { waitingUntil } = await lab.status();
    await until("the next window", () => Date.now() > Date.parse(waitingUntil ?? ""), 90_000);
    const { code, stderr, stdout } = await lab.loop("continue");
    expect(code, stderr + stdout).toBe(0);
    expect(lab.commits()).toEqual(["feat(F001): Add f001()"]);
    const { spent } = await lab.status();
    expect(spent).toMatchObject({ iterations: 1, estimated: true });
    // Outside walls, the one request that is under way when the session is ended is not known.
    const unknown = bill(lab).tokens - spent.tokens;
    expect(unknown).toBeGreaterThanOrEqual(0);
    expect(unknown).toBeLessThan(bill(lab).tokens / 4);
    expect(stdout).toMatch(/~\$\d/);
  });

  test.skipIf(codexPath === null)(
    "with on_limit: switch, it continues with the other agent without waiting",
    { timeout: 120_000 },
    async () => {
      lab = await LoopLab.open({
        maker: () => claude(path),
        checker: codex(codexPath ?? ""),
        twist: limitedOnce(7200),
        env: subscription,
        yaml: { on_limit: "switch" },
      });
      const here = lab;
      const { code, stderr, stdout } = await here.loop("run");
      expect(code, stderr + stdout).toBe(0);
      expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
      // Claude was called twice, before its limit and at it, and never again.
      const asked = here.server.log.map(({ api }) => api);
      expect(asked.slice(0, 2)).toEqual(["messages", "messages"]);
      expect(asked.slice(2)).not.toContain("messages");
      const { spent } = await here.status();
      expect(spent).toMatchObject({ iterations: 1, tokens: bill(here).tokens, estimated: true });
    },
  );

  const stops = [
    { fault: "a key that is not accepted", step: refused(401, "invalid x-api-key"), says: "not logged in" },
    {
      fault: "an account without credit",
      step: refused(400, "Your credit balance is too low to access the Anthropic API."),
      says: "no credit left",
    },
  ];
  test.each(stops)("$fault stops the run immediately and asks", { timeout: 120_000 }, async ({ step, says }) => {
    let broken = true;
    const here = await open((_: ModelRequest, good) => (broken ? step : good));
    const first = await here.loop("run");
    expect(first.code, first.stderr + first.stdout).toBe(6);
    expect(first.stdout).toContain(says);
    expect(first.stdout).toMatch(/Next: .*loop continue/);
    expect((await here.status()).spent).toMatchObject({ sessions: 1, costUsd: 0, tokens: 0 });
    broken = false;
    const { code, stderr, stdout } = await here.loop("continue");
    expect(code, stderr + stdout).toBe(0);
    expect((await here.status()).spent).toMatchObject({ iterations: 1, tokens: bill(here).tokens });
  });
});
