// Following a journal: what is new, once, also after the file was cut or replaced.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeLine, firstLink } from "../line.ts";
import { journalIn } from "./paths.ts";
import { JournalTail } from "./tail.ts";

let dir = "";
let parsed = 0;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-tail-"));
  parsed = 0;
});
afterEach(() => fs.rmSync(dir, { recursive: true }));

const linesOf = (...names: string[]): Buffer[] => {
  let last = firstLink("run");
  return names.map((name) => {
    const { bytes, link } = encodeLine({ name }, last);
    last = link;
    return bytes;
  });
};
const put = (...lines: Buffer[]): void => fs.writeFileSync(journalIn(dir), Buffer.concat(lines));
const tailOf = () =>
  new JournalTail(dir, "run", (json) => {
    parsed += 1;
    return (json as { name: string }).name;
  });

test("a look parses only what is new", () => {
  const [a, b, c] = linesOf("a", "b", "c") as [Buffer, Buffer, Buffer];
  const tail = tailOf();
  put(a, b);
  expect(tail.read()).toEqual({ after: 0, events: ["a", "b"] });
  put(a, b, c);
  expect(tail.read()).toEqual({ after: 2, events: ["c"] });
  expect(tail.read()).toEqual({ after: 3, events: [] });
  expect(parsed).toBe(3);
});

test("a line that is being written is read when it is whole", () => {
  const [a, b] = linesOf("a", "b") as [Buffer, Buffer];
  const tail = tailOf();
  put(a, b.subarray(0, 20));
  expect(tail.read()).toEqual({ after: 0, events: ["a"] });
  put(a, b);
  expect(tail.read()).toEqual({ after: 1, events: ["b"] });
});

test("a file that was cut is read from its first line", () => {
  const [a, b] = linesOf("a", "b") as [Buffer, Buffer];
  const tail = tailOf();
  put(a, b);
  tail.read();
  put(a);
  expect(tail.read()).toEqual({ after: 0, events: ["a"] });
});

test("another file in its place is read from its first line", () => {
  const tail = tailOf();
  put(...linesOf("a", "b"));
  tail.read();
  put(...linesOf("x", "y", "z"));
  expect(tail.read()).toEqual({ after: 0, events: ["x", "y", "z"] });
});

test("a damaged or missing file needs a full read", () => {
  const tail = tailOf();
  expect(tail.read()).toBeNull();
  put(Buffer.from("garbage\n"), ...linesOf("a"));
  expect(tail.read()).toBeNull();
});
