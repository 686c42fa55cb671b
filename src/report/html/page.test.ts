// The page, on arbitrary runs and on hostile text. tests/browser/report.test.ts opens it in a real browser.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleText } from "../../formats/text/visible-text.ts";
import { anyContract } from "../../testing/world/contracts.ts";
import { play } from "../../testing/world/play.ts";
import { taped } from "../../testing/world/random.ts";
import { emptyChronicle, tell } from "../chronicle.ts";
import { overview } from "../overview.ts";
import { readProofs } from "../proof-view.ts";
import { html } from "./markup.ts";
import { reportHtml } from "./page.ts";
import { style } from "./style.ts";

const tapes = fc.array(fc.nat(0xffffff), { maxLength: 600, size: "max" });

/** Every opening tag has its closing tag, in order: anything that a browser would have to guess is an error. */
function unbalanced(page: string): string | null {
  const open: string[] = [];
  for (const [, slash, name = "", rest = ""] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/g)) {
    if (["meta", "br"].includes(name) || rest.endsWith("/")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return name;
  }
  return open.at(-1) ?? null;
}

test("the style uses each colour that it defines, so that every verdict has its own", () => {
  const named = (pattern: RegExp) => [...new Set([...style.matchAll(pattern)].map(([, name]) => name))].sort();
  expect(named(/var\((--[a-z-]+)\)/g)).toEqual(named(/(--[a-z-]+):/g));
});

test("any run has a page, well formed and bounded in size, with and without its proofs", () => {
  fc.assert(
    fc.property(tapes, fc.constantFrom(0, 150, 700), (tape, trouble) => {
      const choose = taped(tape);
      const contract = anyContract(choose);
      const { run, steps } = play(contract, choose, { trouble, signals: 60, stepsMax: 3000, continues: 2 });
      const chronicle = steps.reduce((so, { before, event, after }) => tell(so, before, event, after), emptyChronicle);
      const proofs = readProofs(chronicle, { read: () => null });
      const page = reportHtml(overview({ run, chronicle }, { isDriven: true, proofs }));
      expect(unbalanced(page)).toBeNull();
      expect(page.match(/<main>/g)).toHaveLength(1);
      expect(page).not.toMatch(/\bNaN\b|undefined|\[object|Infinity/);
      expect(page.length).toBeLessThan(600_000);
    }),
    { numRuns: 60 },
  );
});

describe("text in a template", () => {
  test("never becomes markup", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const { source } = html`<p title="${text}">${text}</p>`;
        expect(source.replace(/^<p title="[^"<>]*">[^<>"]*<\/p>$/s, "")).toBe("");
      }),
    );
  });

  test.each([
    {
      what: "a script",
      text: "</script><script>alert(1)</script>",
      shown: "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
    },
    { what: "an attribute's end", text: `" onload='x'`, shown: "&quot; onload=&#39;x&#39;" },
    { what: "a line that is turned round", text: "a\u202eb", shown: "a⟨U+202E⟩b" },
    { what: "an isolate", text: "\u2066x\u2069", shown: "⟨U+2066⟩x⟨U+2069⟩" },
    { what: "a colour of a terminal", text: "\u001b[31mred\u001b[0m", shown: "red" },
    { what: "a bell and a nought", text: "a\u0007\u0000", shown: "a⟨U+0007⟩⟨U+0000⟩" },
    { what: "tags that nobody sees", text: "a\u{e0041}", shown: "a⟨U+E0041⟩" },
    { what: "half a character", text: "\ud800x", shown: "\ufffdx" },
    { what: "an emoji and another script", text: "👩‍💻 שלום", shown: "👩‍💻 שלום" },
    { what: "lines and tabs", text: "a\r\n\tb", shown: "a\n\tb" },
  ])("$what is shown and does nothing", ({ text, shown }) => {
    expect(html`${text}`.source).toBe(shown);
  });

  test("does not change when it is made visible twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleText(visibleText(text))).toBe(visibleText(text));
      }),
    );
  });
});

test.each([
  { what: "is gone", text: null },
  { what: "is half written", text: '{"checks": [' },
  { what: "is something else", text: '"hello"' },
])("a proof that $what is reported as unreadable", ({ text }) => {
  const it = { feature: "F001", number: 3, commit: "c".repeat(40) };
  const proofs = readProofs({ ...emptyChronicle, iterations: [it] } as never, { read: () => text });
  expect(proofs).toEqual({ "F001-i3.json": { is: "unreadable", file: "F001-i3.json" } });
});
