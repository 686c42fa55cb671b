import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { parseFeaturesJson } from "./features-json.ts";
import { draftFeaturesJson } from "./features-render.ts";
import { requestToFeature } from "./request-to-feature.ts";

describe("requestToFeature", () => {
  test("keeps the request verbatim", () => {
    const request = "  Add a /health route.\r\nIt answers 200.  ";
    expect(requestToFeature(request)).toMatchObject({
      id: "F001",
      name: "Add a /health route.",
      description: request,
      criteria: ["Add a /health route. It answers 200."],
      status: "not-started",
    });
  });

  test.each([
    { request: "# Fix the login\nmore", name: "Fix the login" },
    { request: "- first\n- second", name: "first" },
    { request: "#", name: "#" },
    {
      request: `${"word ".repeat(40)}`,
      name: "word word word word word word word word word word word word word word…",
    },
    { request: "x".repeat(200), name: `${"x".repeat(71)}…` },
    { request: "a\tb\u001b[31m", name: "a b [31m" },
  ])("$name", ({ request, name }) => {
    expect(requestToFeature(request).name).toBe(name);
  });

  test.each([
    ["- first\n- second", ["first", "second"]],
    [
      "Add to src/a.js:\n1. one()\n2. two()\nNo new dependencies.",
      ["Add to src/a.js: No new dependencies.", "one()", "two()"],
    ],
    [`- ${"word ".repeat(100)}`, [expect.stringMatching(/^word .{200,299}…$/)]],
  ])("the items of a list are criteria: %j", (request, criteria) => {
    expect(requestToFeature(request).criteria).toEqual(criteria);
  });

  test("a long request is cut after a sentence", () => {
    const [criterion] = requestToFeature(`Add a route. ${"It must answer quickly. ".repeat(50)}`).criteria;
    expect(criterion?.length).toBeLessThanOrEqual(300);
    expect(criterion).toMatch(/^Add a route\. It must answer quickly\..*quickly\.$/);
  });

  test("a long first sentence is cut at a word", () => {
    const [criterion] = requestToFeature("word ".repeat(500)).criteria;
    expect(criterion?.length).toBeLessThanOrEqual(300);
    expect(criterion).toMatch(/word…$/);
  });

  test.each(["", "  \n", "\u0000"])("%j is refused", (request) => {
    expect(() => requestToFeature(request)).toThrow(UserError);
  });

  test("any request gives a feature that can be written and read back, or a UserError", () => {
    const zalgo = fc.constantFrom("é", "👩‍👩‍👧‍👦", `a${"\u0301".repeat(500)}`, "\uD83D", " ", ". ", "\n", "😀", "word");
    const request = fc.oneof(
      fc.string({ unit: "binary", maxLength: 500 }),
      fc.array(zalgo, { maxLength: 200 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(request, (given) => {
        try {
          const feature = requestToFeature(given);
          expect(feature.name.length).toBeLessThanOrEqual(72);
          expect(feature.name).toMatch(/\S/);
          expect(feature.name).not.toMatch(/[\u0000-\u001f]/);
          expect(feature.criteria[0]?.length).toBeLessThanOrEqual(300);
          const [read] = parseFeaturesJson(draftFeaturesJson([feature]), "FEATURES.json").features;
          expect(read).toEqual({
            ...feature,
            name: feature.name.replace(/\s+/g, " ").trim(),
            criteria: feature.criteria,
          });
        } catch (error) {
          if (!(error instanceof UserError) || error.code !== "empty-request") throw error;
        }
      }),
      { numRuns: 400 },
    );
  });
});
