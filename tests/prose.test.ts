// Documents, comments and titles of tests are in plain English: phrases that read as translated are counted.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { proseOf } from "../scripts/prose/prose-of.mjs";
import { commentsIn, stiltedIn, titlesIn } from "../scripts/prose/stilted.mjs";

const perThousandMax = 0.5;

test.each(Object.entries(proseOf(fileURLToPath(new URL("..", import.meta.url)))))(
  "%s have fewer than one stilted phrase in 2,000 words",
  (_, { words, found }) => {
    expect(words).toBeGreaterThan(10_000);
    expect((found.length / words) * 1000, found.join("\n")).toBeLessThan(perThousandMax);
  },
);

test.each([
  ["Somebody is told as that.", 2],
  ["It goes on with the work, in a room of its own.", 2],
  ["The duration of its own effect counts; it resumes within an hour.", 0],
])("%j has %i of them", (text, count) => {
  expect(stiltedIn(text).found).toHaveLength(count);
});

test("comments and titles are found in code", () => {
  const code = `// One.\n/** Two. */\nconst three = "no";\n  // Four.\ntest("five", () => 1);\ntest.each([\n  1,\n])("six %i", () => 1);\n`;
  expect(
    commentsIn(code)
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["One.", "Two.", "Four."]);
  expect(titlesIn(code)).toBe("five\nsix %i");
});
