// Events are read back if this version knows them.
import { expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { parseEvent } from "./events.ts";

test("a known event is returned unchanged", () => {
  const event = { at: 1, sinceMs: 0, tookMs: 0, key: "wait-3", type: "woke" };
  expect(parseEvent(event)).toBe(event);
});

test("an event of the first version, which timed the gap before it and named no effect, is still read", () => {
  expect(parseEvent({ at: 1, tookMs: 7, type: "woke" })).toEqual({ at: 1, sinceMs: 7, tookMs: 7, type: "woke" });
});

test.each([{ type: "invented-later" }, { type: "__proto__" }, { type: "constructor" }, {}, null, 3, "woke", []])(
  "%j is refused as being from another version",
  (json) => {
    expect(() => parseEvent(json)).toThrow(UserError);
  },
);
