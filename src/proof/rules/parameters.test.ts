// Parameters that callers could give by name, judged by the texts alone.
import { describe, expect, test } from "vitest";
import { sidesBetween } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import { parameterQuestions } from "./parameters.ts";

const money = `class Book:
    def __init__(self, owner):
        self.owner = owner

    def add(self, account, cents=0):
        return account

    def _note(self, text):
        return text


def parse(text, *, sign="-"):
    def inner(value):
        return value
    return inner(text)


def total(first, /, *rest):
    return first


def _private(text):
    return text


@app.route("/<name>")
def page(name):
    return name
`;
const asked = (from: string | RegExp, to: string, description = "Refactor it"): string => {
  const base = { "pyproject.toml": '[project]\nname = "a"\n', "src/a/__init__.py": "", "src/a/money.py": money };
  const now = money.replaceAll(from, to);
  expect(now).not.toBe(money);
  const sides = sidesBetween(base, { ...base, "src/a/money.py": now });
  return parameterQuestions({ sides, feature: feature("F1", { description, kind: "keep" }) }).join("");
};

describe("a parameter that has another name", () => {
  test.each([
    ["of a function", "text, *, sign", "value, *, sign", "parse(text=…) of src/a/money.py"],
    ["that can be given by name only", 'sign="-"', 'minus="-"', "parse(sign=…)"],
    ["of a method", "account, cents", "name, cents", "Book.add(account=…)"],
    ["of a class", "self, owner", "self, who", "Book(owner=…)"],
    ["that is gone", ", cents=0", "", "Book.add(cents=…)"],
    ["that can be given by place only", 'text, *, sign="-"', 'text, /, *, sign="-"', "parse(text=…)"],
  ])("%s is asked about", (_, from, to, says) => {
    expect(asked(from, to)).toContain(says);
  });

  test.each([
    ["of a private function", "_private(text)", "_private(value)"],
    ["of a private method", "_note(self, text)", "_note(self, value)"],
    ["of a function inside", "inner(value)", "inner(each)"],
    ["that only its place gives", "first, /", "one, /"],
    ["of the rest", "*rest", "*others"],
    ["of what a framework calls", "page(name)", "page(slug)"],
    ["a new one", "account, cents=0", "account, cents=0, note=None"],
    ["a type of one", "parse(text,", "parse(text: str,"],
    ["any name is taken", /parse\(text, .*\)/g, "parse(*args, **given)"],
    ["of a function that is gone", /def total[\s\S]*?\n\n\n/g, ""],
  ])("%s is not", (_, from, to) => {
    expect(asked(from, to)).toBe("");
  });

  test("is not when the feature asks for it", () => {
    const renamed = (description: string): string => asked("text, *, sign", "value, *, sign", description);
    expect(renamed("Rename the parameter text of parse to value.")).toBe("");
    expect(renamed("Write parse(value, sign) so that it can be read.")).toBe("");
    expect(renamed("Refactor parse, which reads a text.")).not.toBe("");
  });
});
