// An export can be imported again, and runs nothing in a spreadsheet.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import { importFeatures } from "../import/index.ts";
import type { FeatureTerms } from "../queue/feature-terms.ts";
import { type FeatureEntry, featureStatuses, parseFeaturesJson } from "../queue/features-json.ts";
import { draftFeaturesJson } from "../queue/features-render.ts";
import { type ExportFormat, exportFeatures } from "./index.ts";

// Text with a special meaning in some format, in addition to arbitrary text.
const tricky = fc.constantFrom(
  "### F009: x",
  "- [ ] box",
  "Priority: 3",
  "Blocked by: F001",
  "<!-- c -->",
  "`code`",
  "\\*",
  "a\\",
  "#",
  "```",
  "*bold*",
  "[link]",
  "---",
  "> q",
  "1. one",
  "Acceptance criteria:",
);
const line = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
    { weight: 1, arbitrary: tricky },
    fc.tuple(tricky, fc.string({ maxLength: 10 })).map((both) => both.join(" ")),
  )
  .map((text) => text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim());
const words = line.filter((text) => text !== "");
const criterion = fc.array(words, { minLength: 1, maxLength: 2 }).map((lines) => lines.join("\n"));

const queue = fc
  .array(
    fc.record({
      name: words,
      description: fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n").trim()),
      criteria: fc.array(criterion, { minLength: 1, maxLength: 3 }),
      priority: fc.constantFrom(0, 1, 2, 7.5, 1000),
      status: fc.constantFrom(...featureStatuses),
      prefix: fc.constantFrom("F", "R", "B", "E"),
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      terms: fc.constantFrom<FeatureTerms>(
        {},
        { kind: "docs", enough: "review" },
        { kind: "keep", mayChange: ["test/a.test.ts > says <!-- no, and: #more", "b/**"] },
        { enough: "proof", mayChange: [] },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) =>
    list.map(({ prefix, needs, terms, ...rest }, at): FeatureEntry => {
      const before = list.slice(0, at).map((each, index) => featureId(`${each.prefix}${index + 1}`));
      const dependencies = needs.flatMap((need) => before[need] ?? []);
      const id = featureId(`${prefix}${at + 1}`);
      const own = { id, dependencies: [...new Set(dependencies)], designDoc: null, checks: null, mayTouch: null };
      return { ...rest, ...own, ...terms };
    }),
  );

const names: Record<Exclude<ExportFormat, "csv">, string> = {
  features: "FEATURES.json",
  "prd-json": "prd.json",
  "feature-list": "feature_list.json",
  markdown: "PRD.md",
};
const white = (text: string): string => text.replace(/[^\S\n]+/g, " ").trim();
const lasting = (features: readonly FeatureEntry[]) =>
  features.map(({ id, name, criteria, dependencies, priority, kind, mayChange, enough }) => ({
    kind,
    mayChange,
    enough,
    id,
    name: white(name),
    criteria: criteria.map(white),
    dependencies,
    priority,
  }));

test.each(Object.keys(names) as (keyof typeof names)[])(
  "exported as %s and imported again, ids, names, criteria, dependencies, priorities and terms are the same",
  (format) => {
    fc.assert(
      fc.property(queue, fc.option(words), (features, goal) => {
        const file = parseFeaturesJson(draftFeaturesJson(features), "FEATURES.json");
        const text = exportFeatures({ file, statuses: new Map(), goal }, format);
        expect(lasting(importFeatures(names[format], text, null).features)).toEqual(lasting(file.features));
      }),
      { numRuns: 150 },
    );
  },
);

describe("in a table", () => {
  const file = parseFeaturesJson(
    JSON.stringify({
      features: [{ id: "F001", name: '=HYPERLINK("x")', acceptance_criteria: ["a, b", "c"], dependencies: [] }],
    }),
    "f",
  );
  test("a cell that would be a formula is text, and commas and line breaks stay in their cell", () => {
    const csv = exportFeatures({ file, statuses: new Map([["F001", "complete"]]), goal: null }, "csv");
    expect(csv.split("\r\n")[1]).toBe(`F001,"'=HYPERLINK(""x"")",complete,1000,,"a, b\nc",`);
  });
});

test("the export has the statuses of the run", () => {
  const file = parseFeaturesJson('{"features":[{"id":"F001","acceptance_criteria":["a"]}]}', "f");
  const statuses = new Map([["F001", "complete" as const]]);
  expect(exportFeatures({ file, statuses, goal: null }, "features")).toContain('"status":"complete"');
  expect(exportFeatures({ file, statuses, goal: null }, "markdown")).toMatch(/Status: complete[\s\S]*- \[x\] a/);
  expect(JSON.parse(exportFeatures({ file, statuses, goal: "g" }, "prd-json"))).toMatchObject({
    description: "g",
    userStories: [{ id: "F001", passes: true }],
  });
});
