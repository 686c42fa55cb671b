// Lines: what goes in comes out, and nothing else is taken for a line.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Bug } from "../core/errors.ts";
import { decodeLine, encodeLine, firstLink, sha256 } from "./line.ts";

const first = firstLink("run-1");
const body = (bytes: Buffer) => bytes.subarray(0, -1);

test("a line has the shape that is written down", () => {
  const { bytes, link } = encodeLine({ type: "a" }, first);
  const head = `{"v":1,"seq":1,"prev":"${sha256("run-1")}","event":{"type":"a"}`;
  expect(bytes.toString()).toBe(`${head},"sum":"${sha256(head)}"}\n`);
  expect(link).toEqual({ seq: 1, sum: sha256(head) });
  expect(JSON.parse(bytes.toString())).toMatchObject({ v: 1, seq: 1, event: { type: "a" } });
});

test("any JSON object comes back from its line", () => {
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

test("no bytes but a line's own decode as that line", () => {
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

test("a sound line of a later format is newer, not damaged", () => {
  const head = `{"v":2,"what":"ever"`;
  expect(decodeLine(Buffer.from(`${head},"sum":"${sha256(head)}"}`), first)).toEqual({ is: "newer", version: 2 });
});

test.each([undefined, null, 3, "text", [1]])("%j is no event", (value) => {
  expect(() => encodeLine(value, first)).toThrow(Bug);
});
