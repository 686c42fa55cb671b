// What can be in the twin's place, and how to tell it from a copy that is merely behind.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compareTwin, readTwin } from "./compare-twin.ts";

let dir = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-compare-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const truth = Buffer.from("one\ntwo\nthree\n");
const compare = (bytes: string) => compareTwin({ is: "file", bytes: Buffer.from(bytes) }, truth);

describe("a copy with", () => {
  test.each([
    { bytes: "one\ntwo\nthree\n", linesMissing: 0 },
    { bytes: "one\ntwo\n", linesMissing: 1 },
    { bytes: "one\n", linesMissing: 2 },
    { bytes: "", linesMissing: 3 },
    { bytes: "one\ntw", linesMissing: 2 }, // Half a line counts as missing.
    { bytes: "one\ntwo", linesMissing: 2 },
  ])("$bytes is a prefix that misses $linesMissing", ({ bytes, linesMissing }) => {
    expect(compare(bytes)).toEqual({ is: "start", length: bytes.length, linesMissing });
  });

  test.each(["x", "one\nx", "one\ntwX", "one\ntwo\nthreX", "one\ntwo\n\0\0\0\0\0\0"])("%j is torn", (bytes) => {
    expect(compare(bytes)).toEqual({ is: "torn" });
  });

  test.each([
    { bytes: "one\ntwo\nthree\nfour\n", line: 4 },
    { bytes: "one\ntwo\nthree\nfour", line: 4 },
    { bytes: "one\ntwo\nXhree\n", line: 3 },
    { bytes: "one\nX\n", line: 2 },
    { bytes: "one\ntXo\nthree\n", line: 2 },
    { bytes: "X\n", line: 1 },
    { bytes: "onX\n", line: 1 },
    { bytes: "Xne\ntwo\nthree\n", line: 1 },
    { bytes: "one\ntwo\nthreXXXXX", line: 3 },
  ])("$bytes is altered from line $line on", ({ bytes, line }) => {
    expect(compare(bytes)).toEqual({ is: "altered", why: `it differs from line ${line} on` });
  });

  test("any content is a prefix exactly when the vault's journal starts with it", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(letters, letters, (bytes, whole) => {
        const state = compareTwin({ is: "file", bytes: Buffer.from(bytes) }, Buffer.from(whole));
        expect(state.is === "start").toBe(whole.startsWith(bytes));
      }),
    );
  });
});

test("a missing twin is reported as missing, and anything but a file as altered", () => {
  expect(compareTwin({ is: "missing" }, truth)).toEqual({ is: "missing" });
  expect(compareTwin({ is: "stranger", what: "a pipe" }, truth)).toEqual({ is: "altered", why: "it is a pipe" });
});

describe("reading the twin", () => {
  const at = (name: string) => join(dir, name);

  test("returns its bytes, but only a bounded amount past the vault's length", () => {
    fs.writeFileSync(at("small"), "one\n");
    fs.truncateSync(at("small"), 4);
    fs.writeFileSync(at("large"), "");
    fs.truncateSync(at("large"), 3 * 1024 * 1024);
    expect(readTwin(at("small"), 1, null)).toEqual({ is: "file", bytes: Buffer.from("one\n") });
    const found = readTwin(at("large"), 100, null);
    expect(found.is === "file" && found.bytes.length).toBe(100 + 1024 * 1024);
  });

  test.each([
    { what: "nothing", make: () => undefined, found: { is: "missing" } },
    {
      what: "a link",
      make: () => fs.symlinkSync("/etc/passwd", at("x")),
      found: { is: "stranger", what: "a symbolic link" },
    },
    { what: "a folder", make: () => fs.mkdirSync(at("x")), found: { is: "stranger", what: "not a file" } },
    {
      what: "a pipe that nobody writes to",
      make: () => execFileSync("mkfifo", [at("x")]),
      found: { is: "stranger", what: "not a file" },
    },
  ])("recognizes $what", ({ make, found }) => {
    make();
    expect(readTwin(at("x"), 10, null)).toEqual(found);
  });

  test("reports a socket as no file", async () => {
    const server = createServer().listen(at("x"));
    await once(server, "listening");
    expect(readTwin(at("x"), 10, null)).toEqual({ is: "stranger", what: "not a file" });
    server.close();
  });

  test("below a file finds nothing", () => {
    fs.writeFileSync(at("file"), "");
    expect(readTwin(at("file/x"), 10, null)).toEqual({ is: "missing" });
  });

  test("recognizes the vault's own file under a second name", () => {
    fs.writeFileSync(at("x"), "one\n");
    const { ino } = fs.statSync(at("x"), { bigint: true });
    expect(readTwin(at("x"), 10, ino)).toMatchObject({ is: "stranger" });
    expect(readTwin(at("x"), 10, ino + 1n)).toMatchObject({ is: "file" });
  });

  test("at a path that is too long is an error", () => {
    expect(() => readTwin(at("x".repeat(300)), 10, null)).toThrow(/ENAMETOOLONG/);
  });
});
