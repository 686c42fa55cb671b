// A hand-written LOOP.md goes through 20 rounds of the code that writes records, on a real disk: everything but the
// inbox stays.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { featureId } from "../../core/ids.ts";
import type { InboxItem } from "../../core/inbox.ts";
import type { Run } from "../../core/run.ts";
import { draftFeaturesJson } from "../../formats/queue/features-render.ts";
import { requestToFeature } from "../../formats/queue/request-to-feature.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { runFiles } from "../../project/runs/home.ts";
import { newStory } from "../../report/story.ts";
import { rememberAll, repairGuarded } from "../../runtime/records/guard.ts";
import { featuresSource } from "../../runtime/records/paths.ts";
import { writeRecords } from "../../runtime/records/write.ts";
import { contractOf, feature } from "../../testing/world/contracts.ts";

const rounds = 20;
let dir = "";
beforeAll(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-md-")));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

/** Pieces of other people's documents. None of them is the inbox, though some look like it. */
const block = fc.constantFrom(
  ...[
    "Plain prose, and more of it.",
    "Setext\n======",
    "Another one\n---",
    "# Goal",
    "### deep ### heading ###",
    "####",
  ],
  ...["| a | b |\n|---|:-:|\n| 1 | - x |", "> ## Triage Inbox\n> - quoted", "    ## Triage Inbox\n    - indented code"],
  ...["```md\n## Triage Inbox\n- in a fence\n```", "~~~~\n```\n## Triage Inbox\n~~~~", "<!-- ## Triage Inbox -->"],
  ...["<!--\n## Triage Inbox\n- in a comment\n-->", "- a list\n  - nested\n\n- of theirs", "1. one\n2) two", "* * *"],
  ...["## My Triage Inbox", "## Triage Inboxes", "Triage Inbox", "`<!--` in code", "<details>\n\n- x\n\n</details>"],
  ...[
    "é, 漢字, 🦉, \u200f, \u2028, \u00a0, \ufeff",
    `long ${"word ".repeat(3000)}`,
    "trailing spaces   ",
    "\ttab",
    "(empty)",
  ],
);
const heading = fc.constantFrom(
  "## Triage Inbox",
  "# 📥 triage INBOX #",
  "Triage Inbox\n---",
  "#### Triage Inbox (for people)",
);
const oldList = fc.constantFrom(
  "(empty)",
  "_(none)_",
  "- old\n- older\n  more of it",
  "* star\n\n* stars",
  "1. one\n2. two",
);
const remark = fc.constantFrom("", "<!-- The loop writes here. -->\n", "What waits for us:\n\n");
const eol = fc.constantFrom("\n", "\r\n");
const blocks = fc.array(block, { maxLength: 8 }).map((all) => all.join("\n\n"));
const isList = (text: string): boolean =>
  /^(?:\(empty\)|(?:- [^\n]*)(?:\n- [^\n]*)*)$/.test(text.replaceAll("\r\n", "\n"));

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.constantFrom("## Goal\n- x", "<!--", "-->", "```", "---", ""),
);
const item: fc.Arbitrary<InboxItem> = fc.oneof(
  text.map((question): InboxItem => ({ kind: "question", feature: null, question, supposition: "" })),
  text.map((by): InboxItem => ({ kind: "blocked", feature: null, by: { is: "rejected", by } })),
  text.map(
    (found): InboxItem => ({
      kind: "failed",
      feature: null,
      over: { is: "same-cause" },
      cause: { kind: "check-red", key: "k", text: found },
    }),
  ),
);
const inboxes = fc.array(fc.array(item, { maxLength: 4 }), { minLength: rounds, maxLength: rounds });

type Records = { write(inbox: readonly InboxItem[]): string; ports: Parameters<typeof writeRecords>[1]; run: Run };
let number = 0;

/** The records of a run in a real folder that contains this LOOP.md. */
function recordsOver(text: string): Records {
  const root = join(dir, String(++number));
  fs.mkdirSync(join(root, "docs"), { recursive: true });
  fs.writeFileSync(join(root, "docs/LOOP.md"), text);
  const story = newStory(contractOf([feature("F001")]));
  const ports = { disk: workspaceDisk(root), files: runFiles(join(root, "vault")) };
  ports.files.write(featuresSource, draftFeaturesJson([requestToFeature("Make it work.")]));
  rememberAll(ports, "docs");
  return {
    ports,
    run: story.run,
    write(inbox) {
      writeRecords({ ...story, run: { ...story.run, inbox } }, ports);
      expect(repairGuarded(ports, "docs")).toEqual([]);
      return fs.readFileSync(join(root, "docs/LOOP.md")).toString("utf8");
    },
  };
}

test("with an inbox in it: everything around the list stays, byte for byte, for 20 rounds", {
  timeout: 300_000,
}, () => {
  const document = fc.tuple(blocks, heading, remark, oldList, blocks, fc.boolean(), eol, fc.boolean());
  fc.assert(
    fc.property(document, inboxes, ([before, title, note, list, after, again, end, last], given) => {
      const second = again ? "\n\n## Triage Inbox\n- keep this one\n" : "";
      const lines = (text: string) => text.replaceAll("\n", end);
      const head = lines(`${before}\n\n${title}\n\n${note}`);
      const tail = lines(
        after === "" && second === "" ? (last ? "\n" : "") : `\n\n# After\n\n${after}${second}${last ? "\n" : ""}`,
      );
      const records = recordsOver(head + lines(list) + tail);
      for (const inbox of given) {
        const text = records.write(inbox);
        expect(text.slice(0, head.length)).toBe(head);
        expect(text.slice(text.length - tail.length)).toBe(tail);
        const middle = text.slice(head.length, text.length - tail.length);
        const theirs = /^_?\((?:empty|none)\)/.test(list) ? "" : lines(list);
        expect(middle.endsWith(theirs)).toBe(true);
        const ours = middle.slice(0, middle.length - theirs.length).trimEnd();
        if (ours === "") expect([theirs === "", inbox.length]).toEqual([false, 0]);
        else {
          expect(isList(ours)).toBe(true);
          expect(ours.split(end)).toHaveLength(Math.max(1, inbox.length));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("a person's item stays, and so does the reason why an earlier run gave a feature up", () => {
  const reason = "- F001: It fails twice. Root cause: rounds down Next: loop continue";
  const other = "- F009: It asks. Root cause: two readings Next: loop answer F009";
  const done = "- run: One check is red. Root cause: x Next: y";
  const theirs = "- F900 — session tokens leak: ask Anna";
  const records = recordsOver(`## Triage Inbox\n${[reason, theirs, other, done].join("\n")}\n`);
  const blocked: InboxItem = { kind: "blocked", feature: featureId("F001"), by: { is: "blocked-before" } };
  expect(records.write([blocked])).toBe(`## Triage Inbox\n${[reason, theirs, other].join("\n")}\n`);
  expect(records.write([])).toBe(`## Triage Inbox\n${[theirs, other].join("\n")}\n`);
});

test("without one: it is added at the end, once, and nothing before it changes", { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(fc.tuple(blocks, eol, fc.boolean()), inboxes, ([body, end, last], given) => {
      const text = body.replaceAll("\n", end) + (last ? end : "");
      const records = recordsOver(text);
      const sizes = given.map((inbox) => {
        const written = records.write(inbox);
        expect(written.startsWith(text)).toBe(true);
        expect(written.slice(text.length)).toMatch(/^(?:\r?\n)*## Triage Inbox(?:\r?\n){2}(?:\(empty\)|- )/);
        return [inbox.length, written.slice(text.length).split(/\r?\n- /).length - 1];
      });
      for (const [items, shown] of sizes) expect(shown).toBe(items);
    }),
    { numRuns: 40 },
  );
});

test("a file that a person saves in another encoding in the meantime is left alone, byte for byte", () => {
  const records = recordsOver("# Loop\n");
  const path = join(dir, String(number), "docs/LOOP.md");
  const latin = Buffer.from("# caf\u00e9\n\n## Triage Inbox\n\n(empty)\n", "latin1");
  fs.writeFileSync(path, latin);
  records.write([{ kind: "blocked", feature: null, by: { is: "no-work" } }]);
  expect(fs.readFileSync(path).equals(latin)).toBe(true);
});
