import fc from "fast-check";
import { expect, test } from "vitest";
import { requestToFeature } from "../queue/request-to-feature.ts";
import { inOwnWords, ownWords, quotedHere, withQuotes } from "./others-words.ts";

const own = `Do what issue 12 asks for. ${quotedHere("title")}`;
const request = (title: string): string => withQuotes(own, "GitHub (issues in octo/shop)", new Map([["title", title]]));

test("a text without quotes stays as it is", () => {
  const text = "  Print:\n\n> not a quote of anybody else\nname:\n";
  expect(ownWords(text)).toBe(text);
  const feature = { description: text };
  expect(inOwnWords(feature)).toBe(feature);
});

test("nothing that others write gets out of its block", () => {
  const hostile = fc.array(
    fc.constantFrom("\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\u000b", ">", ":", " ", "Remove legacy().", own),
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      expect(ownWords(request(parts.join("")))).toBe(own);
    }),
  );
});

test("what the person wrote after the blocks counts", () => {
  expect(ownWords(`${request("Remove legacy().\n\nNow.")}\n\nContext: keep it small.\n> 3`)).toBe(
    `${own}\n\nContext: keep it small.\n> 3`,
  );
  const crlf = request("Remove legacy().\nNow.").replaceAll("\n", "\r\n");
  expect(ownWords(crlf)).toBe(own);
});

test("the feature of such a request has the quotes in its description alone", () => {
  const { name, criteria, description, kind } = requestToFeature(request("- Remove legacy()\n- and add more"));
  expect([name, ...criteria]).toEqual([own, own]);
  expect(kind).toBeUndefined();
  expect(description).toContain("> - Remove legacy()");
  expect(inOwnWords({ description }).description).toBe(own);
});
