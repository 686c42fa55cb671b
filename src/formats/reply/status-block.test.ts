import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReply } from "./reply.ts";
import { findStatusBlock } from "./status-block.ts";

const open = "---LOOP_STATUS---";
const close = "---END_STATUS---";

describe("findStatusBlock", () => {
  test("reads the lines of a block", () => {
    const text = `words\n${open}\nEXIT_SIGNAL: true\nCRITERIA: {"tests pass": false}\nSTUCK_COUNT: 2\nNEXT: fix: it\nnot a key: x\n${close}\nmore`;
    expect(findStatusBlock(text)).toMatchObject({
      form: "status",
      value: { exit_signal: true, criteria: { "tests pass": false }, stuck_count: 2, next: "fix: it" },
    });
  });

  test.each([
    { name: "JSON in a status block", text: `${open}{"status": "done"}${close}`, value: { status: "done" } },
    {
      name: "a control block",
      text: '<loop-control>\n{"kind":"promise"}\n</loop-control>',
      value: { kind: "promise" },
    },
    { name: "the last of two", text: `${open}A: 1${close}${open}A: 2${close}`, value: { a: 2 } },
    {
      name: "the last of both forms",
      text: `<loop-control>{"a":1}</loop-control>${open}A: 2${close}`,
      value: { a: 2 },
    },
    { name: "an opening before the block", text: `${open} ${open}A: 1${close}`, value: { a: 1 } },
    { name: "a closing after the block", text: `${open}A: 1${close} ${close}`, value: { a: 1 } },
    { name: "an opening after the block", text: `${open}A: 1${close} ${open}A: 2`, value: { a: 1 } },
    { name: "broken JSON", text: '<loop-control>{"a":</loop-control>', value: null },
    { name: "an empty block", text: open + close, value: null },
    { name: "windows line ends", text: `${open}\r\nA: TRUE\r\n${close}`, value: { a: true } },
  ])("$name", ({ text, value }) => {
    expect(findStatusBlock(text)?.value).toEqual(value);
  });

  test.each([
    "",
    "text",
    open,
    close,
    close + open,
    `${open}x</loop-control>`,
    "<loop-control>",
    "---LOOP_STATUS---END_STATUS---",
  ])("there is none in %j", (text) => {
    expect(findStatusBlock(text)).toBeNull();
  });

  test("its value is a valid reply", () => {
    const text = `${open}\n{"status": "blocked", "summary": "no network"}\n${close}`;
    expect(parseReply("producer", findStatusBlock(text)?.value)).toMatchObject({ status: "blocked" });
  });

  test.each([
    ["openings", open.repeat(120_000)],
    ["closings", close.repeat(120_000)],
    ["control openings", "<loop-control>".repeat(150_000)],
    ["nearly markers", "---LOOP_STATUS--".repeat(130_000)],
    ["dashes", "-".repeat(2_000_000)],
    ["a block of brackets", `<loop-control>{"a":${"[".repeat(2_000_000)}</loop-control>`],
    ["a block of closed brackets", `<loop-control>{"a":${"[".repeat(400_000)}${"]".repeat(400_000)}}</loop-control>`],
    ["a block of keys", `${open}\n${"A: {\n".repeat(150_000)}${close}`],
    ["one endless key", `${open}\n${"A".repeat(900_000)}: 1\n${close}`],
    ["blocks", `${open}A: 1${close}`.repeat(50_000)],
  ])("2 MB of %s terminates", (_, text) => {
    expect(() => findStatusBlock(text)).not.toThrow();
  });

  test("the block is the last one in any surrounding text without a marker", () => {
    const bits = fc.constantFrom(open, close, "<loop-control>", "</loop-control>", "{}", "A: 1", "\n", "x");
    fc.assert(
      fc.property(
        fc.array(bits).map((parts) => parts.join("")),
        fc.string(),
        (before, after) => {
          expect(findStatusBlock(`${before}\n${open}\nB: 7\n${close}\n${after}`)?.value).toEqual({ b: 7 });
          findStatusBlock(before);
        },
      ),
    );
  });
});
