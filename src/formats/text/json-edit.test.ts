// One place changes, and every other byte stays.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendAt, removeAt } from "./json-edit.ts";

describe("adding", () => {
  test.each([
    { title: "to an empty object", text: "{}", at: [], key: "a", is: '{\n  "a": 1\n}' },
    { title: "to a list on one line", text: '{"l": [1, 2]}', at: ["l"], key: null, is: '{"l": [1, 2,\n    1]}' },
    { title: "with tabs", text: '{\n\t"x": {}\n}\n', at: ["x"], key: "a", is: '{\n\t"x": {\n\t\t"a": 1\n\t}\n}\n' },
    {
      title: "with the line ends that are there",
      text: '{\r\n  "x": 1\r\n}',
      at: [],
      key: "a",
      is: '{\r\n  "x": 1,\r\n  "a": 1\r\n}',
    },
    {
      title: "after a byte order mark",
      text: '\uFEFF{ "x": 1 }',
      at: [],
      key: "a",
      is: '\uFEFF{ "x": 1,\n  "a": 1 }',
    },
    { title: "inside a list", text: '[{"h": []}]', at: [0, "h"], key: null, is: '[{"h": [\n      1\n    ]}]' },
  ])("$title", ({ text, at, key, is }) => {
    expect(appendAt(text, at, key, 1)).toBe(is);
  });
});

const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null;
const anyJson = fc
  .jsonValue({ maxDepth: 4 })
  .filter(isPlain)
  .map((value) => JSON.parse(JSON.stringify(value)) as object);
const anyText = fc
  .tuple(anyJson, fc.constantFrom(undefined, 1, 2, 4, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const added = { hooks: [{ command: 'a "quoted" \\ word', timeout: 900 }] };

test("removing an added value restores every byte", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const before = JSON.parse(text) as Record<string, unknown> | unknown[];
      fc.pre(!("added" in before));
      const key = Array.isArray(before) ? null : "added";
      const edited = appendAt(text, [], key, added);
      const wanted = Array.isArray(before) ? [...before, added] : { ...before, added };
      expect(JSON.parse(edited)).toEqual(wanted);
      const back = removeAt(edited, [Array.isArray(before) ? before.length : "added"]);
      expect(back).toBe(text);
    }),
  );
});

test("removing any part leaves the others", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, pick) => {
      const before = JSON.parse(text) as Record<string, unknown>;
      const keys = Object.keys(before);
      fc.pre(keys.length > 0);
      const key = keys[pick % keys.length] ?? "";
      const entries = Object.entries(before).filter(([name]) => name !== key);
      const wanted = Array.isArray(before) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
      expect(JSON.parse(removeAt(text, [Array.isArray(before) ? Number(key) : key]))).toEqual(wanted);
    }),
  );
});
