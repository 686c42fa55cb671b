// Any program as an agent: the common suite, and its own behavior.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aRequest, type Behaviour, describeAgent } from "../../testing/agent-suite.ts";
import { misbehavingProgram } from "../../testing/misbehaving-program.ts";
import type { Agent, Sign } from "../agent.ts";
import { runSession } from "../session/session.ts";
import { commandAgent } from "./command.ts";

function stubAgent(behaviour: Behaviour, folder: string): Agent {
  return commandAgent({ kind: "command", command: [process.execPath, misbehavingProgram(folder), behaviour] });
}

describeAgent("command", { make: stubAgent });

describe("a program", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loop-command-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string, config: { env?: string[]; costUsd?: number } = {}) =>
    runSession(commandAgent({ kind: "command", command: ["sh", "-c", script], ...config }), aRequest(folder), {
      signal: new AbortController().signal,
    });

  test("gets the prompt on stdin and in a file, and its identity in variables", async () => {
    const names = ["ROLE", "FEATURE", "ATTEMPT", "RUN", "SESSION", "RESUME"].map((name) => `$LOOP_${name}`).join("|");
    const script = `cat > got; cat "$LOOP_PROMPT_FILE" >> got; echo "${names}" >> got; echo '{}' > "$LOOP_REPLY_FILE"`;
    expect(await run(script)).toMatchObject({ how: "replied" });
    const [prompts, said] = readFileSync(join(folder, "workspace", "got"), "utf8").split("Do it.Do it.");
    expect(prompts).toBe("");
    expect(said).toMatch(/^builder\|F001\|1\|run-suite-\S+\|suite-\S+\|\n$/);
  });

  test("commits as the loop's agent, and gets only named variables", async () => {
    process.env["SUITE_SECRET"] = "s3cret";
    process.env["SUITE_NAMED"] = "named";
    await run("env > got", { env: ["SUITE_NAMED"] });
    const got = readFileSync(join(folder, "workspace", "got"), "utf8");
    expect(got).toContain("GIT_COMMITTER_EMAIL=agent@loopwright.invalid");
    expect(got).toContain("SUITE_NAMED=named");
    expect(got).not.toContain("s3cret");
  });

  test.each([
    { title: "a status block", script: "echo '---LOOP_STATUS---'; echo 'EXIT_SIGNAL: true'; echo '---END_STATUS---'" },
    { title: "a control tag", script: `echo 'ok <loop-control>{"status":"done"}</loop-control>'` },
  ])("may reply by $title on stdout", async ({ script }) => {
    expect(await run(script)).toMatchObject({ how: "replied", reply: { status: "done" } });
  });

  test.each([
    { title: "nothing at all", script: "true", failure: "no-result" },
    { title: "half a reply", script: `printf '{"status": "do' > "$LOOP_REPLY_FILE"`, failure: "no-result" },
    { title: "a list", script: `echo '[1]' > "$LOOP_REPLY_FILE"`, failure: "no-result" },
    { title: "a folder for a reply", script: `mkdir "$LOOP_REPLY_FILE"`, failure: "no-result" },
    { title: "a pipe for a reply", script: `mkfifo "$LOOP_REPLY_FILE"`, failure: "no-result" },
    { title: "a link for a reply", script: `ln -s /dev/zero "$LOOP_REPLY_FILE"`, failure: "no-result" },
    { title: "no session folder", script: `rm -rf "$(dirname "$LOOP_REPLY_FILE")"; echo x`, failure: "no-result" },
    { title: "a reply and exit code 3", script: `echo '{}' > "$LOOP_REPLY_FILE"; exit 3`, failure: "crashed" },
  ])("that leaves $title has failed: $failure", async ({ script, failure }) => {
    expect(await run(script)).toMatchObject({ how: "failed", failure: { class: failure } });
  });

  test("that passes on a usage limit after other output is told of by the line that names the limit", async () => {
    const said = "You've hit your session limit · resets 8pm (UTC)";
    const result = await run(`echo "[1/4] Thinking"; echo "[2/4] Thinking"; echo "${said}"; exit 1`);
    expect(result).toMatchObject({ how: "failed", failure: { class: "limited", text: said } });
  });

  test.each(["", ">&2"])("that passes on a usage limit is limited, until the limit ends (echo %s)", async (where) => {
    const result = await run(`echo "You've hit your session limit · resets 8pm (UTC)" ${where}; exit 1`);
    expect(result).toMatchObject({ how: "failed", failure: { class: "limited", retryAt: expect.any(Number) } });
  });

  const waits = (script: string) => run(`${script}; exit 1`);
  test.each([
    { said: `{"status": "limited", "retry_after_s": 600}`, afterS: 600 },
    { said: `{"status": "limited", "summary": "Used up. Try again in 20 minutes."}`, afterS: 1200 },
    { said: `{"status": "limited", "retry_after_s": -1}`, afterS: null },
    { said: `{"status": "limited", "retry_after_s": 1e12}`, afterS: null },
  ])("that replies $said is limited, whatever its exit code", async ({ said, afterS }) => {
    for (const code of [0, 1]) {
      const before = Date.now();
      const result = await run(`echo '${said}' > "$LOOP_REPLY_FILE"; exit ${code}`);
      expect(result).toMatchObject({ how: "failed", failure: { class: "limited" } });
      const at = result.how === "failed" ? result.failure.retryAt : 0;
      if (afterS === null || at === null) expect(at).toBe(afterS);
      else expect(Math.abs(at - before - afterS * 1000)).toBeLessThan(30_000);
    }
  });

  test.each([
    "Error: 429 rate limit reached, try again in 20 seconds",
    "openai.RateLimitError: Error code: 429 - Too Many Requests",
    "Error code: 429 - rate_limit_error: Number of request tokens has exceeded your per-minute rate limit",
    "API Error: 529 overloaded_error",
    "HTTP 503 Service Unavailable",
    "HTTP/1.1 503 Service Unavailable",
  ])("that ends with %j is retried later, and no attempt is counted", async (said) => {
    expect(await waits(`echo ${JSON.stringify(said)} >&2`)).toMatchObject({
      failure: { class: "transient", isGuess: true },
    });
    // Words of a session that has worked are not an error.
    expect(await run(`echo ${JSON.stringify(said)}; echo '{}' > "$LOOP_REPLY_FILE"`)).toMatchObject({ how: "replied" });
  });

  test.each([
    "AssertionError: expected 200, got 500",
    "not ok 3 - rate limit of the login route",
    "src/limit.js:429: TypeError: x is not a function",
    "src/rate-limit.js:429: TypeError: x is not a function",
    "response status: 500",
    "HTTP/1.1 502 Bad Gateway: service unavailable",
    "not ok 4 - answers when the server is overloaded",
    "expected status 503\nthe service is unavailable",
    "Credit balance is too low",
  ])("that ends with %j has failed", async (said) => {
    expect(await waits(`printf '%b\\n' ${JSON.stringify(said)} >&2`)).toMatchObject({
      failure: { class: "no-result" },
    });
  });

  test("that is missing is a configuration error", async () => {
    const agent = commandAgent({ kind: "command", command: ["no-such-program-here"] });
    expect(await agent.probe()).toMatchObject({ found: false });
    const result = await runSession(agent, aRequest(folder), { signal: new AbortController().signal });
    expect(result).toMatchObject({ how: "failed", failure: { class: "misconfigured" }, usage: { costUsd: 0 } });
  });

  test("with an argument too long for the system is a configuration error", async () => {
    const agent = commandAgent({ kind: "command", command: ["sh", "-c", "x".repeat(3 << 20)] });
    const result = await runSession(agent, aRequest(folder), { signal: new AbortController().signal });
    expect(result).toMatchObject({ how: "failed", failure: { class: "misconfigured" } });
  });

  test("costs what it reports, else the configured cost, else unknown", async () => {
    const says = `echo '{"usage": {"cost_usd": 0.25, "input_tokens": 7}}' > "$LOOP_REPLY_FILE"`;
    const silent = `echo '{}' > "$LOOP_REPLY_FILE"`;
    expect((await run(says, { costUsd: 2 })).usage).toMatchObject({ costUsd: 0.25, inputTokens: 7 });
    expect((await run(silent, { costUsd: 2 })).usage.costUsd).toBe(2);
    expect((await run(silent)).usage.costUsd).toBe(null);
  });

  test("at a usage limit keeps its conversation, whose name the next session gets with the whole prompt", async () => {
    const limited = `echo "$LOOP_CONVERSATION" > first; echo '{"status": "limited"}' > "$LOOP_REPLY_FILE"`;
    const before = await run(limited, { costUsd: 2 });
    const first = readFileSync(join(folder, "workspace", "first"), "utf8").trim();
    expect(before).toMatchObject({ how: "failed", nativeId: first });
    const agent = commandAgent({
      kind: "command",
      command: ["sh", "-c", `echo "$LOOP_CONVERSATION $LOOP_RESUME" > again; echo '{}' > "$LOOP_REPLY_FILE"`],
      costUsd: 2,
    });
    expect(agent.needsWholePrompt).toBe(true);
    const request = { ...aRequest(folder), folder: join(folder, "next"), nativeId: before.nativeId };
    const after = await runSession(agent, request, { signal: new AbortController().signal });
    expect(readFileSync(join(folder, "workspace", "again"), "utf8")).toBe(`${first} 1\n`);
    expect(after.usage.costUsd).toBe(2);
  });

  test("at a usage limit is charged for its time, at most its price, unless it says what it cost", async () => {
    const reply = (usage: string) => `echo '{"status": "limited"${usage}}' > "$LOOP_REPLY_FILE"`;
    expect((await run(reply(""), { costUsd: 2 })).usage).toMatchObject({ costUsd: null, atMostUsd: 2 });
    expect((await run(reply(""), { costUsd: 0 })).usage.costUsd).toBe(0);
    expect((await run(reply(', "usage": {"cost_usd": 0.5}'), { costUsd: 2 })).usage.costUsd).toBe(0.5);
  });

  test("has one price for a session, however many processes it takes", async () => {
    const script = `[ -n "$LOOP_RESUME" ] || { touch began; sleep 60; }; echo '{}' > "$LOOP_REPLY_FILE"`;
    const agent = commandAgent({ kind: "command", command: ["sh", "-c", script], costUsd: 2 });
    const request = aRequest(folder);
    const cut = new AbortController();
    const first = runSession(agent, request, { signal: cut.signal });
    while (!existsSync(join(folder, "workspace", "began"))) await new Promise((resolve) => setTimeout(resolve, 20));
    cut.abort();
    expect(await first).toMatchObject({ how: "interrupted", usage: { costUsd: 2 } });
    const seen: unknown[] = [];
    const onSign = (sign: Sign) => void (sign.sign === "usage" && seen.push(sign.usage.costUsd));
    const result = await runSession(agent, request, { signal: new AbortController().signal, onSign });
    expect(result).toMatchObject({ how: "replied", parts: 2, usage: { costUsd: 2 } });
    expect(seen).toEqual([2]);
  });

  test("is not run if the session was cancelled before", async () => {
    const agent = commandAgent({ kind: "command", command: ["touch", "ran"] });
    const result = await runSession(agent, aRequest(folder), { signal: AbortSignal.abort() });
    expect(result.how).toBe("interrupted");
    expect(existsSync(join(folder, "workspace", "ran"))).toBe(false);
  });
});
