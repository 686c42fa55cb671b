import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitsFrom } from "../../core/limits.ts";
import { inScope, isSelector, selects } from "../queue/feature-selector.ts";
import { draftLoopMd, readLoopMd, setInbox } from "./loop-md.ts";

const seed = `# Loop Contract

## Goal (verifiable end state)
<!-- NOT "make it better". Something a test or the evaluator can confirm. -->
All F-prefixed features are \`complete\`, and the
full test suite is green.

## Trigger
Manual

## Scope (in-scope feature IDs)
- Include: [F001–F006]   <!-- or "all F", "all R", a named list -->
- Exclude: [anything not listed; no new features; no edits outside the feature's files; F004]

## Autonomy Level
L1 (report-only)   <!-- L1 = pause after each iteration for approval (default)
                        L3 = unattended -->

## Triage Inbox
<!-- The loop writes here. -->
(empty)
`;

describe("readLoopMd", () => {
  test("reads a contract of the seed system", () => {
    expect(readLoopMd(seed)).toMatchObject({
      goal: "All F-prefixed features are `complete`, and the\nfull test suite is green.",
      include: ["F001–F006"],
      exclude: ["F004"],
      notes: ["anything not listed", "no new features", "no edits outside the feature's files"],
      autonomy: "L1",
    });
  });

  test("the inbox can be filled there without touching anything else", () => {
    expect(setInbox(seed, ["F002: fails twice"])).toBe(seed.replace("(empty)", "- F002: fails twice"));
  });

  test.each(["", "no headings", "# Goal", "## Goal\n<!-- later -->\n## Scope\n"])("%j has no content", (text) => {
    expect(readLoopMd(text)).toMatchObject({ goal: null, include: null, exclude: [], notes: [], autonomy: null });
  });

  test.each([
    { line: "- Include: all F", include: ["all F"] },
    { line: "- Include: all F-prefixed features", include: ["all F-prefixed features"] },
    { line: "* **Include**: `F001`, `F002` and login-form", include: ["F001", "F002", "login-form"] },
    { line: "Include: F001 F002", include: ["F001", "F002"] },
    { line: "Included: F001 to F003, B002.", include: ["F001 to F003", "B002"] },
    { line: "- Include:\n  - F001\n  - F002\n- Exclude: none", include: ["F001", "F002"] },
    { line: "- Include: everything", include: ["all"] },
    { line: "- Include: whatever seems right", include: null },
  ])("$line", ({ line, include }) => {
    expect(readLoopMd(`## Scope\n${line}\n`).include).toEqual(include);
  });

  test.each([
    { text: "L2", level: "L2" },
    { text: "Level: **l3**", level: "L3" },
    { text: "L3 (was L1)", level: "L1" },
    { text: "```\nL2\n```", level: "L2" },
    { text: "high", level: null },
    { text: "XL2", level: null },
  ])("autonomy $text is $level", ({ text, level }) => {
    expect(readLoopMd(`## Autonomy\n${text}`).autonomy).toBe(level);
  });

  test("never throws, for any text", () => {
    const bits = fc.constantFrom(
      "## Goal",
      "## Scope",
      "- Include:",
      "F001",
      "–",
      "<!--",
      "-->",
      "```",
      "\n",
      "\r",
      " ",
      "[",
      "and",
      "## Autonomy",
      "L2",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(bits).map((parts) => parts.join("")),
        ),
        (text) => {
          for (const selector of readLoopMd(text).include ?? []) expect(isSelector(selector)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("draftLoopMd", () => {
  const draft = (goal: string, ids: readonly string[] = ["F001", "F002"]) =>
    draftLoopMd({
      goal,
      include: ids,
      exclude: [],
      autonomy: "L3",
      checks: [{ name: "test", run: "npm test", must: "stay-green" }],
      limits: limitsFrom({ tokens: 5 }),
    });

  test("has its sections, in order", () => {
    const headings = draft("Ship it.")
      .split("\n")
      .filter((line) => line.startsWith("## "));
    expect(headings.map((line) => line.slice(3))).toEqual([
      "Goal (verifiable end state)",
      "Trigger",
      "Scope (in-scope feature IDs)",
      "Autonomy Level",
      'Verification (what can say "no")',
      "Limits",
      "Memory",
      "Escalation (stop and hand back when…)",
      "Triage Inbox",
    ]);
    expect(draft("Ship it.")).toContain("- test (stay-green): `npm test`\n");
    expect(draft("Ship it.")).toContain("- cost: $25\n");
  });

  const nasty = fc.constantFrom(
    "## Scope",
    "- Include: all",
    "```",
    "<!--",
    "-->",
    "---",
    "===",
    "> q",
    "a",
    "",
    "# Triage Inbox",
  );
  const goal = fc
    .oneof(
      fc.array(nasty, { minLength: 1 }).map((lines) => lines.join("\n")),
      fc.string(),
    )
    .map((text) =>
      text
        .replace(/[\r\u2028\u2029]/g, "")
        .split("\n")
        .map((line) => line.trim())
        .join("\n")
        .trim(),
    )
    .filter((text) => text !== "" && !text.includes("&"));
  test("reads back as drafted, for any goal", () => {
    fc.assert(
      fc.property(goal, (text) => {
        const read = readLoopMd(draft(text));
        expect(read).toMatchObject({ goal: text, include: ["F001", "F002"], exclude: [], notes: [], autonomy: "L3" });
        expect(setInbox(draft(text), ["x"])).toBe(draft(text).replace(/\(empty\)\n$/, "- x\n"));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("selects", () => {
  test.each([
    { selector: "F001", id: "F001", does: true },
    { selector: "f001", id: "F001", does: true },
    { selector: "F001", id: "F0010", does: false },
    { selector: "F001–F006", id: "F006", does: true },
    { selector: "F001-F006", id: "F007", does: false },
    { selector: "F002-F006", id: "F001", does: false },
    { selector: "F001-6", id: "F004", does: true },
    { selector: "F001..F006", id: "F002", does: true },
    { selector: "F001-B006", id: "F002", does: false },
    { selector: "F1-F999999999", id: "F123", does: true },
    { selector: "all F", id: "F123", does: true },
    { selector: "all F", id: "FX1", does: false },
    { selector: "all F-prefixed features", id: "F123", does: true },
    { selector: "all B", id: "F123", does: false },
    { selector: "all", id: "anything", does: true },
    { selector: "all features", id: "anything", does: true },
  ])("$selector, $id: $does", ({ selector, id, does }) => {
    expect(isSelector(selector)).toBe(true);
    expect(selects(selector, id)).toBe(does);
  });

  test("exclude wins over include, and no include means all", () => {
    expect(inScope("F001", { include: ["all F"], exclude: ["F001"] })).toBe(false);
    expect(inScope("F001", { include: null, exclude: [] })).toBe(true);
    expect(inScope("F001", { include: [], exclude: [] })).toBe(false);
  });
});
