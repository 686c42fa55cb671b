import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonErrorAt } from "./json-error.ts";

describe("jsonErrorAt", () => {
  test.each([
    ["{a: 1}", 1],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ["[01]", 1],
    ["[1]]", 3],
    ["{]", 1],
    ['["a\nb"]', 3],
    ['["\\x"]', 2],
    ["[tru]", 1],
    ["[1, // why\n2]", 4],
    ["'a'", 0],
    ['["a', 3],
    ["[1", 2],
  ])("%j has its error at %d", (text, at) => {
    expect(jsonErrorAt(text)).toBe(at);
  });

  test("reports an error before the end only if JSON.parse fails, and the text before it is a prefix of JSON", () => {
    const bits = fc.constantFrom(..."{}[],:", '"a"', '"', "\\", "1", "-", "true", " ", "\n", "x");
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const isJson = parses(text);
        if (isJson) expect(jsonErrorAt(text)).toBe(text.length);
        if (jsonErrorAt(text) < text.length) expect(isJson).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test("truncated JSON has its error at its end or within its last word", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, n) => {
        const cut = json.slice(0, n % (json.length + 1));
        expect(jsonErrorAt(json)).toBe(json.length);
        expect(cut.slice(jsonErrorAt(cut))).toMatch(/^(?:[\w.+-]*|\\(?:u\w{0,3})?)$/);
      }),
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
