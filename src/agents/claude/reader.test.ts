// Reads claude's output from recorded sessions, and malformed lines.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { runId, sessionId } from "../../core/ids.ts";
import { type FailureClass, noUsage } from "../../core/session.ts";
import type { Ending, Exit, Reader, SessionRequest, Sign } from "../agent.ts";
import { launchRecord, writeLaunch } from "../session/session-folder.ts";
import { claudeAgent } from "./claude.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-claude-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const now = Date.parse("2026-11-15T03:00:00Z");
const machine = { env: { HOME: folder }, isRoot: false, now: () => now, zone: "UTC" };
const request: SessionRequest = {
  ...{ run: runId("run"), session: sessionId("one"), role: "builder", feature: null, attempt: 1, prompt: "x" },
  ...{ replySchema: {}, cwd: "/repo", mayWrite: true, folder: join(folder, "session"), part: 1, nativeId: null },
  ...{ costUsdMax: null, timeoutMs: 1000, silenceMs: 1000, handoverPercent: 100 },
};

const fixture = (name: string): string[] =>
  readFileSync(new URL(`./fixtures/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
const failed: Exit = { code: 1, signal: null };
const well: Exit = { code: 0, signal: null };
const none = { reply: null, stdoutTail: "", stderrTail: "" };

function read(lines: readonly string[], exit: Exit | null, stderrTail = "", changes: Partial<SessionRequest> = {}) {
  const reader: Reader = claudeAgent({}, machine).reader({ ...request, ...changes });
  const signs: Sign[] = lines.flatMap((line) => reader.line(line, false));
  const ending: Ending = reader.end(exit, { ...none, stderrTail });
  return { signs, ending };
}

describe("a recorded session that failed", () => {
  test.each<{ name: string; is: FailureClass; text: string }>([
    { name: "f429", is: "transient", text: "429" },
    { name: "f529", is: "transient", text: "529" },
    { name: "f529-2.1.197", is: "transient", text: "529" },
    { name: "f401", is: "authentication", text: "Invalid API key" },
    { name: "nokey", is: "authentication", text: "Not logged in" },
    { name: "f404", is: "misconfigured", text: "selected model" },
    { name: "f400", is: "crashed", text: "bad thing" },
    { name: "credit", is: "billing", text: "Credit balance" },
    { name: "credit-2.1.197", is: "billing", text: "Credit balance" },
    { name: "toolong", is: "context-full", text: "Prompt is too long" },
    { name: "toolong-2.1.197", is: "context-full", text: "Prompt is too long" },
    { name: "drop", is: "transient", text: "ECONNRESET" },
    { name: "drop-2.1.197", is: "transient", text: "ECONNRESET" },
    { name: "refusal", is: "refused", text: "can't help" },
    { name: "refusal-2.1.197", is: "refused", text: "unable to respond" },
    { name: "maxtok", is: "crashed", text: "output token maximum" },
  ])("$name is $is", ({ name, is, text }) => {
    const { ending, signs } = read(fixture(name), failed);
    expect(ending).toMatchObject({ how: "failed", failure: { class: is, retryAt: null } });
    expect(ending.how === "failed" && ending.failure.text).toContain(text);
    expect(signs).toContainEqual({ sign: "result" });
  });

  test.each(["limit", "limit-2.1.197"])("%s gives the time when it may continue", (name) => {
    const failure = { class: "limited", retryAt: 1_794_800_000_000 };
    expect(read(fixture(name), failed).ending).toMatchObject({ how: "failed", failure });
    // Without the number, the sentence says it too, but only to the minute.
    const worded = fixture(name).filter((line) => !line.includes("rate_limit_event"));
    const toTheMinute = { class: "limited", retryAt: Date.parse("2026-11-16T03:33:00Z") };
    expect(read(worded, failed).ending).toMatchObject({ failure: toTheMinute });
  });

  test.each([
    [{ status: "allowed", rateLimitType: "five_hour", utilization: 0.41, resetsAt: 1_794_800_000 }, "5-hour", 41],
    [
      {
        status: "allowed_warning",
        unifiedWindows: { five_hour: { utilization: 0.2 }, seven_day: { utilization: 0.83, resetsAt: 1_794_800_000 } },
      },
      "weekly",
      83,
    ],
  ])("the fullest window of a subscription is shown: %j", (info, name, percent) => {
    const { signs } = read([JSON.stringify({ type: "rate_limit_event", rate_limit_info: info })], null);
    expect(signs).toEqual([{ sign: "window", window: { name, percent, until: 1_794_800_000_000 } }]);
  });

  test("a retry is no progress, and a session interrupted during retries failed for that reason", () => {
    const { signs, ending } = read(fixture("f529").slice(0, 2), null);
    expect(signs.map(({ sign }) => sign)).toEqual(["progress", "native-id"]);
    expect(ending).toMatchObject({ failure: { class: "transient" } });
  });

  test.each([
    { stderr: "error: unknown option '--no-such-flag'", exit: failed, is: "misconfigured" },
    {
      stderr: "--dangerously-skip-permissions cannot be used with root/sudo privileges",
      exit: failed,
      is: "misconfigured",
    },
    { stderr: "Not logged in · Please run /login", exit: failed, is: "authentication" },
    { stderr: "", exit: failed, is: "crashed" },
    { stderr: "", exit: { code: null, signal: "SIGKILL" }, is: "crashed" },
    { stderr: "", exit: { code: 143, signal: null }, is: "crashed" },
    { stderr: "", exit: null, is: "crashed" },
  ])("without any output, $stderr and $exit are $is", ({ stderr, exit, is }) => {
    const { ending } = read([], exit, stderr, { nativeId: "kept" });
    expect(ending).toMatchObject({ failure: { class: is }, usage: noUsage, nativeId: "kept" });
  });

  test("a missing conversation loses its name", () => {
    const { ending } = read(fixture("gone"), failed, "No conversation found with session ID: x", { nativeId: "x" });
    expect(ending).toMatchObject({ how: "failed", failure: { class: "crashed" }, nativeId: null });
  });
});

test.each([well, null, { code: 143, signal: null }])(
  "a result marked as an error is not a reply, for any exit code: %j",
  (exit) => {
    expect(read(fixture("f529"), exit, "", { replySchema: null }).ending).toMatchObject({
      how: "failed",
      failure: { class: "transient" },
    });
  },
);

describe("a recorded session that succeeded", () => {
  test.each(["reply", "reply-2.1.197"])("%s has its reply, its edit, its context and its usage", (name) => {
    const { ending, signs } = read(fixture(name), well);
    expect(ending).toMatchObject({ how: "replied", reply: { status: "done" }, nativeId: expect.any(String) });
    expect(signs).toContainEqual({ sign: "edit", path: "/repo/new.txt" });
    expect(signs.filter(({ sign }) => sign === "context")).not.toEqual([]);
    expect(ending.usage.outputTokens).toBeGreaterThan(0);
    expect(ending.usage.costUsd).toBeGreaterThan(0);
  });

  test.each([
    { title: "ended by us after its result", exit: { code: null, signal: "SIGKILL" } },
    { title: "ended by SIGTERM after its result", exit: { code: 143, signal: null } },
    { title: "found gone", exit: null },
  ])("counts even if it was $title", ({ exit }) => {
    expect(read(fixture("reply"), exit).ending.how).toBe("replied");
  });

  test("does not count if the exit code says otherwise", () => {
    expect(read(fixture("reply"), failed).ending).toMatchObject({ how: "failed", failure: { class: "crashed" } });
  });

  test.each([
    { name: "words", says: "All done!" },
    { name: "empty", says: "without output" },
    { name: "denied", says: "refused the use of Bash" },
  ])("$name has no result", ({ name, says }) => {
    const { ending } = read(fixture(name), well);
    expect(ending).toMatchObject({ how: "failed", failure: { class: "no-result" } });
    expect(ending.how === "failed" && ending.failure.text).toContain(says);
  });

  test("needs no JSON when no schema was given", () => {
    const { ending } = read(fixture("words"), well, "", { replySchema: null });
    expect(ending).toMatchObject({ how: "replied", reply: null, text: "All done!" });
  });

  test("counts each of several results once, and ends with the last", () => {
    const result = fixture("reply").find((line) => line.includes('"type":"result"')) ?? "";
    const empty = JSON.stringify({ type: "result", subtype: "success", is_error: false, num_turns: 0, result: "" });
    const early = JSON.stringify({ ...JSON.parse(result), queued_turn_count: 1 });
    const one = read([result], well);
    const many = read([empty.replace("}", ',"modelUsage":{}}'), early, result], well);
    expect(many.signs.filter(({ sign }) => sign === "result")).toHaveLength(1);
    expect(many.ending.usage.outputTokens).toBe(2 * one.ending.usage.outputTokens);
  });

  test("with totals over the whole conversation, counts only the increase", () => {
    const result = JSON.parse(fixture("reply").find((line) => line.includes('"type":"result"')) ?? "");
    const [model, used] = Object.entries<{ outputTokens: number }>(result.modelUsage)[0] ?? ["", { outputTokens: 0 }];
    const modelUsage = { [model]: { ...used, outputTokens: used.outputTokens + 1_000_000, costUSD: 99 } };
    const { ending } = read([JSON.stringify({ ...result, modelUsage, total_cost_usd: 99 })], well);
    expect(ending.usage.outputTokens).toBe(used.outputTokens);
    expect(ending.usage.costUsd).toBeLessThan(1);
  });

  test("with an estimated price has no price", () => {
    const result = JSON.parse(fixture("reply").find((line) => line.includes('"type":"result"')) ?? "");
    const model_usage_since_last_result = { other: { inputTokens: 5, costUSD: 1, costBasis: "unknown" } };
    const { ending } = read([JSON.stringify({ ...result, model_usage_since_last_result })], well);
    expect(ending.usage).toMatchObject({ inputTokens: 5, costUsd: null });
  });
});

describe("a session that was killed", () => {
  const id = "b7c12305-ef15-4de9-9039-044721bd63dd";
  const first = { inputTokens: 4, outputTokens: 34, cacheReadTokens: 0, cacheWriteTokens: 20_473 };
  const projects = join(folder, ".claude", "projects", "-repo");
  mkdirSync(projects, { recursive: true });

  test("is charged by its transcript: each answer once, and only those of its own part", () => {
    writeFileSync(join(projects, `${id}.jsonl`), `${fixture("transcript").join("\n")}\n{"type":"assis`);
    const session = { ...request, folder: join(folder, "killed") };
    mkdirSync(session.folder, { recursive: true });
    const launch = claudeAgent({}, machine).launch(session);
    const begun = (part: number, at: string) =>
      writeLaunch(session.folder, { ...launchRecord(part, launch), at: Date.parse(at) });
    begun(1, "2026-11-15T02:52:45Z");
    const usd = (4 * 3 + 34 * 15 + 20_473 * 3.75) / 1e6;
    const whole = read(fixture("killed"), null, "", session).ending.usage;
    expect(whole).toMatchObject({ inputTokens: 8, outputTokens: 36, cacheWriteTokens: 20_473 + 20_664 });
    begun(2, "2026-11-15T02:52:48Z");
    const own = read(fixture("killed"), null, "", session).ending;
    expect(own).toMatchObject({ how: "failed", failure: { class: "crashed" }, usage: first, nativeId: id });
    expect(own.usage.costUsd).toBeCloseTo(usd, 9);
  });

  test("is charged by its output when there is no transcript", () => {
    rmSync(join(projects, `${id}.jsonl`), { force: true });
    const { usage } = read(fixture("killed"), null).ending;
    expect(usage).toMatchObject({ inputTokens: 4, cacheWriteTokens: 20_473 });
    expect(usage.costUsd).toBeGreaterThan(0.07);
  });

  test("of a model without a known price has an unknown cost, unless a person sets one", () => {
    const lines = fixture("killed").map((line) => line.replaceAll("claude-sonnet-4-5", "claude-new-9"));
    expect(read(lines, null).ending.usage.costUsd).toBeNull();
    const prices = { "claude-new-9": { input: 0, output: 0, cacheRead: 0, cacheWrite: 1e6 } };
    const reader = claudeAgent({ prices }, machine).reader(request);
    for (const line of lines) reader.line(line, false);
    expect(reader.end(null, none).usage.costUsd).toBe(20_473);
  });
});

describe("any output", () => {
  test.each([
    "not json",
    "",
    "[]",
    "null",
    "{",
    '{"type":"assistant"}',
    '{"type":"assistant","message":[]}',
    '{"type":"assistant","message":{"id":"m","usage":{"input_tokens":-1,"output_tokens":1e300,"cache_read_input_tokens":null}}}',
    '{"type":"assistant","message":{"id":7,"usage":{"input_tokens":-1,"output_tokens":"x"},"content":"x"}}',
    '{"type":"user","message":{"content":[null,{"type":"tool_result"}]}}',
    '{"type":"result"}',
    '{"type":"result","subtype":"success","is_error":false,"result":5,"modelUsage":{"m":null}}',
    '{"type":"rate_limit_event","rate_limit_info":null}',
    '{"type":"system","subtype":"init","session_id":5}',
    '{"__proto__":{"type":"result"},"type":"system"}',
  ])("%s is harmless and not a reply", (line) => {
    const { ending } = read([line], well);
    expect(ending.how).toBe("failed");
    expect(Object.values(ending.usage).every((value) => typeof value !== "number" || value >= 0)).toBe(true);
  });

  test("a truncated line is only a sign of life", () => {
    const reader = claudeAgent({}, machine).reader(request);
    expect(reader.line(`{"type":"result","result":"${"x".repeat(100)}`, true)).toEqual([{ sign: "progress" }]);
  });

  test("no event made of known words makes the reader throw, or turns a failure into a reply", () => {
    const word = fc.constantFrom("type", "subtype", "result", "message", "content", "usage", "is_error", "modelUsage");
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("assistant", "result", "user", "system", "init", "success", "", "x"),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(word, tie("any"), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.array(fc.dictionary(word, value, { maxKeys: 6 }), { maxLength: 6 }), (events) => {
        const { ending } = read(
          events.map((event) => JSON.stringify(event)),
          failed,
        );
        expect(ending.how).toBe("failed");
      }),
    );
  });
});

describe("a command that the guard refused", () => {
  const call = (id: string, command: string) =>
    JSON.stringify({
      type: "assistant",
      message: { id: "m", content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
    });
  const result = (id: string, content: unknown, error = true) =>
    JSON.stringify({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: error }] },
    });
  const said = (why: string) => `PreToolUse:Bash hook error: ['/usr/bin/node' '/v/guard.mjs' '/repo']: ${why}\n`;
  const push = "Pushing is left to the person who runs the loop.";
  const refused = (lines: string[]) => read(lines, well).signs.filter(({ sign }) => sign === "refused");

  test.each([
    { how: "as text", content: said(push) },
    { how: "in blocks", content: [{ type: "text", text: said(push) }] },
  ])("is recognized $how, with the command", ({ content }) => {
    expect(refused([call("t1", "git push"), result("t1", content)])).toEqual([
      { sign: "refused", command: "git push", why: push },
    ]);
  });

  test.each([
    { what: "another hook's refusal", content: said("Not on a Friday."), error: true },
    { what: "output that only looks like one", content: said(push), error: false },
    { what: "an error that quotes one", content: `Exit code 1\n${said(push)}`, error: true },
    { what: "nothing at all", content: null, error: true },
  ])("is not $what", ({ content, error }) => {
    expect(refused([call("t1", "git push"), result("t1", content, error)])).toEqual([]);
  });

  test("is recognized even without its call, for example after a truncated line", () => {
    expect(refused([result("t9", said(push))])).toEqual([{ sign: "refused", command: "a command", why: push }]);
  });
});

test("a compaction is progress, and is counted", () => {
  const line = JSON.stringify({ type: "system", subtype: "compact_boundary", compact_metadata: { trigger: "auto" } });
  expect(read([line], null).signs).toEqual([{ sign: "progress" }, { sign: "compacted" }]);
});

test("a context that fills up again after each compaction is handed over, not reported as a crash", () => {
  const result = { type: "result", subtype: "success", is_error: true, terminal_reason: "rapid_refill_breaker" };
  const line = JSON.stringify({ ...result, result: "Autocompact is thrashing: the context refilled.", modelUsage: {} });
  expect(read([line], failed).ending).toMatchObject({ how: "failed", failure: { class: "context-full" } });
});
