// The cache is bounded: the least recently used entry goes first.
import { expect, test } from "vitest";
import { Remembered } from "./memory.ts";

const keysOf = (memory: Remembered<string>): string[] =>
  ["a", "b", "c", "d"].filter((key) => memory.get(key) !== undefined);

test("keeps as many entries as fit, and drops the oldest", () => {
  const memory = new Remembered<string>(2);
  memory.set("a", "1");
  memory.set("b", "2");
  expect(keysOf(memory)).toEqual(["a", "b"]);
  memory.set("c", "3");
  expect(keysOf(memory)).toEqual(["b", "c"]);
  expect(memory.get("c")).toBe("3");
});

test("entries count by their given size", () => {
  const memory = new Remembered<string>(10);
  memory.set("a", "1", 4);
  memory.set("b", "2", 6);
  expect(keysOf(memory)).toEqual(["a", "b"]);
  memory.set("c", "3", 5);
  expect(keysOf(memory)).toEqual(["c"]);
});

test("an entry that is set again is recent, and counts once", () => {
  const memory = new Remembered<string>(3);
  memory.set("a", "1", 2);
  memory.set("b", "2");
  memory.set("a", "3", 2);
  expect(keysOf(memory)).toEqual(["a", "b"]);
  expect(memory.get("a")).toBe("3");
  memory.set("c", "4");
  expect(keysOf(memory)).toEqual(["a", "c"]);
});

test("an entry larger than the whole limit stays until the next", () => {
  const memory = new Remembered<string>(3);
  memory.set("a", "1");
  memory.set("b", "2", 9);
  expect(keysOf(memory)).toEqual(["b"]);
  memory.set("c", "3");
  expect(keysOf(memory)).toEqual(["c"]);
});

test("finds an entry by its value", () => {
  const memory = new Remembered<string>(3);
  memory.set("a", "one");
  memory.set("b", "two");
  expect(memory.find((value) => value.startsWith("t"))).toBe("two");
  expect(memory.find((value) => value === "three")).toBeUndefined();
});

test("entries in use stay, and unused ones are dropped", () => {
  const memory = new Remembered<string>(2);
  memory.set("a", "1");
  memory.set("b", "2");
  memory.get("a");
  memory.set("c", "3");
  expect(keysOf(memory)).toEqual(["a", "c"]);
});

test("there is room for three times the size of a full pass", () => {
  const memory = new Remembered<string>(2);
  memory.makeRoomFor(1);
  for (const key of ["a", "b", "c", "d"]) memory.set(key, key);
  expect(keysOf(memory)).toEqual(["b", "c", "d"]);
});
