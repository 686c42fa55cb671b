// Finds a reply wherever an agent put it, and never mistakes prose for one.
import fc from "fast-check";
import { expect, test } from "vitest";
import { replyInText } from "./reply-text.ts";

test.each([
  ["the whole text", '{"status":"done"}'],
  ["in a block", 'Here it is:\n```json\n{"status":"done"}\n```\nThat is all.'],
  ["in the last of two blocks", '```json\n{"status":"example"}\n```\nand now\n```json\n{"status":"done"}\n```'],
  ["after words", 'I am finished. {"status":"done"}'],
  ["on several lines", 'Done:\n{\n  "status": "done"\n}\n'],
  ["with words after it", '{"status":"done"}\nThank you.'],
  ["after braces that are no JSON", 'I wrote `function () { return {} }`.\n{"status":"done"}'],
])("%s", (_, text) => {
  expect(replyInText(text)).toEqual({ status: "done" });
});

test("takes an object as a whole, not a part of it", () => {
  expect(replyInText('Reply: {"a": {"b": {"c": 1}}, "d": [ {"e": 2} ]}')).toEqual({
    a: { b: { c: 1 } },
    d: [{ e: 2 }],
  });
});

test.each(["", "All done!", "[1, 2]", '"done"', "{", "}", "{status: done}", "null", "5"])("%j is none", (text) => {
  expect(replyInText(text)).toBeNull();
});

test("any object is found after any text", () => {
  const words = fc.string().filter((text) => !/[{}`]/.test(text));
  fc.assert(
    fc.property(words, fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (before, reply) => {
      const printed = JSON.stringify(reply);
      fc.pre(!printed.includes("`"));
      expect(replyInText(`${before}\n${printed}`)).toEqual(JSON.parse(printed));
    }),
  );
});
