// Snapshots and other files next to a journal: the reserve, and damaged files that were kept.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeLine, firstLink, lineBytesMax, sha256 } from "../line.ts";
import { keepBeside, keptAt } from "./paths.ts";
import { releaseReserve, setReserve } from "./reserve.ts";
import { fits, readSnapshot, type Snapshot, writeSnapshot } from "./snapshot-file.ts";

let dir = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-snapshot-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => join(dir, name);

const first = firstLink("r1");
const one = encodeLine({ type: "a" }, first);
const two = encodeLine({ type: "b", text: "ł".repeat(30_000) }, one.link);
const journal = Buffer.concat([one.bytes, two.bytes]);

describe("a snapshot", () => {
  const snapshot = { state: { count: 2, text: "ż\n" }, link: two.link, offset: journal.length };

  test("is read back unchanged", () => {
    expect(readSnapshot(dir, 3)).toEqual({ is: "none" });
    writeSnapshot(dir, 3, snapshot);
    expect(readSnapshot(dir, 3)).toEqual({ is: "valid", snapshot });
  });

  test("of another state version is unusable, but proves its line", () => {
    writeSnapshot(dir, 3, snapshot);
    expect(readSnapshot(dir, 4)).toEqual({
      is: "ignored",
      why: "its state has version 3, not 4",
      known: two.link,
    });
  });

  test("of another format proves nothing", () => {
    const body = '{"v":2,"seq":1';
    fs.writeFileSync(at("snapshot.json"), `${body},"checksum":"${sha256(body)}"}`);
    expect(readSnapshot(dir, 1)).toEqual({ is: "ignored", why: "its format version is 2", known: null });
  });

  test.each(["", "x", "{}", `,"checksum":"${sha256("x")}"}`])("with the content %j is ignored", (text) => {
    fs.writeFileSync(at("snapshot.json"), text);
    expect(readSnapshot(dir, 1)).toMatchObject({ is: "ignored", known: null });
  });
});

describe("a snapshot and a journal", () => {
  const fitsIn = (bytes: Buffer, given: Partial<Snapshot<null>>, run = "r1"): boolean => {
    const snapshot = { state: null, link: two.link, offset: journal.length, ...given };
    return fits(snapshot, run, bytes.length, (from, to) => {
      expect(to - from).toBeLessThanOrEqual(lineBytesMax);
      return bytes.subarray(from, to);
    });
  };

  test.each([
    { what: "at its end", bytes: journal, given: {}, fit: true },
    { what: "in its middle", bytes: journal, given: { link: one.link, offset: one.bytes.length }, fit: true },
    { what: "before its first line", bytes: journal, given: { link: first, offset: 0 }, fit: true },
    { what: "past its end", bytes: one.bytes, given: {}, fit: false },
    { what: "with another line there", bytes: journal, given: { link: one.link }, fit: false },
    { what: "with another number", bytes: journal, given: { link: { ...two.link, seq: 3 } }, fit: false },
    { what: "with another sum", bytes: journal, given: { link: { ...two.link, sum: one.link.sum } }, fit: false },
    { what: "in the middle of a line", bytes: journal, given: { offset: journal.length - 5 }, fit: false },
    {
      what: "before the first line, with a number",
      bytes: journal,
      given: { link: { ...first, seq: 1 }, offset: 0 },
      fit: false,
    },
    {
      what: "before the first line of another run",
      bytes: journal,
      given: { link: firstLink("r2"), offset: 0 },
      fit: false,
    },
    { what: "a little past its end", bytes: journal, given: { offset: journal.length + 5 }, fit: false },
    {
      what: "with another byte for the newline",
      bytes: Buffer.concat([journal.subarray(0, -1), Buffer.from("X")]),
      given: {},
      fit: false,
    },
    { what: "after a newline alone", bytes: Buffer.from("\n"), given: { offset: 1 }, fit: false },
  ])("$what match: $fit", ({ bytes, given, fit }) => {
    expect(fitsIn(bytes, given)).toBe(fit);
  });
});

describe("the reserve", () => {
  const size = () => fs.statSync(at("reserve")).size;

  test("is space that is freed once", () => {
    expect(setReserve(dir)).toBe(true);
    expect(size()).toBe(256 * 1024);
    const { ino } = fs.statSync(at("reserve"));
    expect(setReserve(dir)).toBe(true);
    expect(fs.statSync(at("reserve")).ino).toBe(ino);
    expect(releaseReserve(dir)).toBe(true);
    expect(fs.existsSync(at("reserve"))).toBe(false);
    expect(releaseReserve(dir)).toBe(false);
  });

  test("that is too small is recreated", () => {
    fs.writeFileSync(at("reserve"), "x");
    expect(setReserve(dir)).toBe(true);
    expect(size()).toBe(256 * 1024);
  });

  test("that cannot be created is missing, not an error", () => {
    expect(setReserve(at("no-such-folder"))).toBe(false);
  });
});

test("kept files get the next free name, up to twenty; the next one is reported as not kept", () => {
  const kept = Array.from({ length: 21 }, (_, n) => keepBeside(dir, "x-", ".bin", Buffer.from([n])));
  expect(kept.slice(0, 2)).toEqual([at("x-1.bin"), at("x-2.bin")]);
  expect(kept.slice(19)).toEqual([at("x-20.bin"), null]);
  expect(fs.readFileSync(at("x-20.bin"))).toEqual(Buffer.from([19]));
  expect(keptAt(at("x-1.bin"))).toContain(at("x-1.bin"));
  expect(keptAt(null)).toContain("not kept");
});
