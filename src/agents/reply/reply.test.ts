// Where a reply is found, and which numbers are trusted.
import fc from "fast-check";
import { expect, test } from "vitest";
import { findReply, replyEnding, usageOf } from "./reply.ts";

const status = (body: string) => `---LOOP_STATUS---\n${body}\n---END_STATUS---\n`;

test.each([
  { title: "the file", file: '{"status":"done"}', stdout: "", reply: { status: "done" } },
  { title: "a file with a byte order mark", file: '\uFEFF{"a":1}', stdout: "", reply: { a: 1 } },
  { title: "the file before stdout", file: '{"a":1}', stdout: status('{"a":2}'), reply: { a: 1 } },
  { title: "stdout when the file is torn", file: '{"a":', stdout: status('{"a":2}'), reply: { a: 2 } },
  { title: "JSON in a status block", file: null, stdout: `talk\n${status('{"a":2}')}bye`, reply: { a: 2 } },
  {
    title: "the last of two blocks",
    file: null,
    stdout: `${status('{"a":1}')}<loop-control>{"a":2}</loop-control>`,
    reply: { a: 2 },
  },
  {
    title: "the keys of a status block",
    file: null,
    stdout: status('EXIT_SIGNAL: false\nCRITERIA: {"tests pass": false}\nSTUCK_COUNT: 2\nNEXT: Fix: the tests'),
    reply: {
      status: "continue",
      exit_signal: false,
      criteria: { "tests pass": false },
      stuck_count: 2,
      next: "Fix: the tests",
    },
  },
])("a reply is found in $title", ({ file, stdout, reply }) => {
  expect(findReply(file, stdout)?.reply).toEqual(reply);
});

test.each([
  { title: "nothing", file: null, stdout: "" },
  { title: "plain talk of success", file: null, stdout: "All tests pass. Done! EXIT_SIGNAL: true" },
  { title: "loose JSON", file: null, stdout: '{"status":"done"}' },
  { title: "a block without an end", file: null, stdout: '---LOOP_STATUS---\n{"a":1}' },
  { title: "a block that says nothing", file: null, stdout: status("EXIT_SIGNAL: maybe") },
  { title: "a list", file: "[]", stdout: "" },
  { title: "null", file: "null", stdout: "" },
  { title: "text", file: '"done"', stdout: "" },
])("$title is not a reply", ({ file, stdout }) => {
  expect(findReply(file, stdout)).toBe(null);
  const ending = replyEnding({ code: 0, signal: null }, { reply: file, stdoutTail: stdout, stderrTail: "" }, 0);
  expect(ending).toMatchObject({ how: "failed", failure: { class: "no-result" } });
});

test.each([
  { says: { cost_usd: 0.5 }, costUsd: 0.5 },
  { says: { cost_usd: 0 }, costUsd: 0 },
  { says: {}, costUsd: 7 },
  { says: { cost_usd: -1 }, costUsd: null },
  { says: { cost_usd: 1e9 }, costUsd: null },
  { says: { cost_usd: Number.NaN }, costUsd: null },
  { says: { cost_usd: "0.5" }, costUsd: null },
  { says: { cost_usd: null }, costUsd: null },
  { says: "free", costUsd: 7 },
])("usage $says costs $costUsd", ({ says, costUsd }) => {
  expect(usageOf({ usage: says }, 7).costUsd).toBe(costUsd);
});

test("for any reply, the sums stay numbers", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (input, output) => {
      const usage = usageOf({ usage: { input_tokens: input, output_tokens: output } }, null);
      expect(usage.inputTokens).toBeGreaterThanOrEqual(0);
      expect(Number.isSafeInteger(usage.inputTokens + usage.outputTokens)).toBe(true);
    }),
  );
});

test("no output makes it throw", () => {
  fc.assert(
    fc.property(fc.option(fc.string()), fc.string({ unit: "binary" }), (file, stdout) => {
      for (const text of [stdout, status(stdout), `<loop-control>${stdout}</loop-control>`]) findReply(file, text);
    }),
  );
});

test("a missing reply says where it belongs", () => {
  const ending = replyEnding({ code: 0, signal: null }, { reply: null, stdoutTail: "hello", stderrTail: "" }, 0);
  const text =
    "It left no reply that can be read (exit code 0).\nIts JSON belongs in the file that $LOOP_REPLY_FILE names.";
  expect(ending).toMatchObject({ how: "failed", failure: { class: "no-result", text } });
});

test("an agent's last words come before what a reply should be: they say why there is none", () => {
  const output = { reply: null, stdoutTail: "", stderrTail: "Error: boom\n" };
  const ending = replyEnding({ code: 3, signal: null }, output, 0);
  const text = expect.stringMatching(
    /^It left no reply that can be read \(exit code 3\)\. Its last words: Error: boom\n/,
  );
  expect(ending).toMatchObject({ failure: { text } });
});
