// Events are read back by this version's list of them.
import { expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { parseEvent } from "./events.ts";

test("an event that this version knows is taken as it is", () => {
  const event = { at: 1, tookMs: 0, type: "woke" };
  expect(parseEvent(event)).toBe(event);
});

test.each([{ type: "invented-later" }, { type: "__proto__" }, { type: "constructor" }, {}, null, 3, "woke", []])(
  "%j is refused as being from another version",
  (json) => {
    expect(() => parseEvent(json)).toThrow(UserError);
  },
);
