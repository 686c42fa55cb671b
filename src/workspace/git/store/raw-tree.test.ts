// Trees as bytes, in git's order, and parsed back.
import { expect, test } from "vitest";
import { isTree, parseTree, type RawEntry, treeBytes, typeOf } from "./raw-tree.ts";

const id = (byte: string) => byte.repeat(20);
const file = (name: string): RawEntry => ({ mode: "100644", name, id: id("0a") });
const folder = (name: string): RawEntry => ({ mode: "40000", name, id: id("00") });

test("entries are parsed back in git's order, regardless of the given order", () => {
  // A folder sorts as if its name ended with a slash: after "a.b" and before "a0".
  const sorted = [file("B"), file("a b"), file("a.b"), folder("a"), file("a0"), folder("b"), file("b1")];
  expect(parseTree(treeBytes([...sorted].reverse()), 20)).toEqual(sorted);
  expect(parseTree(treeBytes(sorted), 20)).toEqual(sorted);
});

test("the bytes match git's format: mode, space, name, zero, id", () => {
  const bytes = Buffer.concat([Buffer.from("100644 caf\xe9\0", "latin1"), Buffer.alloc(20, 10)]);
  expect(treeBytes([file("caf\xe9")])).toEqual(bytes);
  expect(treeBytes([])).toEqual(Buffer.alloc(0));
});

test("ids of another length are parsed too", () => {
  const entry = { mode: "100644", name: "long", id: "1f".repeat(32) };
  expect(parseTree(treeBytes([entry, { ...entry, name: "longer" }]), 32)).toEqual([
    entry,
    { ...entry, name: "longer" },
  ]);
});

test.each([
  { mode: "40000", type: "tree" },
  { mode: "160000", type: "commit" },
  { mode: "100644", type: "blob" },
  { mode: "100755", type: "blob" },
  { mode: "120000", type: "blob" },
])("an entry of mode $mode is a $type", ({ mode, type }) => {
  const entry = { mode, name: "x", id: id("01") };
  expect(typeOf(entry)).toBe(type);
  expect(isTree(entry)).toBe(type === "tree");
});
