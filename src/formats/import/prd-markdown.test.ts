// A PRD as people write it.
import { describe, expect, test } from "vitest";
import { importFeatures } from "./index.ts";
import { featureHeading } from "./prd-heading.ts";

const prd = `# Checkout

People can pay.

## Features

### F001: Add a cart

A cart holds items.

**Priority:** high

Acceptance criteria:

- adding twice gives 2 items
- an empty cart
  says "empty"

### [F002] Pay with a card
- Blocked by: F001
- [ ] a card is charged once
- [ ] \`npm test\` is green

Some more words.

#### US-007 Refunds
<!-- id: US-007 blockedBy: F001, F002 parallel: true -->
##### Acceptance Criteria
1. money is back within 3 days

\`\`\`md
### F099: only an example
\`\`\`

## Out of scope

No invoices.
`;

test("headings with ids are features, with labels, lists and comments; the text outside of them is the goal", () => {
  const imported = importFeatures("PRD.md", prd, null);
  expect(imported.format).toBe("markdown");
  expect(imported.goal).toBe("# Checkout\n\nPeople can pay.\n\n## Features\n\n## Out of scope\n\nNo invoices.");
  expect(imported.features).toMatchObject([
    {
      id: "F001",
      name: "Add a cart",
      priority: 1,
      description: "A cart holds items.",
      criteria: ["adding twice gives 2 items", 'an empty cart says "empty"'],
    },
    {
      id: "F002",
      name: "Pay with a card",
      dependencies: ["F001"],
      description: "Some more words.",
      criteria: ["a card is charged once", "`npm test` is green"],
    },
    { id: "F007", name: "Refunds", dependencies: ["F001", "F002"], criteria: ["money is back within 3 days"] },
  ]);
  expect(imported.features).toHaveLength(3);
  expect(imported.features[2]?.description).toContain("F099: only an example");
});

test("a feature with all boxes ticked is existing; one with open boxes is not", () => {
  const text = "### F001: a\n- [x] one\n- [x] two\n### F002: b\n- [x] one\n- [ ] two\n";
  expect(importFeatures("p.md", text, null).features.map(({ status }) => status)).toEqual(["existing", "not-started"]);
});

test.each([
  ["F001: Title", "F001", "Title"],
  ["[T-001] Title", "T-001", "Title"],
  ["US-001 Title", "US-001", "Title"],
  ["US-001 – Title", "US-001", "Title"],
  ["ABC-12: Title", "ABC-12", "Title"],
  ["Feature 3: Title", "Feature 3", "Title"],
  ["User Story 1.2 - Title", "User Story 1.2", "Title"],
  ["**F001: Title**", "F001", "Title"],
])("the heading %s names the feature %s", (title, id, name) => {
  expect(featureHeading(title)).toEqual({ id, name });
});

test.each(["UTF-8 output", "Overview", "Phase 2", "OAuth2 login", "2024-01-31", "HTTP2", "Features"])(
  "the heading %s names no feature",
  (title) => {
    expect(featureHeading(title)).toBeNull();
  },
);

describe("dependencies", () => {
  test.each([
    ["Blocked by: F001, F002", ["F001", "F002"]],
    ["**Depends on:** F001 and F002", ["F001", "F002"]],
    ["- Dependencies: [F001], [F002]", ["F001", "F002"]],
    ["Depends on: F001 (the cart)", ["F001"]],
    ["Blocked by: none", []],
    ["<!-- blocked-by: [F001, F002] -->", ["F001", "F002"]],
  ])("can be written as %s", (line, ids) => {
    const text = `### F001: a\n- [ ] x\n### F002: b\n- [ ] y\n### F003: c\n${line}\n\n- [ ] z\n`;
    expect(importFeatures("p.md", text, null).features[2]?.dependencies).toEqual(ids);
  });
});

test("ten thousand features are read in one pass", () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `### F${at + 1}: n\n- [ ] c ${at}\n`).join("\n");
  expect(importFeatures("p.md", text, null).features).toHaveLength(10_000);
});
