// Which requests are similar, case by case, and from when on a hint is shown.
import fc from "fast-check";
import { expect, test } from "vitest";
import { alike, factWordsOf, patternHint, wordsOf } from "./request-words.ts";

test.each([
  { a: "Update the dependencies", b: "Please update our dependencies." },
  { a: "Add a French translation of the help page", b: "Add a Dutch translation of the help page" },
  { a: "Bump lodash to 4.17.21 and run the tests", b: "bump express to v5.0.1 and run the tests" },
  { a: "Raise the version to 2.3.0 and write the changelog", b: "Raise the version to 2.4.0, and write the changelog" },
  { a: "Fix all lint errors in src", b: "fix every lint error in src" },
  { a: "Füge eine Übersetzung der Hilfe hinzu", b: "füge eine übersetzung der hilfe hinzu!" },
])("alike: $a / $b", ({ a, b }) => {
  expect(alike([a], b)).toBe(1);
  expect(alike([b], a)).toBe(1);
});

test.each([
  { a: "Add a login page", b: "Add a help page" },
  { a: "Fix the failing test in the parser", b: "Fix the memory leak in the parser" },
  { a: "Add a French translation of the help page", b: "Remove the help page" },
  { a: "continue", b: "continue" },
  { a: "Do it", b: "Do it" },
  { a: "", b: "" },
  { a: "Rewrite the exporter so that it streams", b: "Write tests for the importer" },
])("not alike: $a / $b", ({ a, b }) => {
  expect(alike([a], b)).toBe(0);
});

test("similarity is symmetric, and any request of two words is similar to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      if (wordsOf(a).length < 2 || wordsOf(b).length < 2) return;
      expect(alike([a], b)).toBe(alike([b], a));
      expect(alike([a, a], a)).toBe(2);
    }),
  );
});

test.each([
  { nth: 1, hint: null },
  { nth: 2, hint: null },
  { nth: 3, hint: "This is the 3rd request like this." },
  { nth: 11, hint: "This is the 11th request like this." },
  { nth: 22, hint: "This is the 22nd request like this." },
])("the hint for similar request number $nth: $hint", ({ nth, hint }) => {
  const told = patternHint(nth, "r1");
  if (hint === null) expect(told).toBeNull();
  else
    expect(told).toBe(`${hint} The steps are in \`loop show r1\`; a script or a check could do it without an agent.`);
});

test("two facts that differ in a number are two, and the same one in other words' order is one", () => {
  const of = (text: string): string => factWordsOf(text).join(" ");
  expect(of("Module 1 listens on port 8081.")).not.toBe(of("Module 2 listens on port 8082."));
  expect(of("Tests for f1 live in test/.")).not.toBe(of("Tests for f2 live in test/."));
  expect(of("On port 8081 listens the module 1")).toBe(of("Module 1 listens on port 8081."));
});
