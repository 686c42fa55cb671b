// Reads codex's output from recorded sessions, and malformed lines.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runId, sessionId } from "../../core/ids.ts";
import { type FailureClass, noUsage } from "../../core/session.ts";
import type { Exit, SessionRequest } from "../agent.ts";
import { launchRecord, writeLaunch } from "../session/session-folder.ts";
import { codexAgent } from "./codex.ts";
import { readCounts } from "./rollout.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-codex-"));
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

type Files = { reply?: string | null; stderrTail?: string };
function read(lines: readonly string[], exit: Exit | null, files: Files = {}, changes: Partial<SessionRequest> = {}) {
  const reader = codexAgent({ model: "gpt-5.5" }, machine).reader({ ...request, ...changes });
  const signs = lines.flatMap((line) => reader.line(line, false));
  return { signs, ending: reader.end(exit, { reply: null, stdoutTail: "", stderrTail: "", ...files }) };
}

describe("a recorded session that failed", () => {
  test.each<{ name: string; is: FailureClass; retryAt?: number }>([
    { name: "f429", is: "transient" },
    { name: "f500", is: "transient" },
    { name: "f529", is: "transient" },
    { name: "drop", is: "transient" },
    { name: "sse", is: "transient" },
    { name: "rl", is: "transient", retryAt: now + 2000 },
    { name: "f401", is: "authentication" },
    { name: "f403", is: "authentication" },
    { name: "f404", is: "misconfigured" },
    { name: "f400", is: "crashed" },
    { name: "maxtok", is: "crashed" },
    { name: "quota", is: "billing" },
    { name: "ctx", is: "context-full" },
    { name: "usage", is: "limited", retryAt: Date.parse("2026-11-16T03:33:00Z") },
  ])("$name is $is", ({ name, is, retryAt = null }) => {
    const { ending, signs } = read(fixture(name), failed);
    expect(ending).toMatchObject({ how: "failed", failure: { class: is, retryAt } });
    expect(signs.at(-1)).toEqual({ sign: "result" });
  });

  test("reports the provider's message, without its wrapping", () => {
    const { ending } = read(fixture("f400"), failed);
    expect(ending).toMatchObject({ failure: { text: "bad thing" } });
  });

  test.each([
    ["an escape that JSON does not have", "\\q"],
    ["a raw line break", "\n"],
  ])("a provider's message with %s keeps its class and its thread", (_, odd) => {
    const limit = `You’ve hit your usage limit.${odd} Try again at Nov 16th, 2026 3:33 AM.`;
    const message = `{"error":{"message":"${limit}","type":"usage"}}`;
    const [begun = ""] = fixture("usage");
    const { ending } = read([begun, JSON.stringify({ type: "turn.failed", error: { message } })], failed);
    expect(ending).toMatchObject({ how: "failed", failure: { class: "limited", text: limit } });
    expect(ending.nativeId).toBe(JSON.parse(begun).thread_id);
  });

  test("an error is no progress, and a session interrupted while it waited failed for that reason", () => {
    const waiting = '{"type":"error","message":"Reconnecting... waiting for network"}';
    const { signs, ending } = read([...fixture("f529").slice(0, 2), waiting, waiting], null);
    expect(signs.map(({ sign }) => sign)).toEqual(["progress", "native-id", "progress"]);
    expect(ending).toMatchObject({ failure: { class: "transient" } });
  });

  test.each([
    {
      stderr: "Error loading config.toml: model_providers contains reserved built-in provider IDs",
      is: "misconfigured",
    },
    { stderr: "error: unexpected argument '--no-such-flag' found", is: "misconfigured" },
    { stderr: "Error: thread/resume failed: no rollout found for thread id x", is: "crashed" },
    { stderr: "2026-11-15T02:59:58Z ERROR unexpected status 503 Service Unavailable", is: "transient" },
    { stderr: "", is: "crashed" },
  ])("without any output, $stderr is $is", ({ stderr, is }) => {
    const { ending } = read([], failed, { stderrTail: stderr }, { nativeId: "x" });
    expect(ending).toMatchObject({ failure: { class: is, retryAt: null }, usage: noUsage });
    expect(ending.nativeId).toBe(stderr.includes("no rollout") ? null : "x");
  });
});

describe("a recorded session that succeeded", () => {
  test("has its reply, its thread and its usage", () => {
    const { ending } = read(fixture("reply"), well, { reply: '{"status":"done"}' });
    expect(ending).toMatchObject({ how: "replied", reply: { status: "done" } });
    expect(ending.nativeId).toMatch(/^[0-9a-f-]{36}$/);
    expect(ending.usage).toMatchObject({ inputTokens: 9126, outputTokens: 5 });
    expect(ending.usage.costUsd).toBeCloseTo((9126 * 5 + 5 * 30) / 1e6, 9);
  });

  test("finds it in the output, too, when it is read again", () => {
    expect(read(fixture("reply"), null).ending).toMatchObject({ how: "replied", reply: { status: "done" } });
  });

  test("counts each token once, even though cached ones are printed twice", () => {
    const { usage } = read(fixture("edits"), well).ending;
    expect(usage).toMatchObject({ inputTokens: 27_861 - 18_435, cacheReadTokens: 18_435, outputTokens: 66 });
  });

  test("names each changed file once", () => {
    const { signs } = read(fixture("edits"), well);
    expect(signs.filter(({ sign }) => sign === "edit")).toEqual([{ sign: "edit", path: "/repo/new.txt" }]);
  });

  test.each([
    { name: "empty", says: "without output" },
    { name: "edits", says: "done" },
  ])("$name has no result when a reply was required", ({ name, says }) => {
    const { ending } = read(fixture(name), well);
    expect(ending).toMatchObject({ how: "failed", failure: { class: "no-result" } });
    expect(ending.how === "failed" && ending.failure.text).toContain(says);
  });

  test("a reply file alone is not a reply: the turn must have ended", () => {
    expect(read(fixture("killed"), null, { reply: '{"status":"done"}' }).ending.how).toBe("failed");
    expect(read(fixture("reply"), failed, { reply: '{"status":"done"}' }).ending.how).toBe("failed");
  });
});

test("the fuller window of a plan is read from the thread's record", () => {
  const file = join(folder, "windows.jsonl");
  const limits = {
    primary: { used_percent: 12.5, window_minutes: 300, resets_at: 1_794_800_000 },
    secondary: { used_percent: 83, window_minutes: 10_080, resets_at: 1_794_900_000 },
  };
  const entry = { type: "event_msg", payload: { type: "token_count", info: null, rate_limits: limits } };
  writeFileSync(file, `${JSON.stringify(entry)}\n{"type":"event_msg","payload":{"type":"token_count"}}\n`);
  expect(readCounts(file)).toEqual({
    context: null,
    window: { name: "weekly", percent: 83, until: 1_794_900_000_000 },
  });
});

describe("a session's usage", () => {
  const thread = "01a1dd1f-44bb-7751-9687-63502f1172f2";
  const day = join(folder, ".codex", "sessions", "2026", "11", "15");
  mkdirSync(day, { recursive: true });
  writeFileSync(join(day, `rollout-2026-11-15T02-52-56-${thread}.jsonl`), `${fixture("rollout").join("\n")}\n{"torn`);

  test("is read from the thread's record, per answer, also after a kill, and separately for each part", () => {
    const session = { ...request, folder: join(folder, "killed") };
    mkdirSync(session.folder, { recursive: true });
    const launch = codexAgent({}, machine).launch(session);
    const begun = (part: number, at: string) =>
      writeLaunch(session.folder, { ...launchRecord(part, launch), at: Date.parse(at) });
    begun(1, "2026-11-15T02:52:55Z");
    begun(2, "2026-11-15T02:52:58Z");
    const first = read(fixture("killed"), null, {}, session).ending;
    expect(first).toMatchObject({ how: "failed", failure: { class: "crashed" }, nativeId: thread });
    expect(first.usage).toMatchObject({ inputTokens: 9126, outputTokens: 29 });
    expect(first.usage.costUsd).toBeCloseTo((9126 * 5 + 29 * 30) / 1e6, 9);
    const second = read(fixture("resumed"), well, {}, { ...session, part: 2, nativeId: thread }).ending;
    expect(second.usage).toMatchObject({ inputTokens: 9284, outputTokens: 2 });
  });

  test("has an unknown price without a record if the printed sum covers more than this session", () => {
    const lines = fixture("resumed").map((line) => line.replaceAll(thread, "other-thread"));
    expect(read(lines, well, {}, { nativeId: "other-thread" }).ending.usage.costUsd).toBeNull();
    expect(read(lines.slice(0, 2), null).ending.usage.costUsd).toBeNull();
  });
});

test.each([
  "not json",
  "[]",
  '{"type":"item.completed"}',
  '{"type":"item.completed","item":{"type":"file_change","changes":[null,5]}}',
  '{"type":"turn.completed"}',
  '{"type":"turn.completed","usage":{"input_tokens":-5,"cached_input_tokens":1e99}}',
  '{"type":"turn.failed","error":null}',
  '{"type":"thread.started","thread_id":{"a":1}}',
])("%s is harmless and not a reply", (line) => {
  const { ending } = read([line], well);
  expect(ending.how).toBe("failed");
  expect(Object.values(ending.usage).every((value) => typeof value !== "number" || value >= 0)).toBe(true);
});

describe("a command that the guard refused", () => {
  const line = (why: string) =>
    `2026-11-15T05:36:10.858535Z ERROR codex_core::tools::router: error=Command blocked by PreToolUse hook: ${why}. Command: git push; ls`;
  const reader = codexAgent({}, machine).reader(request);

  test("is recognized by codex's stderr", () => {
    const why = "Pushing is left to the person who runs the loop.";
    expect(reader.errorLine?.(line(why), false)).toEqual([{ sign: "refused", command: "git push; ls", why }]);
  });

  test.each(["Not on a Friday.", ""])("is not one that another hook refused: %j", (why) => {
    expect(reader.errorLine?.(line(why), false)).toEqual([]);
  });
});
