// A test that moved: what still says the same, and what only looks like it.
import { describe, expect, test } from "vitest";
import { findRenames } from "../../src/runtime/proof/renames.ts";
import { type Files, tree, workspace } from "./trees.ts";

const isSealed = (path: string): boolean => /test|spec/i.test(path);

async function moves(before: Files, after: Files, sealed = isSealed): Promise<string[]> {
  const [from, to] = [tree(before), tree(after)];
  const renames = await findRenames(workspace, await workspace.changes(from, to), { from, to }, sealed);
  return renames.map((rename) => `${rename.from} → ${rename.to}`);
}

describe("a file of the same text", () => {
  test("under another name has moved", async () => {
    expect(await moves({ "test/a.js": "x" }, { "test/b.js": "x" })).toEqual(["test/a.js → test/b.js"]);
  });

  test.each<{ what: string; before: Files; after: Files }>([
    { what: "of another kind", before: { "test/a.js": "x" }, after: { "test/a.py": "x" } },
    { what: "without an ending", before: { "test/a.js": "x" }, after: { "test/a": "x" } },
    { what: "that was there before", before: { "test/a.js": "x", "test/b.js": "x" }, after: { "test/b.js": "x" } },
    { what: "that was changed to it", before: { "test/a.js": "x", "test/b.js": "y" }, after: { "test/b.js": "x" } },
    { what: "where no test is", before: { "test/a.js": "x" }, after: { "src/a.js": "x" } },
    { what: "that was no test", before: { "src/a.js": "x" }, after: { "test/a.js": "x" } },
    { what: "beside the old one", before: { "test/a.js": "x" }, after: { "test/a.js": "x", "test/b.js": "x" } },
    {
      what: "beside the old one, which changed",
      before: { "test/a.js": "x" },
      after: { "test/a.js": "y", "test/b.js": "x" },
    },
  ])("$what has not", async ({ before, after }) => {
    expect(await moves(before, after)).toEqual([]);
  });

  test("is the successor of one alone", async () => {
    expect(await moves({ "test/a.js": "x", "test/b.js": "x" }, { "test/c.js": "x" })).toEqual([
      "test/a.js → test/c.js",
    ]);
  });

  test("without an ending may move to another without one", async () => {
    expect(await moves({ "test/a": "x" }, { "test/b": "x" })).toEqual(["test/a → test/b"]);
  });

  test("that is empty is the same, and one of blank lines is nothing to go by", async () => {
    expect(await moves({ "test/a.js": "" }, { "test/b.js": "" })).toHaveLength(1);
    expect(await moves({ "test/a.js": "\n" }, { "test/b.js": "\n\n" })).toEqual([]);
  });
});

describe("a test that moved with its module", () => {
  const isMove = async (before: Files, after: Files) => (await moves(before, after)).length === 1;
  const words = (way: string, name: string): string =>
    `import { f } from "${way}";\nimport assert from "node:assert";\ndescribe("${name}", () => assert(f()));\n`;

  test.each<{ what: string; before: Files; after: Files }>([
    {
      what: "has the new name where the old one stood",
      before: { "src/words.js": "c", "test/words.test.js": words("../src/words.js", "words") },
      after: { "src/count.js": "c", "test/count.test.js": words("../src/count.js", "count") },
    },
    {
      what: "has it with a capital, too",
      before: { "src/words.js": "c", "test/words.test.js": words("../src/words.js", "Words") },
      after: { "src/count.js": "c", "test/count.test.js": words("../src/count.js", "Count") },
    },
    {
      what: "has a new name in the way alone",
      before: { "src/words.js": "c", "test/words.test.js": words("../src/words.js", "words") },
      after: { "src/count.js": "c", "test/words2.test.js": words("../src/count.js", "words") },
    },
    {
      what: "has a longer way to it",
      before: { "src/a.js": "c", "test/a.test.js": words("../src/a.js", "x") },
      after: { "src/a.js": "c", "test/deep/er/a.test.js": words("../../../src/a.js", "x") },
    },
    {
      what: "has another folder in it",
      before: { "src/old/a.js": "c", "test/old/a.test.js": words("../../src/old/a.js", "old things") },
      after: { "src/new/a.js": "c", "test/new/a.test.js": words("../../src/new/a.js", "new things") },
    },
    {
      what: "is written in Python",
      before: { "app/old.py": "c", "tests/test_old.py": "from app.old import old\nassert old()\n" },
      after: { "app/aged.py": "c", "tests/test_aged.py": "from app.aged import aged\nassert aged()\n" },
    },
    {
      what: "is written in Rust",
      before: { "src/old/a.rs": "c", "tests/a_test.rs": "use crate::src::old::a;\nassert!(a());\n" },
      after: { "src/new/a.rs": "c", "tests/b_test.rs": "use crate::src::new::a;\nassert!(a());\n" },
    },
    {
      what: "is written in Ruby",
      before: { "lib/old.rb": "c", "spec/old_spec.rb": 'require_relative "../lib/old"\nexpect(old)\n' },
      after: { "lib/aged.rb": "c", "spec/aged_spec.rb": 'require_relative "../lib/aged"\nexpect(aged)\n' },
    },
    {
      what: "mocks it",
      before: { "src/old.js": "c", "test/x.test.js": 'vi.mock("../src/old.js");\ncheck();\n' },
      after: { "src/aged.js": "c", "test/y.test.js": 'vi.mock("../src/aged.js");\ncheck();\n' },
    },
    {
      what: "is indented otherwise, with other blank lines",
      before: { "src/a.js": "c", "test/a.test.js": "one\n  two\n" },
      after: { "src/b.js": "c", "test/b.test.js": "one\n\n    two\n\n" },
    },
    {
      what: "has its lines in another order",
      before: { "src/a.js": "c", "test/a.test.js": "one\ntwo\n" },
      after: { "src/b.js": "c", "test/b.test.js": "two\none\n" },
    },
  ])("$what, and has moved", async ({ before, after }) => {
    expect(await isMove(before, after)).toBe(true);
  });

  test.each<{ what: string; before: string; after: string }>([
    { what: "a line less", before: "one\ntwo\n", after: "one\n" },
    { what: "a line more", before: "one\n", after: "one\ntwo\n" },
    { what: "a line once that stood twice", before: "one\none\n", after: "one\ntwo\n" },
    { what: "a line twice that stood once", before: "one\ntwo\n", after: "one\none\n" },
    { what: "another name in one line only of two", before: "words(words)\nx\n", after: "words(count)\nx\n" },
    { what: "another package in an import", before: 'import x from "words-lib";\n', after: 'import x from "lib";\n' },
    {
      what: "another last name in an import",
      before: 'import x from "./a/other.js";\n',
      after: 'import x from "./a/mine.js";\n',
    },
    {
      what: "another folder in a line that is no import",
      before: 'open("./a/x.json")\n',
      after: 'open("./b/x.json")\n',
    },
    { what: "nothing", before: "one\n", after: "" },
  ])("and has $what has not", async ({ before, after }) => {
    const files = [
      { "src/words.js": "c", "test/words.test.js": before },
      { "src/count.js": "c", "test/count.test.js": after },
    ] as const;
    expect(await isMove(...files)).toBe(false);
  });

  test("is looked for among as many as two hundred", async () => {
    const many = (prefix: string, count: number): Files =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`test/${prefix}${String(at).padStart(3, "0")}.js`, `text ${at}`]),
      );
    expect(await moves(many("a", 201), many("b", 201))).toHaveLength(200);
  });
});
