import assert from "node:assert/strict";
import { test } from "node:test";
import { shout } from "../src/words.js";

test("shout is loud", () => {
  assert.equal(shout("hello"), "HELLO!");
});

test("shout keeps what is already loud", () => {
  assert.equal(shout("HEY"), "HEY!");
});
