// Which functions can give back what they are given.
import { expect, test } from "vitest";
import { givingBack } from "./given-back.ts";

test.each([
  ["a.js", "export function rot(text) {\n  return text + 1;\n}\n", "export function rot(text) { return text; }\n"],
  ["a.js", "export const rot = (text, by = 3) => text + by;\n", "export const rot = (text, by = 3) => text;\n"],
  ["a.js", "const rot = async (text) => {\n  return 1;\n};\n", "const rot = async (text) => { return text; };\n"],
  [
    "a.ts",
    "function rot(text: string): number {\n  return 1;\n}\n",
    "function rot(text: string): number { return text; }\n",
  ],
  ["a.py", "def rot(text):\n    a = 1\n    return a\n", "def rot(text):\n    return text\n"],
])("%s: %s", (path, text, expected) => {
  expect(givingBack(path, text, "rot")).toBe(expected);
});

test.each([
  ["without arguments", "a.js", "export function rot() {\n  return 1;\n}\n"],
  ["that takes an object apart", "a.js", "export function rot({ a }) {\n  return a;\n}\n"],
  ["that gives it back already", "a.js", "export function rot(a) {\n  return a;\n}\n"],
  ["that yields", "a.py", "def rot(text):\n    yield text\n"],
  ["of an object", "a.py", "class A:\n    def rot(self):\n        return 1\n"],
  ["of another language", "a.go", "func rot(a int) int {\n\treturn 1\n}\n"],
])("none: a function %s", (_, path, text) => {
  expect(givingBack(path, text, "rot")).toBeNull();
});
