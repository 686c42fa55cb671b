import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ReadOrder, readNames } from "./read.ts";
import { keysOf, type RunnerKind } from "./runner.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-read-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mark = "loop-0123";
const order = (...kinds: RunnerKind[]): ReadOrder => ({
  ...{ folder, mark, cwd: "/w", output: "", declared: null },
  uses: kinds.map((kind) => ({ kind, programs: [], selects: true })),
});
const write = (name: string, ...lines: unknown[]): void =>
  writeFileSync(
    join(folder, name),
    lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""),
  );
const good = { file: "/w/a.js", name: ["s", "t"], how: "passed" };

describe("reports", () => {
  test("of several processes are merged, with paths relative to the room", () => {
    write(`${mark}-node-1.jsonl`, { runner: "node" }, good, { end: true });
    write(
      `${mark}-node-2.jsonl`,
      { runner: "node" },
      { ...good, file: "/elsewhere/b.js" },
      { ...good, file: null },
      { end: true },
    );
    expect(readNames(order("node"))).toEqual({
      tests: [
        { file: "a.js", name: "s > t", how: "passed" },
        { file: "/elsewhere/b.js", name: "s > t", how: "passed" },
        { file: null, name: "s > t", how: "passed" },
      ],
      complete: true,
      problem: null,
    });
  });

  test("names a part of the check that wrote none, and keeps the others", () => {
    write(`${mark}-node-1.jsonl`, { runner: "node" }, good, { end: true });
    expect(readNames(order("node", "pytest"))).toMatchObject({
      ...{ complete: true, problem: "pytest wrote no report, so only the exit code of the check counts." },
    });
  });

  test("gives no names without a report, and no problem without a known runner", () => {
    expect(readNames(order("jest", "jest"))).toEqual({
      ...{ tests: [], complete: false, problem: "jest wrote no report, so only the exit code of the check counts." },
    });
    expect(readNames(order())).toBeNull();
    expect(readNames({ ...order(), folder: join(folder, "missing") })).toBeNull();
  });

  test("ignores files without the mark", () => {
    write("loop-other-node-1.jsonl", { runner: "node" }, good, { end: true });
    write(`${mark}-note.txt`, "hello");
    expect(readNames(order("node"))).toMatchObject({ tests: [], complete: false });
  });
});

describe("an incomplete report", () => {
  const cut = "was cut off";
  test.each<[string, () => void, string]>([
    ["has no end", () => write(`${mark}-a.jsonl`, { runner: "node" }, good), cut],
    ["ends in a line", () => write(`${mark}-a.jsonl`, { runner: "node" }, good, '{"file":"/w'), cut],
    [
      "has a line of something else",
      () => write(`${mark}-a.jsonl`, { runner: "node" }, { file: 1 }, { end: true }),
      cut,
    ],
    ["is empty", () => write(`${mark}-a.jsonl`), "could not be read"],
    [
      "is missing where the runner was to write it",
      () => write(`${mark}-a.jsonl`, { runner: "jest", report: `${mark}-r` }),
      "is missing",
    ],
    [
      "is cut JSON",
      () => {
        write(`${mark}-a.jsonl`, { runner: "jest", report: `${mark}-r` });
        write(`${mark}-r`, '{"numTotalTests":1,"testResults":[{');
      },
      cut,
    ],
    [
      "leads out of the folder",
      () => write(`${mark}-a.jsonl`, { runner: "jest", report: `${mark}/../../etc/passwd` }),
      "could not be read",
    ],
    ["is a link", () => symlinkSync("/etc/passwd", join(folder, `${mark}-a.jsonl`)), "could not be read"],
    ["is a folder", () => mkdirSync(join(folder, `${mark}-a.jsonl`)), "could not be read"],
    [
      "is too large",
      () => {
        write(`${mark}-a.jsonl`, { runner: "node" });
        truncateSync(join(folder, `${mark}-a.jsonl`), 33 << 20);
      },
      "could not be read",
    ],
  ])("one that %s does not count and is named", (_, make, problem) => {
    make();
    const names = readNames(order("node"));
    expect(names?.complete).toBe(false);
    expect(names?.problem).toContain(problem);
  });

  test("reading never throws, for any content", () => {
    const part = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('{"runner":"node"}', '{"end":true}', "1..1", "ok 1", "<testsuite>", "\n"),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (lines, output) => {
        writeFileSync(join(folder, `${mark}-a.jsonl`), lines.join("\n"));
        const text = output.join("\n");
        expect(() => readNames({ ...order("node", "cargo"), output: text, declared: [text] })).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

test("two tests with one file and name are distinguished by their order", () => {
  const test = (how: "passed" | "failed") => ({ file: "a.js", name: "t", how });
  expect([...keysOf([test("passed"), test("failed"), { ...test("passed"), file: null }]).keys()]).toEqual([
    "a.js > t",
    "a.js > t (2)",
    "t",
  ]);
});
