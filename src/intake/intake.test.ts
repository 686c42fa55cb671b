// Invariants for every request: the same answer each time, evidence that really exists, and no text that breaks it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Intake, intake, type Known, missing, toolFrom } from "./intake.ts";

const check = { name: "test", run: "npm test", must: "stay-green", from: "package.json" } as const;
const tests: Known = { checks: [check] };
const scores = ({ dimensions }: Intake): string => dimensions.map(({ score }) => score).join("");

/** It names an end that can be seen, and the thing that has it. */
function canBeJudged({ dimensions: [outcome, scope] }: Intake): boolean {
  const isInFile = outcome?.evidence.some((each) => "file" in each) === true;
  return outcome?.score === 2 && (isInFile || (scope?.score ?? 0) > 0);
}

function expectSound(request: string, known: Known = {}): Intake {
  const found = intake(request, known);
  expect(found.score).toBe(found.dimensions.reduce((sum, { score }) => sum + score, 0));
  expect(found.shape === "tool").toBe(found.score >= toolFrom && canBeJudged(found));
  if (found.languageKnown) expect(found.shape !== "intent-needed").toBe(canBeJudged(found));
  const all = [
    ...found.dimensions.flatMap(({ evidence }) => evidence),
    ...Object.values(found.reasons).flatMap(({ evidence }) => evidence),
  ];
  for (const evidence of all) {
    expect(evidence.text.trim()).not.toBe("");
    if ("at" in evidence) expect(request.slice(evidence.at, evidence.at + evidence.text.length)).toBe(evidence.text);
  }
  for (const { score, evidence, question, example } of found.dimensions) {
    expect(evidence.length > 0).toBe(score > 0);
    expect(question).toMatch(/\?$/);
    expect(example.length).toBeGreaterThan(10);
  }
  return found;
}

describe("for any request", () => {
  const words = fc.constantFrom(
    ..."fix add Refactor the all every src/a.ts /api/x `npm test` tests pass should must not delete users table İstanbul ǅ 修复 don't without - # ``` \n \t at (x.js:1:2) TypeError: p95 < 100 ms https://e.org/a_b --flag 🙂 \ud800".split(
      " ",
    ),
  );
  const sentences = fc.array(words, { maxLength: 60 }).map((list) => list.join(" "));

  test("the answer is sound, and the same every time", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), sentences), (request) => {
        const found = expectSound(request);
        expect(intake(request)).toEqual(found);
        expect(intake(request, tests).score).toBeGreaterThanOrEqual(found.score);
      }),
      { numRuns: 500 },
    );
  });

  // A backtracking pattern would exceed the test's timeout: these take a moment.
  const long = 100_000;
  const pieces = [
    "a",
    " ",
    "\n",
    "a ",
    "a/",
    "a.",
    "../",
    "`",
    "``` ",
    "a_",
    "aA",
    "(",
    "don't ",
    "no ",
    "no a ",
    "all ",
    "all a ",
    "tests ",
    "test is ",
    "must ",
    "remove ",
    "delete user",
    "0",
    "9.",
    "to 9",
    "- a\n",
    "    at x (a.js:1:1)\n",
    "until ",
    "done when ",
    "-",
    "--a",
    "İ",
    "修复",
    "\ud800",
    "fix ",
    "refactr ",
    "Error",
    "$.",
    "at ",
    "Error: ",
    "without a or b ",
    "\u0000",
    "[",
    "'",
  ];
  test.each(pieces)("100 kB of %j are read", (piece) => {
    expectSound(piece.repeat(Math.ceil(long / piece.length)).slice(0, long));
  });

  test("100 kB of anything are read", () => {
    const piece = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(piece, (parts) => {
        const text = parts.join("");
        fc.pre(text.length > 0);
        expectSound(text.repeat(Math.ceil(long / text.length)).slice(0, long));
      }),
      { numRuns: 15 },
    );
  });

  test("only the beginning of a book counts, and reading it terminates", () => {
    expect(
      expectSound(`Add a --json flag to the list command. ${"It was a dark night. ".repeat(100_000)}`).workflow,
    ).toBe("build");
  });
});

describe("facts from the workspace", () => {
  test("a check counts as a way to tell and as an end, and names its file", () => {
    const found = expectSound("Add dark mode", tests);
    expect(scores(found)).toBe("21011");
    expect(found.dimensions[3]?.evidence).toEqual([{ text: "npm test", file: "package.json" }]);
  });

  test.each([
    ["features", { features: { from: "docs/FEATURES.json", open: 3, criteria: 7 } }, "22022"],
    ["features that are all done", { features: { from: "docs/FEATURES.json", open: 0, criteria: 7 } }, "00000"],
    ["one criterion of SHAPE.md", { shape: { from: "SHAPE.md", criteria: 1, mustNots: 0 } }, "20011"],
    ["criteria and must-nots of SHAPE.md", { shape: { from: "SHAPE.md", criteria: 3, mustNots: 2 } }, "20221"],
    ["an empty SHAPE.md", { shape: { from: "SHAPE.md", criteria: 0, mustNots: 0 } }, "00000"],
    ["a scope", { scope: { from: "loop.yaml", mayTouch: ["src/**"], mustNots: ["no new dependency"] } }, "02100"],
    ["a check that has to turn green", { checks: [{ ...check, must: "turn-green" as const }] }, "21012"],
    ["a name that exists", { names: [{ name: "it", from: "src/it.ts" }] }, "02000"],
    ["no checks", { checks: [] }, "00000"],
  ] satisfies [string, Known, string][])("%s: a vague request gets their points", (_title, known, expected) => {
    const found = expectSound("make it better", known);
    expect(scores(found)).toBe(expected);
    expect(found.dimensions.flatMap(({ evidence }) => evidence).every((evidence) => "file" in evidence)).toBe(true);
  });

  test("a suite that the request names is not counted again because it exists", () => {
    expect(intake("make the tests pass", tests).score).toBe(intake("make the tests pass").score);
  });
});

describe("a refused request", () => {
  test("is asked for what is missing, with examples in its own words", () => {
    const found = expectSound("implement search");
    expect(found.shape).toBe("intent-needed");
    expect(missing(found).map(({ name }) => name)).toEqual(["outcome", "scope", "constraints", "success", "done"]);
    expect(found.dimensions.find(({ name }) => name === "success")?.example).toContain("search");
  });

  test.each([
    "keep going",
    "Don't stop",
    "until tests pass",
    "Please keep going until all the tests pass.",
    "continue until done",
  ])("is %j: it says how long, and not what", (request) => {
    expect(intake(request, { checks: [check] })).toMatchObject({ shape: "intent-needed" });
  });

  test.each(["", " ", "\n", "hello", "???", "asdf"])("is %j", (request) => {
    expect(expectSound(request).shape).toBe("intent-needed");
  });

  test.each(["make the tests pass", "fix the failing tests", "Get CI green", "tests fail"])(
    "is not %j: the failing test says the rest",
    (request) => {
      expect(expectSound(request, tests).shape).toBe("colleague");
    },
  );

  test.each([
    "Füge einen Knopf zum Abmelden in die Kopfzeile ein",
    "Добавь кнопку выхода в шапку",
    "أضف زر تسجيل الخروج إلى الصفحة",
    "ヘッダーにログアウトボタンを追加",
    "Lisää uloskirjautumispainike ylätunnisteeseen kaikille käyttäjille",
  ])("is not one in another language: %s", (request) => {
    const found = expectSound(request);
    expect(found.shape).toBe("colleague");
    expect(found.languageKnown).toBe(false);
    expect(found.reasons.shape.why.join()).toContain("English");
  });
});

describe("danger", () => {
  test.each([
    "Add search without touching the database schema",
    "Refactor the store. Don't change the public API.",
    "Improve logging; the payments module stays as it is",
    "Add dark mode, no migration",
  ])("that is ruled out does not count: %s", (request) => {
    expect(intake(request).reversibility).toBe("2B");
  });

  test.each([
    ["Fix the search.\n\n```sql\nDROP TABLE users;\n```\n", "2B"],
    ["Why does this fail?\n\n    at deleteUsers (src/payments.ts:3:1)\n", "2B"],
    ["Run `drop table users` on the server", "1"],
    ["Not only rename it, also drop the users table.", "1"],
    ["Fix the typo in the payments section of README.md", "2A"],
    ["Fix the typo in README.md and publish it to npm", "1"],
    ["Delete the accounts of users who do not pay", "1"],
    ["Users who do not pay: delete their accounts", "1"],
    ["Accounts that were never used should be deleted from the database", "1"],
    ["Keep the newest entry and delete all other rows", "1"],
    ["updating to a new token does not expire the old token", "1"],
  ])("is detected in the request, and not in pasted text: %j is %s", (request, expected) => {
    expect(intake(request).reversibility).toBe(expected);
  });
});

describe("a worked example", () => {
  const scored = (request: string): string => scores(intake(request, tests));
  test.each([
    ['Add slug(text) to src/slug.js: slug("A b") is "a-b"', "22022"],
    ['Add slug(text) to src/slug.js: `slug("A b")` → `"a-b"`', "22022"],
    ["Add add(a, b) to src/sum.js: add(1, 2) returns 3", "22022"],
    ["Add isEven(n) to src/even.js: isEven(3) === false", "22022"],
  ])("is a way to tell that it worked, and an end: %s", (request, expected) => {
    expect(scored(request)).toBe(expected);
    expect(intake(request, tests).shape).toBe("tool");
  });

  test.each([
    "Add slug(text) to src/slug.js",
    "Add a cache to src/load.js: load(1) is 3 times slower than before",
    "Add a cache to src/load.js: load(1) is 20 ms",
    "Add slug(text) to src/slug.js: slug(text) is a new function",
  ])("is not any call: %s", (request) => expect(scored(request)).toMatch(/^22.11$/));

  test.each([
    ["half(n) in src/half.js: half(2) is 1, half(-3) is -1.5. No new dependency.", "22122"],
    ["half(2) is 1", "22022"],
  ])("is clear enough without an order: %s", (request, expected) => {
    expect(scored(request)).toBe(expected);
    expect(intake(request, tests).shape).toBe("tool");
  });

  test("is no end where it may show the mistake", () => {
    expect(intake('Fix src/slug.js: slug("A b") is "a b"', tests).dimensions.at(-1)?.score).toBe(1);
  });
});
