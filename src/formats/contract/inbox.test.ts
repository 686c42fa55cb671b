import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { itemsInInbox, setInbox } from "./inbox.ts";

describe("setInbox", () => {
  test.each([
    { name: "an empty file", text: "", to: "## Triage Inbox\n\n- x\n" },
    { name: "a file without the heading", text: "# A\n\ntext\n", to: "# A\n\ntext\n\n## Triage Inbox\n\n- x\n" },
    { name: "no final newline", text: "# A", to: "# A\n\n## Triage Inbox\n\n- x\n" },
    { name: "windows line ends", text: "# A\r\n", to: "# A\r\n\r\n## Triage Inbox\r\n\r\n- x\r\n" },
    { name: "the placeholder", text: "## Triage Inbox\n(empty)\n", to: "## Triage Inbox\n- x\n" },
    { name: "a list at the end of the file", text: "# Triage Inbox\n- a\n- b", to: "# Triage Inbox\n- x" },
    {
      name: "a comment before the list, a section after it",
      text: "## Triage Inbox\n<!-- The loop writes\nhere. -->\n(empty)\n\n## Next\n- keep\n",
      to: "## Triage Inbox\n<!-- The loop writes\nhere. -->\n- x\n\n## Next\n- keep\n",
    },
    { name: "an empty section", text: "## Triage Inbox\n\n\n## Next\n", to: "## Triage Inbox\n\n- x\n\n\n## Next\n" },
    {
      name: "emoji, case and hashes",
      text: "#### 📥 TRIAGE inbox ####\n* a\n",
      to: "#### 📥 TRIAGE inbox ####\n- x\n",
    },
    {
      name: "a remark in brackets",
      text: "## Triage Inbox (for people)\n1. a\n2. b\n",
      to: "## Triage Inbox (for people)\n- x\n",
    },
    { name: "an underlined heading", text: "Triage Inbox\n---\n\n- a\n", to: "Triage Inbox\n---\n\n- x\n" },
    {
      name: "items with lines under them",
      text: "## Triage Inbox\n- a\n  more\n\n- b\n\nnote\n",
      to: "## Triage Inbox\n- x\n\nnote\n",
    },
    {
      name: "notes of a person",
      text: "## Triage Inbox\nnote\n\n- a\n\n> quote\n\n- own list\n",
      to: "## Triage Inbox\nnote\n\n- x\n\n> quote\n\n- own list\n",
    },
    {
      name: "a table and a rule",
      text: "## Triage Inbox\n| a |\n|---|\n\n- - -\n",
      to: "## Triage Inbox\n| a |\n|---|\n\n- - -\n\n- x\n",
    },
    {
      name: "the heading shown in a code fence",
      text: "~~~md\n## Triage Inbox\n- keep\n~~~\n",
      to: "~~~md\n## Triage Inbox\n- keep\n~~~\n\n## Triage Inbox\n\n- x\n",
    },
    {
      name: "a fence in a fence",
      text: "````\n```\n````\n## Triage Inbox\n- a\n",
      to: "````\n```\n````\n## Triage Inbox\n- x\n",
    },
    {
      name: "the heading after a shorter fence in a fence",
      text: "````\n```\n## Triage Inbox\n- keep\n````\n",
      to: "````\n```\n## Triage Inbox\n- keep\n````\n\n## Triage Inbox\n\n- x\n",
    },
    {
      name: "the heading in a comment",
      text: "<!--\n## Triage Inbox\n- keep\n-->\n",
      to: "<!--\n## Triage Inbox\n- keep\n-->\n\n## Triage Inbox\n\n- x\n",
    },
    {
      name: "a code fence in the list, closed at the left",
      text: "## Triage Inbox\n- a\n  ```\n# x\n```\n## Next\n",
      to: "## Triage Inbox\n- x\n## Next\n",
    },
    {
      name: "a code fence after the list",
      text: "## Triage Inbox\n- a\n```\n# keep\n```\n",
      to: "## Triage Inbox\n- x\n```\n# keep\n```\n",
    },
    {
      name: "a comment that begins in the list",
      text: "## Triage Inbox\n- a <!-- b\n## c\n-->\n\nkeep",
      to: "## Triage Inbox\n- x\n\nkeep",
    },
    { name: "a fence that is never closed", text: "```\n## Triage Inbox\n- a\n", to: "```\n## Triage Inbox\n- x\n" },
    {
      name: "a comment opening shown as code",
      text: "`<!--`\n## Triage Inbox\n- a\n<!-- -->\n",
      to: "`<!--`\n## Triage Inbox\n- x\n<!-- -->\n",
    },
    {
      name: "only the first of two",
      text: "# Triage Inbox\n- a\n# Triage Inbox\n- keep\n",
      to: "# Triage Inbox\n- x\n# Triage Inbox\n- keep\n",
    },
    {
      name: "words about it",
      text: "# My Triage Inbox notes\n- keep",
      to: "# My Triage Inbox notes\n- keep\n\n## Triage Inbox\n\n- x\n",
    },
  ])("$name", ({ text, to }) => {
    expect(setInbox(text, ["x"])).toBe(to);
  });

  test("text from an agent stays one item", () => {
    const nasty = ["a\n## Goal\nb", "<!-- swallow", "-->", "- - -", "", "\u001b[31mred", "y".repeat(9999)];
    const text = setInbox("## Triage Inbox\n\n## Next\n<!-- c -->\n", nasty);
    const items = text.split("\n").filter((line) => line.startsWith("- "));
    expect(items).toHaveLength(nasty.length);
    expect(text).toMatch(/^## Triage Inbox\n/);
    expect(text.endsWith("\n\n## Next\n<!-- c -->\n")).toBe(true);
    expect(text).not.toMatch(/<!-- swallow|\u001b/);
    expect(setInbox(text, [])).toBe("## Triage Inbox\n\n(empty)\n\n## Next\n<!-- c -->\n");
  });

  const line = fc.constantFrom(
    ...[
      "",
      " ",
      "text",
      "# A",
      "### B ##",
      "## Triage Inbox",
      "# 📥 triage inbox",
      "Triage Inbox",
      "---",
      "===",
      "- a",
      "* b",
    ],
    ...[
      "  - c",
      "    d",
      "\te",
      "1. f",
      "(empty)",
      "_(none)_",
      "```",
      "```md",
      "````",
      "~~~",
      "  ```",
      "<!-- c -->",
      "<!--",
    ],
    ...[
      "-->",
      "x <!-- y",
      "`<!--`",
      "| t | u |",
      "|---|---|",
      "> q",
      "> ## Triage Inbox",
      "<div>",
      "- <!-- z",
      "- - -",
      "#",
      "é\u2028",
    ],
  );
  const eol = fc.constantFrom("\n", "\n", "\r\n", "\r");
  const markdown = fc.oneof(
    fc.array(fc.tuple(line, eol), { maxLength: 25 }).chain((lines) => fc.boolean().map((ends) => glue(lines, ends))),
    fc.string({ unit: "binary" }),
  );
  const items = fc.array(fc.oneof(fc.string({ unit: "binary" }), line), { maxLength: 4 });

  test("setting it twice equals setting it once, for any text", () => {
    fc.assert(
      fc.property(markdown, items, items, (text, first, second) => {
        const once = setInbox(text, first);
        expect(setInbox(once, first)).toBe(once);
        expect(setInbox(setInbox(once, second), first)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  test("everything outside the list stays unchanged, for any text", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const result = setInbox(text, ["MARK"]);
        const at = result.lastIndexOf("- MARK");
        const before = result.slice(0, at);
        const after = result.slice(at + "- MARK".length);
        if (/^[\r\n]*## Triage Inbox[\r\n]+$/.test(before.slice(text.length)) && before.startsWith(text)) return; // Appended.
        expect(text.endsWith(after)).toBe(true);
        const head = text.slice(0, text.length - after.length);
        if (head.length < before.length) {
          expect(before.slice(0, head.length)).toBe(head); // Inserted, after line ends only.
          expect(before.slice(head.length)).toMatch(/^[\r\n]+$/);
        } else {
          expect(head.slice(0, before.length)).toBe(before); // Replaced: a list, which starts with an item.
          expect(head.slice(before.length)).toMatch(/^ {0,3}(?:[-*+]|\d+[.)]|_?\((?:empty|none)\)_?)(?:\s|$)/);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("text around a known section stays unchanged", () => {
    const calm = fc.array(
      fc.constantFrom("text", "", "> q", "| t |", "- a", "```\n# x\n## Triage Inbox\n- y\n```", "<!-- z -->"),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(calm, calm, items, (before, after, given) => {
        const head = `${before.join("\n")}\n\n## Triage Inbox\n\n`;
        const tail = `\n\n# After\n${after.join("\n")}`;
        const result = setInbox(`${head}- old\n- older${tail}`, given);
        expect(result.startsWith(head)).toBe(true);
        expect(result.endsWith(tail)).toBe(true);
        const list = result.slice(head.length, result.length - tail.length).split("\n");
        expect(list).toHaveLength(Math.max(1, given.length));
      }),
    );
  });

  test.each([
    ["fences that open and never close", "```a\n".repeat(100_000)],
    ["comments that open and never close", "<!--\n".repeat(100_000)],
    ["comments without end in one line", "<!--".repeat(200_000)],
    ["comments that open and close", "<!----><!--".repeat(50_000)],
    ["backticks", "`".repeat(400_000)],
    ["hashes", `# ${"# ".repeat(200_000)}x`],
    ["brackets in a heading", `# ${"(".repeat(200_000)}`],
    ["list items", `# Triage Inbox\n${"- a\n\n".repeat(80_000)}x`],
    ["ever longer fences", Array.from({ length: 800 }, (_, i) => "`".repeat(i + 3)).join("\n")],
  ])("a large file of %s terminates", (_, text) => {
    expect(setInbox(text, ["x"])).toContain("- x");
  });
});

const glue = (lines: readonly (readonly [string, string])[], ends: boolean): string =>
  lines.map(([text, end], at) => (at === lines.length - 1 && !ends ? text : text + end)).join("");

test("items are read back as they are written, and those of the loop name what they are about", () => {
  const list = "- F001: It fails. Root cause: x Next: y\n- F900 — ask Anna\n  before Friday\n* plain";
  const items = itemsInInbox(`## Triage Inbox\n<!-- here -->\n${list}\n\n## Next\n- keep\n`);
  expect(items).toEqual([
    { raw: "- F001: It fails. Root cause: x Next: y\n", about: "F001" },
    { raw: "- F900 — ask Anna\n  before Friday\n", about: null },
    { raw: "* plain", about: null },
  ]);
  expect(setInbox("## Triage Inbox\n(empty)\n", ["z"], items)).toBe(`## Triage Inbox\n- z\n${list}\n`);
  expect(setInbox("## Triage Inbox\n(empty)\n", [], items.slice(2))).toBe("## Triage Inbox\n* plain\n");
  expect(itemsInInbox("## Triage Inbox\n(empty)\n")).toEqual([]);
});

test("an item of the loop's is told by its parts, also where one has no text", () => {
  const aboutOf = (item: string) => itemsInInbox(setInbox("", [item]))[0]?.about;
  expect(aboutOf("run: What next? Root cause: x Next: y")).toBe("run");
  expect(aboutOf("run: \u0000 Root cause:  Next: y")).toBe("run");
});
