// What the CLI sends, and what may come instead.
import { expect, test } from "vitest";
import { isAgent, isOfRun, readHookInput } from "./input.ts";

test("every field is read", () => {
  const text = JSON.stringify({
    ...{ session_id: "s", cwd: "/w", stop_hook_active: true, last_assistant_message: "Done.", prompt: "Go" },
  });
  expect(readHookInput(text, {}, "/here")).toEqual({
    session: "s",
    folder: "/w",
    again: true,
    message: "Done.",
    prompt: "Go",
  });
});

test.each([
  "",
  "garbage",
  "[]",
  "null",
  "3",
  '{"session_id": 3}',
  '{"session_id": "a", "session_id": "b"}',
  "[".repeat(1e5),
])("%.20j names no session, unless the environment does", (text) => {
  expect(readHookInput(text, {}, "/here")).toBeNull();
  expect(readHookInput(text, { CLAUDE_CODE_SESSION_ID: "s" }, "/here")).toMatchObject({
    session: "s",
    folder: "/here",
  });
});

test("a field of the wrong type counts as missing", () => {
  const text = '{"session_id": "s", "cwd": {}, "stop_hook_active": "true", "last_assistant_message": ["x"]}';
  expect(readHookInput(text, {}, "/here")).toMatchObject({ folder: "/here", again: false, message: "" });
});

test("the folder where the session was started counts, not where the agent is now", () => {
  expect(readHookInput('{"session_id": "s", "cwd": "/tmp"}', { CLAUDE_PROJECT_DIR: "/w" }, "/x")?.folder).toBe("/w");
});

test("an agent's shell is distinguished from its CLI", () => {
  expect(isAgent({ AI_AGENT: "claude-code_2-1-325_agent" })).toBe(true);
  expect(isAgent({ AI_AGENT: "claude-code_2-1-325_harness" })).toBe(false);
  expect(isOfRun({ LOOP_SESSION: "x" })).toBe(true);
  expect(isOfRun({})).toBe(false);
});
