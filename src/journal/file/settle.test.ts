// The content of the vault's journal after any damage to it and its twin: a table of both.
import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { encodeLine, firstLink, type Link, sha256 } from "../line.ts";
import { type Settled, settle } from "./settle.ts";

const first = firstLink("r1");
type Written = { bytes: Buffer; link: Link };
/** The lines of a journal, chained. */
function linesOf(...types: string[]): Written[] {
  let link = first;
  return types.map((type) => {
    const line = encodeLine({ type }, link);
    link = line.link;
    return line;
  });
}
const lines = linesOf("a", "b", "c", "d");
const journal = (count: number, of = lines): Buffer => Buffer.concat(of.slice(0, count).map(({ bytes }) => bytes));
const whole = journal(4);
const startOf = (line: number): number => journal(line - 1).length;
/** Changes one byte in the middle of a line. */
function spoiled(line: number, bytes = whole, by = 0x58): Buffer {
  const copy = Buffer.from(bytes);
  copy[startOf(line) + 60] = by;
  return copy;
}
const forged = journal(4, linesOf("x", "y", "z", "w"));
const newer = (() => {
  const head = `{"v":2,"seq":1`;
  return Buffer.from(`${head},"sum":"${sha256(head)}"}\n`);
})();

function settled(vault: Buffer | null, twin: Buffer | null, known: Link | null = null): Settled | UserError {
  try {
    return settle({ vault, twin: () => twin, first, known, vaultPath: "/vault", twinPath: "/twin" });
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}
const brief = (found: Settled | UserError) =>
  found instanceof UserError ? found.code : `${found.how.is}: ${found.chain.events.length}`;

describe("a vault", () => {
  const torn = whole.subarray(0, whole.length - 9);
  const fourth = lines[3]?.link ?? first;
  const five = journal(5, linesOf("a", "b", "c", "d", "e"));

  test.each([
    { what: "that is whole is kept, and the twin not asked", vault: whole, twin: forged, is: "kept: 4" },
    { what: "with half a line at its end loses that", vault: torn, twin: null, is: "cut: 3" },
    { what: "with half a line that the twin misses too loses that", vault: torn, twin: journal(3), is: "cut: 3" },
    { what: "with half a line that the twin has whole loses it all the same", vault: torn, twin: whole, is: "cut: 3" },
    { what: "whose last line was spoiled gets it from the twin", vault: spoiled(4), twin: whole, is: "restored: 4" },
    {
      what: "whose last line was spoiled, with a shorter twin, loses it",
      vault: spoiled(4),
      twin: journal(3),
      is: "cut: 3",
    },
    { what: "whose last line was spoiled, with no twin, loses it", vault: spoiled(4), twin: null, is: "cut: 3" },
    {
      what: "whose last line was spoiled does not believe a twin with another past",
      vault: spoiled(4),
      twin: forged,
      is: "cut: 3",
    },
    {
      what: "whose last line was spoiled does not believe a twin with one more",
      vault: spoiled(4),
      twin: journal(5, linesOf("a", "b", "c", "d", "e")),
      is: "cut: 3",
    },
    {
      what: "and a twin whose last lines were spoiled alike loses the line",
      vault: spoiled(4),
      twin: spoiled(4),
      is: "cut: 3",
    },
    { what: "damaged in the middle is restored", vault: spoiled(2), twin: whole, is: "restored: 4" },
    { what: "damaged at its beginning is restored", vault: spoiled(1), twin: whole, is: "restored: 4" },
    { what: "damaged in the middle with no twin is refused", vault: spoiled(2), twin: null, is: "journal-damaged" },
    {
      what: "damaged in the middle with an empty twin is refused",
      vault: spoiled(2),
      twin: Buffer.alloc(0),
      is: "journal-damaged",
    },
    {
      what: "damaged in the middle with a twin of other lines is refused",
      vault: spoiled(2),
      twin: forged,
      is: "journal-damaged",
    },
    {
      what: "damaged in the middle with a twin that shares only its beginning is refused",
      vault: spoiled(2),
      twin: journal(4, linesOf("a", "x", "y", "z")),
      is: "journal-damaged",
    },
    {
      what: "with a newline in the middle of a line is restored",
      vault: spoiled(2, whole, 0x0a),
      twin: whole,
      is: "restored: 4",
    },
    {
      what: "damaged in the middle and torn at its end loses the torn line alone",
      vault: Buffer.concat([spoiled(2), Buffer.from("half a line")]),
      twin: whole,
      is: "restored: 4",
    },
    {
      what: "damaged in the middle with a twin that misses sound lines is refused",
      vault: spoiled(2),
      twin: journal(3),
      is: "journal-damaged",
    },
    {
      what: "damaged in the middle with a twin damaged there too is refused",
      vault: spoiled(2),
      twin: spoiled(2),
      is: "journal-damaged",
    },
    {
      what: "damaged in the middle with a twin damaged elsewhere is refused",
      vault: spoiled(2),
      twin: spoiled(3),
      is: "journal-damaged",
    },
    {
      what: "damaged in the middle takes no line past its own last",
      vault: spoiled(2),
      twin: journal(5, linesOf("a", "b", "c", "d", "e")),
      is: "restored: 4",
    },
    {
      what: "damaged in its last two lines with a twin that misses one is refused",
      vault: spoiled(3, spoiled(4)),
      twin: journal(3),
      is: "journal-damaged",
    },
    {
      what: "damaged in its last two lines is restored",
      vault: spoiled(3, spoiled(4)),
      twin: whole,
      is: "restored: 4",
    },
    { what: "of a newer release is refused", vault: newer, twin: whole, is: "journal-too-new" },
    { what: "that is gone, with a twin, is restored", vault: null, twin: whole, is: "restored: 4" },
    { what: "that is empty, with a twin, is restored", vault: Buffer.alloc(0), twin: whole, is: "restored: 4" },
    { what: "that is gone, with a torn twin, has the sound lines", vault: null, twin: torn, is: "restored: 3" },
    { what: "that is gone, with no twin, has nothing", vault: null, twin: null, is: "kept: 0" },
    {
      what: "that is gone, with a twin of half a line, has nothing",
      vault: null,
      twin: whole.subarray(0, 20),
      is: "kept: 0",
    },
    { what: "that is gone, with a damaged twin, is refused", vault: null, twin: spoiled(2), is: "journal-damaged" },
    { what: "that is gone, with a newer twin, is refused", vault: null, twin: newer, is: "journal-too-new" },
  ])("$what", ({ vault, twin, is }) => {
    expect(brief(settled(vault, twin))).toBe(is);
  });

  test.each([
    {
      what: "gets them from a twin that has the line",
      vault: journal(2),
      twin: whole,
      known: fourth,
      is: "restored: 4",
    },
    {
      what: "and a torn one too gets them",
      vault: whole.subarray(0, startOf(3) + 9),
      twin: whole,
      known: fourth,
      is: "restored: 4",
    },
    { what: "is kept where the twin misses it too", vault: journal(2), twin: journal(3), known: fourth, is: "kept: 2" },
    {
      what: "is kept where the twin has another line there",
      vault: journal(2),
      twin: journal(4, linesOf("a", "b", "c", "x")),
      known: fourth,
      is: "kept: 2",
    },
    { what: "is kept where the twin has another past", vault: journal(2), twin: forged, known: fourth, is: "kept: 2" },
    { what: "is kept where there is no twin", vault: journal(2), twin: null, known: fourth, is: "kept: 2" },
    {
      what: "is kept where the twin is torn after that",
      vault: journal(2),
      twin: whole.subarray(0, whole.length - 1),
      known: lines[2]?.link ?? first,
      is: "kept: 2",
    },
    {
      what: "is kept where the twin's line is spoiled",
      vault: journal(2),
      twin: spoiled(4),
      known: fourth,
      is: "kept: 2",
    },
    {
      what: "but none of them takes no more from the twin",
      vault: whole,
      twin: five,
      known: lines[2]?.link ?? first,
      is: "kept: 4",
    },
    { what: "up to its end takes no more from the twin", vault: whole, twin: five, known: fourth, is: "kept: 4" },
    { what: "with its last line known misses none", vault: whole, twin: forged, known: fourth, is: "kept: 4" },
  ])("that lacks lines which a snapshot proves $what", ({ vault, twin, known, is }) => {
    expect(brief(settled(vault, twin, known))).toBe(is);
  });
});

test("returns the cut bytes, and the rest is valid", () => {
  const vault = Buffer.concat([journal(2), Buffer.from("half a li")]);
  expect(settled(vault, null)).toMatchObject({
    bytes: journal(2),
    chain: { flaw: null, last: { seq: 2 }, length: journal(2).length },
    how: { is: "cut", torn: Buffer.from("half a li") },
  });
});

test.each([
  { vault: spoiled(2), spoiled: spoiled(2) },
  { vault: null, spoiled: null },
])("returns the replaced bytes, and the journal becomes the twin's", ({ vault, spoiled: replaced }) => {
  expect(settled(vault, whole)).toMatchObject({
    bytes: whole,
    chain: { flaw: null, last: { seq: 4 } },
    how: { is: "restored", spoiled: replaced },
  });
});

test.each([
  { vault: spoiled(2), twin: null, says: /^The journal is damaged at line 2, byte \d+ of \/vault$/ },
  { vault: null, twin: spoiled(3), says: /^The journal is damaged at line 3, byte \d+ of \/twin$/ },
  { vault: newer, twin: null, says: /newer release: line 1 of \/vault$/ },
  { vault: null, twin: newer, says: /newer release: line 1 of \/twin$/ },
])("a refusal names the position: $says", ({ vault, twin, says }) => {
  const refused = settled(vault, twin);
  expect(refused).toBeInstanceOf(UserError);
  expect(refused instanceof UserError && refused.what).toMatch(says);
  // The reason starts a sentence.
  expect(refused instanceof UserError && refused.why).toMatch(/^The /);
});
