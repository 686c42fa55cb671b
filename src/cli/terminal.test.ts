import { expect, test } from "vitest";
import { painter } from "./render/paint.ts";
import { isColoured, isRedrawn, printable } from "./terminal.ts";

const [person, pipe] = [{ isTTY: true }, {}];

test.each([
  ["a person sees colours", {}, person, {}, true],
  ["a pipe has none", {}, pipe, {}, false],
  ["NO_COLOR", {}, person, { NO_COLOR: "1" }, false],
  ["an empty NO_COLOR says nothing", {}, person, { NO_COLOR: "" }, true],
  ["FORCE_COLOR in a pipe", {}, pipe, { FORCE_COLOR: "1" }, true],
  ["FORCE_COLOR comes before NO_COLOR", {}, pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ["FORCE_COLOR=0", {}, person, { FORCE_COLOR: "0" }, false],
  ["--no-color comes first", { color: false }, person, { FORCE_COLOR: "1" }, false],
  ["a dumb terminal", {}, person, { TERM: "dumb" }, false],
] as const)("%s", (_, wanted, stream, env, coloured) => {
  expect(isColoured(wanted, stream, env)).toBe(coloured);
});

test.each([
  ["a person", {}, person, {}, true],
  ["a screen reader", { plain: true }, person, {}, false],
  ["a pipe, whatever is forced", {}, pipe, { FORCE_COLOR: "1" }, false],
  ["a dumb terminal", {}, person, { TERM: "dumb" }, false],
] as const)("lines are redrawn only for a person: %s", (_, wanted, stream, env, redrawn) => {
  expect(isRedrawn(wanted, stream, env)).toBe(redrawn);
});

test.each([
  ["a title", "\u001b]0;owned\u0007", "⟨U+001B⟩]0;owned⟨U+0007⟩"],
  ["a cursor move", "a\u001b[2Ab", "a⟨U+001B⟩[2Ab"],
  ["the eight-bit form", "\u009b2J", "⟨U+009B⟩2J"],
  ["a colour that hides text", "\u001b[8msecret", "secret"],
  ["a carriage return", "shown\rhidden", "shown\nhidden"],
  ["a line that is turned round", "a\u202eb", "a⟨U+202E⟩b"],
])("%s in a text is shown and does nothing", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("our own styles stay", () => {
  const paint = painter(true);
  const text = Object.values(paint)
    .map((style) => style("x"))
    .join("\n");
  expect(printable(text)).toBe(text);
  expect(text).toContain("\u001b[");
});
