// Lines: encoding and decoding round-trips, and nothing else is accepted as a line.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Bug } from "../core/errors.ts";
import { readChain, splitLines } from "./chain.ts";
import {
  decodeLine,
  encodeLine,
  eventBytesMax,
  firstLink,
  isSelfConsistent,
  lineBytesMax,
  linkOf,
  sha256,
} from "./line.ts";

const first = firstLink("run-1");
const body = (bytes: Buffer) => bytes.subarray(0, -1);

test("a line has the specified format", () => {
  const { bytes, link } = encodeLine({ type: "a" }, first);
  const head = `{"v":1,"seq":1,"prev":"${sha256("run-1")}","event":{"type":"a"}`;
  expect(bytes.toString()).toBe(`${head},"sum":"${sha256(head)}"}\n`);
  expect(link).toEqual({ seq: 1, sum: sha256(head) });
  expect(JSON.parse(bytes.toString())).toMatchObject({ v: 1, seq: 1, event: { type: "a" } });
});

test("any JSON object survives encoding and decoding", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (event) => {
      const { bytes, link } = encodeLine(event, first);
      expect(bytes.indexOf(0x0a)).toBe(bytes.length - 1);
      expect(decodeLine(body(bytes), first)).toEqual({
        is: "line",
        event: JSON.parse(JSON.stringify(event)),
        link,
      });
    }),
  );
});

test("only a line's own bytes decode as that line", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      expect(decodeLine(Buffer.from(noise), first).is).toBe("garbled");
    }),
  );
});

test.each([
  { whose: "another run", after: firstLink("run-2") },
  { whose: "another place in the chain", after: { seq: 4, sum: first.sum } },
])("a line of $whose is misplaced", ({ after }) => {
  expect(decodeLine(body(encodeLine({ type: "a" }, after).bytes), first).is).toBe("misplaced");
});

test("a valid line of a later format is newer, not damaged", () => {
  const head = `{"v":2,"what":"ever"`;
  expect(decodeLine(Buffer.from(`${head},"sum":"${sha256(head)}"}`), first)).toEqual({ is: "newer", version: 2 });
});

test.each([undefined, null, 3, "text", [1]])("%j is not an event", (value) => {
  expect(() => encodeLine(value, first)).toThrow(Bug);
});

test("an event may have the maximum size, and not a byte more", () => {
  const around = Buffer.byteLength(JSON.stringify({ text: "" }));
  const { bytes } = encodeLine(
    { text: "x".repeat(eventBytesMax - around) },
    { seq: 999_999_999_999_999, sum: first.sum },
  );
  expect(bytes.length).toBeLessThanOrEqual(lineBytesMax);
  expect(() => encodeLine({ text: "x".repeat(eventBytesMax - around + 1) }, first)).toThrow(Bug);
  // Bytes count, not characters.
  expect(() => encodeLine({ text: "ł".repeat(eventBytesMax / 2) }, first)).toThrow(Bug);
});

/** A line with a valid checksum for any head. */
const proved = (head: string): Buffer => Buffer.from(`${head},"sum":"${sha256(head)}"}`);

test.each([
  { what: "no checksum", bytes: Buffer.from("{}"), is: "garbled" },
  { what: "a short checksum", bytes: Buffer.from(`{"v":1,"sum":"${"0".repeat(63)}"}`), is: "garbled" },
  { what: "a long checksum", bytes: Buffer.from(`{"v":1,"sum":"${"0".repeat(65)}"}`), is: "garbled" },
  { what: "another end", bytes: Buffer.from(`${proved("{").toString().slice(0, -1)}]`), is: "garbled" },
  { what: "a wrong checksum", bytes: Buffer.from(`{"v":1,"sum":"${"0".repeat(64)}"}`), is: "garbled" },
  { what: "a head of its own", bytes: proved(`{"v":1,"what":"ever"`), is: "misplaced" },
  { what: "version 0", bytes: proved(`{"v":0,"what":"ever"`), is: "misplaced" },
  { what: "version 12", bytes: proved(`{"v":12,"what":"ever"`), is: "newer" },
  { what: "a version somewhere inside", bytes: proved(`{"x":{"v":2,"a":1}`), is: "misplaced" },
  { what: "a version that is no number", bytes: proved(`{"v":2x,"a":1`), is: "misplaced" },
  { what: "no version at all", bytes: proved("{"), is: "misplaced" },
  {
    what: "an event that is not JSON",
    bytes: proved(`{"v":1,"seq":1,"prev":"${first.sum}","event":{"a"`),
    is: "misplaced",
  },
])("a line with $what is $is", ({ bytes, is }) => {
  expect(decodeLine(bytes, first).is).toBe(is);
  expect(isSelfConsistent(bytes)).toBe(is !== "garbled");
});

test("a line gives its link, if its checksum is valid and it has this format", () => {
  const { bytes, link } = encodeLine({ type: "a" }, { seq: 41, sum: first.sum });
  expect(linkOf(body(bytes))).toEqual(link);
  expect(link.seq).toBe(42);
  expect(linkOf(bytes)).toBeNull();
  for (const head of [
    `{"v":2,"seq":1,"x":1`,
    `{"v":1,"x":1`,
    `x{"v":1,"seq":1,"y":1`,
    `{"v":1,"seq":12345678901234567,"y":1`,
  ])
    expect(linkOf(proved(head))).toBeNull();
});

const two = (() => {
  const one = encodeLine({ type: "a" }, first);
  return { one, other: encodeLine({ type: "b" }, one.link) };
})();
const both = Buffer.concat([two.one.bytes, two.other.bytes]);
const spoiled = (at: number): Buffer => Buffer.concat([both.subarray(0, at), Buffer.from("X"), both.subarray(at + 1)]);
const second = two.one.bytes.length;

test.each([
  { what: "whole", bytes: both, events: 2, flaw: null },
  { what: "empty", bytes: Buffer.alloc(0), events: 0, flaw: null },
  {
    what: "cut in its second line",
    bytes: both.subarray(0, -4),
    events: 1,
    flaw: { kind: "torn", line: 2, byte: second },
  },
  {
    what: "without its last newline",
    bytes: both.subarray(0, -1),
    events: 1,
    flaw: { kind: "torn", line: 2, byte: second },
  },
  {
    what: "spoiled in its last line",
    bytes: spoiled(second + 9),
    events: 1,
    flaw: { kind: "torn", line: 2, byte: second },
  },
  { what: "spoiled in its first line", bytes: spoiled(9), events: 0, flaw: { kind: "damaged", line: 1, byte: 0 } },
  {
    what: "that misses its first line",
    bytes: two.other.bytes,
    events: 0,
    flaw: { kind: "damaged", line: 1, byte: 0 },
  },
  {
    what: "with a line of a later format at its end",
    bytes: Buffer.concat([two.one.bytes, proved(`{"v":2,"x":1`), Buffer.from("\n")]),
    events: 1,
    flaw: { kind: "newer", line: 2, byte: second },
  },
])("a journal that is $what is read as far as it is valid", ({ bytes, events, flaw }) => {
  const chain = readChain(bytes, first);
  expect(chain.events).toHaveLength(events);
  expect(chain.last).toEqual([first, two.one.link, two.other.link][events]);
  expect(chain.length).toBe([0, second, both.length][events]);
  if (flaw === null) expect(chain.flaw).toBeNull();
  else expect(chain.flaw).toMatchObject(flaw);
});

test("lines are split after each newline, and an unfinished one is omitted", () => {
  expect(splitLines(Buffer.from("a\n\nbc\nd")).map(String)).toEqual(["a\n", "\n", "bc\n"]);
  expect(splitLines(Buffer.alloc(0))).toEqual([]);
});

test("a garbled line says whether its checksum is missing or wrong, and a bug about an event is truncated", () => {
  expect(decodeLine(Buffer.from("{}"), first)).toMatchObject({ why: expect.stringContaining("does not end in") });
  expect(decodeLine(Buffer.from(`{,"sum":"${"0".repeat(64)}"}`), first)).toMatchObject({
    why: expect.stringContaining("does not match"),
  });
  const tooLarge = () => encodeLine({ text: "x".repeat(eventBytesMax) }, first);
  expect(tooLarge).toThrow(/^.{50,200}$/);
});
